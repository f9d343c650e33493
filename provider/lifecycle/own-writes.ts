// What this run wrote, by record: open changes are compared with it before a commit includes them.
import type { Api } from '../../api/client';
import { layered, type Attributes, type Record as WireRecord, type Relation } from '../../api/contract';
import type { Live } from '../address/live';
import type { Texts } from '../values/plain';

/** Mutable on purpose, owned by a session. Records by ciId, links by ciRelationId. */
export interface OwnWrites {
  /** Texts that were sent for a record's, or a link's, attributes. */
  readonly sent: Map<number, Attributes>;
  /** A record's attributes as the last write of it was answered. */
  readonly answered: Map<number, Attributes>;
  readonly deleted: Set<number>;
  readonly writersBefore: Map<number, readonly string[]>;
  /** Users who wrote to a record after it was read and before this run wrote to it. */
  readonly crossed: Map<number, readonly string[]>;
  /** Name of the user this run writes as, once a write was answered. */
  user: string | undefined;
}

export const newOwnWrites = (): OwnWrites => ({
  sent: new Map(),
  answered: new Map(),
  deleted: new Set(),
  writersBefore: new Map(),
  crossed: new Map(),
  user: undefined,
});

/** Users who wrote an open change: who opened it, and who wrote last. */
export function writersOf(record: WireRecord): readonly string[] {
  if (!record.rfcAction) return [];
  const isNew = record.rfcAction === 'add';
  const names = isNew ? [record.createdBy, record.updatedBy] : [record.rfcCreatedBy, record.rfcUpdatedBy];
  return names.flatMap((name) => (name ? [name] : []));
}

/** Remembers who had an open change in a record before this run writes: later it is hidden. */
export function metWriters(own: OwnWrites, { ciId, openedBy = [] }: Pick<Live, 'ciId' | 'openedBy'>): void {
  own.writersBefore.set(ciId, [...(own.writersBefore.get(ciId) ?? []), ...openedBy]);
}

/** Reports on a row whose writes between this run's read and its write were overwritten. */
export function reportCrossed(own: OwnWrites, ciId: number, row: { notice(message: string): void }): void {
  const others = own.crossed.get(ciId) ?? [];
  if (others.length > 0)
    row.notice(`${others.join(' and ')} wrote to it at the same time: what is declared was written over that`);
}

/** Remembers texts as wanted: an open change with them is nobody else's. */
export function noteWanted({ sent }: OwnWrites, ciId: number, texts: Texts): void {
  if (Object.keys(texts).length > 0) sent.set(ciId, { ...sent.get(ciId), ...texts });
}

/** A client that notes what it writes to records of a design or of an environment. */
export function noting(api: Api, own: OwnWrites): Api {
  return layered(api, (next) => async (route, input) => {
    const answer = await next(route, input);
    if (route.method !== 'GET') note(own, route.method, input.body, answer);
    return answer;
  });
}

const isRecord = (answer: unknown): answer is WireRecord =>
  typeof answer === 'object' && answer !== null && 'ciId' in answer && 'ciAttributes' in answer;

const isRelation = (answer: unknown): answer is Relation =>
  typeof answer === 'object' && answer !== null && 'ciRelationId' in answer;

function note(own: OwnWrites, method: string, body: unknown, answer: unknown): void {
  if (isRelation(answer)) {
    const { attributes = {} } = body as { readonly attributes?: Attributes };
    own.sent.set(answer.ciRelationId, { ...own.sent.get(answer.ciRelationId), ...attributes });
  }
  if (!isRecord(answer)) return;
  if (method === 'DELETE') {
    own.deleted.add(answer.ciId);
    return;
  }
  const sent = (body as { readonly cms_dj_ci?: { readonly ciAttributes?: Attributes } } | undefined)?.cms_dj_ci;
  const isPackUpdate = typeof body === 'object' && body !== null && 'version' in body;
  if (sent === undefined && !isPackUpdate) return;
  // A pack update answers the platform, which had no open change before.
  const texts = sent?.ciAttributes ?? picked(answer.ciAttributes, Object.keys(answer.ciBaseAttributes ?? {}));
  own.sent.set(answer.ciId, { ...own.sent.get(answer.ciId), ...texts });
  own.answered.set(answer.ciId, answer.ciAttributes);
  const writers = writersOf(answer);
  own.user = writers.at(-1) ?? own.user;
  const before = own.writersBefore.get(answer.ciId);
  const others = writers.filter((writer) => writer !== own.user && before?.includes(writer) === false);
  if (others.length > 0) own.crossed.set(answer.ciId, others);
}

const picked = (values: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
