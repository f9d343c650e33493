// Records of others: `existing: true` refers to one, which must exist and is never written.
import { LifecycleError } from '../errors';
import type { Kind, Verbs, Work } from '../kind';
import { oncePer, type Values } from '../values/plain';
import type { Live } from '../address/live';

export const isReference = (args: Values): boolean => args['existing'] === true;

/** The kind as its arguments use it: as a reference, where one of them refers. */
export const asUsed = (of: Kind, ...args: readonly Values[]): Kind => (args.some(isReference) ? refer(of) : of);

/** A kind with verbs that only read, and an address as its only required arguments. */
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
