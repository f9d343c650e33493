// Records beside ours that nobody declares, out of the lists that were read anyway: candidates for import.
// It must not ask anything.
import { routes, templatesOfClass } from '../api/contract';
import { formatId, kinds, scopesOf, type Address, type Kind } from '../provider';
import type { Seen, SeenRecord } from './reading/watched-api';
import type { Subject } from './subjects';

/** An undeclared record, and the list it stood in. */
export interface Undeclared {
  readonly kind: Kind;
  readonly id: string;
  readonly record: SeenRecord;
}

/** Lists whose records are ours to declare once their parent is: by route, the kind and the scope's parent. */
const LISTS: { readonly [route: string]: { readonly token: string; readonly within: string } } = {
  [routes.platforms.list.name]: { token: 'Platform', within: 'Assembly' },
  [routes.components.list.name]: { token: 'Component', within: 'Platform' },
  [routes.attachments.list.name]: { token: 'Attachment', within: 'Component' },
  [routes.designVariables.list.name]: { token: 'Variable', within: 'Assembly' },
  [routes.platformVariables.list.name]: { token: 'Variable', within: 'Platform' },
  [routes.environments.list.name]: { token: 'Environment', within: 'Assembly' },
};

/** Undeclared records, each once. What a pack made by itself and nobody wrote on is no candidate. */
export function undeclaredIn(seen: Seen, subjects: readonly Subject[], organization: string): readonly Undeclared[] {
  const managed = new Map(subjects.map((subject) => [`${subject.kind.token} ${subject.id}`, subject]));
  const found = new Map<string, Undeclared>();
  for (const { route, address, answer } of seen.answers()) {
    const kind = kindOf(route);
    if (kind?.within === undefined || !Array.isArray(answer)) continue;
    for (const record of answer as readonly SeenRecord[]) {
      const at = { ...address, name: record.ciName ?? '' };
      const id = formatId(kind, organization, at);
      const parentId = formatId(kind.within, organization, parentOf(kind, at));
      const parent = managed.get(`${kind.within.token} ${parentId}`);
      const isOurs = managed.has(`${kind.token} ${id}`);
      if (isOurs || parent === undefined || isReferred(parent) || isPackBorn(kind, record, parent, seen)) continue;
      if (record.rfcAction === 'delete' || record.ciState === 'pending_deletion') continue;
      found.set(`${kind.token} ${id}`, { kind, id, record });
    }
  }
  return [...found.values()];
}

function kindOf(route: string): Kind | undefined {
  const list = LISTS[route];
  const kind = kinds.find(({ token }) => token === list?.token);
  return kind && scopesOf(kind).find((scope) => scope.within?.token === list?.within);
}

function parentOf(kind: Kind, at: Address): Address {
  const token = kind.within?.token ?? '';
  const own = token.charAt(0).toLowerCase() + token.slice(1);
  return { ...at, name: at[own] ?? '' };
}

const isReferred = ({ code, applied }: Subject): boolean =>
  (code?.inputs['existing'] ?? applied?.inputs['existing']) === true;

/** Made with its platform: named like its template, and neither locked nor written by anybody else. */
function isPackBorn(kind: Kind, record: SeenRecord, parent: Subject, seen: Seen): boolean {
  if (kind.within?.token !== 'Platform') return false;
  const isLocked = Object.values(record.ciAttrProps?.owner ?? {}).some(Boolean);
  const platform = seen.record(Number(parent.applied?.computed['ciId']));
  const isOther = platform !== undefined && record.createdBy !== platform.createdBy;
  if (isLocked || isOther) return false;
  const tail = record.ciClassName?.split('.').at(-1) ?? '';
  return kind.token === 'Variable' || templatesOfClass(tail).includes(record.ciName ?? '');
}
