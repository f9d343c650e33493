// Records that another stack or an administrator owns: `existing: true` refers to one. It must be there, and nothing of it is written or deleted.
// Everything that a reference changes about a kind is here.
import { LifecycleError } from '../errors';
import type { Kind, Verbs, Work } from '../kind';
import { oncePer } from '../values/plain';
import type { Live } from '../address/live';

/** Whether arguments only refer to a record. */
export const isReference = (args: { readonly [name: string]: unknown }): boolean => args['existing'] === true;

/** The kind as its arguments use it: as it is, or, where one of them refers, as a reference. */
export const asUsed = (of: Kind, ...args: readonly { readonly [name: string]: unknown }[]): Kind =>
  args.some(isReference) ? refer(of) : of;

/** A kind of which nothing is ours: no argument but its address is needed, none replaces, and its verbs only read. */
const refer: (of: Kind) => Kind = oncePer((of) => {
  const fields = Object.entries(of.fields).map(([name, field]) => [name, { ...field, required: false, fixed: false }]);
  return {
    ...of,
    judge: () => [],
    idle: () => [],
    fields: Object.fromEntries(fields) as Kind['fields'],
    verbs: reading(of),
  };
});

function reading(of: Kind): Verbs {
  const read = (work: Work): Promise<Live | undefined> => of.verbs.read(work);
  const find = async (work: Work): Promise<Live> => {
    const live = await read(work);
    if (live) return live;
    throw new LifecycleError(
      `there is no such ${of.token.toLowerCase()}`,
      'it is declared with existing: true; create it first, or leave existing out',
    );
  };
  return { read, create: find, update: find, delete: () => Promise.resolve() };
}
