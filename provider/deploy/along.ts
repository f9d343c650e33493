// What comes along with a deployment: changes of other users that are committed, and that no declared value replaces. It is named, or refused.
import type { Record as WireRecord } from '../../api/contract';
import { LifecycleError } from '../errors';
import type { CommittedChange } from '../history/change';
import { platformOf } from '../history/committed';
import type { Work } from '../model';
import { declaredValues } from '../wire-texts';
import { declaredInDesign } from './declared-records';
import { acceptEntry, isAccepted } from './losses';

/** Those of other users' changes that this run does not declare: records that are not declared, and attributes of declared ones that are not. */
export function comingAlong(work: Work, changes: readonly CommittedChange[]): readonly CommittedChange[] {
  const declared = declaredInDesign(work);
  return changes.flatMap((change): readonly CommittedChange[] => {
    const own = declared.find(
      ({ noun, address }) =>
        noun === change.noun &&
        address['name'] === change.name &&
        (noun === 'platform' || (address['platform'] ?? '') === change.platform),
    );
    if (own === undefined) return [change];
    // What was deleted is a loss; what was added was taken over, which its own row says.
    if (change.action !== 'update') return [];
    const values = declaredValues(own.of, work.session.declarations.inputsOf(own.key) ?? {});
    const attributes = change.attributes.filter((name) => !values.has(name));
    return attributes.length === 0 ? [] : [{ ...change, attributes }];
  });
}

const DONE: { readonly [action: string]: string | undefined } = { delete: ', deleted' };

/** `component web/backdoor by maria, design release 12`; of an update, with the attributes. */
const alongLine = ({ noun, path, action, attributes, cause, stage }: CommittedChange): string => {
  const what = attributes.length === 0 || action !== 'update' ? '' : ` (${attributes.join(', ')})`;
  const release = `${stage === 'design' ? 'design release' : 'release'} ${cause.releaseId}`;
  return `${noun} ${path}${what}${DONE[action] ?? ''} by ${cause.by || 'somebody'}, ${release}`;
};

const entryOf = ({ path, stage, cause }: CommittedChange): string => acceptEntry(path, stage, cause);

/** Throws where the deployment says `others: refuse` and does not accept all of the changes. */
export function refuseAlong(work: Work, changes: readonly CommittedChange[]): void {
  if (work.args['others'] !== 'refuse') return;
  const refused = changes.filter((change) => !isAccepted(work, entryOf(change)));
  if (refused.length === 0) return;
  const entries = [...new Set(refused.map((change) => JSON.stringify(entryOf(change))))].join(', ');
  throw new LifecycleError(
    [
      `changes of other users would come along to ${work.id}, and others: refuse is declared:`,
      ...refused.map((change) => `  ${alongLine(change)}`),
    ].join('\n'),
    `declare it in the file, have it deleted in the service, or declare deploy: { accept: [${entries}] }`,
  );
}

/** `brings along: component web/backdoor by maria, design release 12 (2 instances)`; undefined for no change. `plan`: the changes of instances. */
export function alongText(changes: readonly CommittedChange[], plan: readonly WireRecord[] = []): string | undefined {
  if (changes.length === 0) return undefined;
  const lines = changes.map((change) => {
    const count = plan.filter(
      (each) => platformOf(each) === change.platform && each.ciName.replace(/-\d+-\d+$/, '') === change.name,
    ).length;
    return `${alongLine(change)}${count === 0 ? '' : ` (${count} instance${count === 1 ? '' : 's'})`}`;
  });
  return `brings along: ${lines.join('; ')}`;
}
