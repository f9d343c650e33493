// Comments of records: a service may store them only with another change (service-facts §2.1.3).
import { isDeepStrictEqual } from 'node:util';
import { dialectRules, type Record as WireRecord } from '../../api/contract';
import { orElse } from '../errors';
import { isStampOf } from './live';
import type { Live } from '../address/live';
import type { Judgement, UpdateWork, Verbs, Work } from '../kind';
import type { Texts } from '../values/plain';

/** Wire name of the comments, which are a member of a record next to its attributes. */
const COMMENTS = 'comments';

export const commentsOf = (record: Pick<WireRecord, 'comments'>): { readonly comments: string } => ({
  comments: record.comments ?? '',
});

/** The comments among texts to write, as a member of a record; empty when there are none. */
export const commentsIn = (texts: Texts): { readonly comments?: string } =>
  texts[COMMENTS] === undefined ? {} : { comments: texts[COMMENTS] };

/** Whether a record of a pack has comments of a user: it was written since its creation. */
export const hasOwnComments = ({
  comments,
  updatedBy,
  rfcAction,
}: Partial<Pick<WireRecord, 'comments' | 'updatedBy' | 'rfcAction'>>): boolean =>
  Boolean(comments) && (Boolean(updatedBy) || rfcAction === 'update');

/** Whether the service has other comments than the declared ones. */
export const areForeignComments = (work: Pick<Work, 'wire'>, record: Pick<WireRecord, 'comments'>): boolean =>
  work.wire[COMMENTS] !== undefined && Boolean(record.comments) && record.comments !== work.wire[COMMENTS];

/** Comments for a record that is given back: an empty text, if the stack declared comments. */
export const emptiedComments = (
  work: Pick<Work, 'wire'>,
  record: Pick<WireRecord, 'comments'>,
): { readonly comments?: string } => (work.wire[COMMENTS] !== undefined && record.comments ? { comments: '' } : {});

/** Base comments of an environment's record: the design's, if a pull brings comments. */
export const commentsBase = async (
  { wire }: Pick<Live, 'wire'>,
  designed: () => Promise<Pick<WireRecord, 'comments'> | undefined>,
): Promise<{ readonly comments: string }> => ({
  comments: wire[COMMENTS] ? ((await designed())?.comments ?? '') : '',
});

/** Whether a leaving stack declared comments: a sweep knows only names. */
export const declaresComments = ({ args }: Pick<Work, 'args'>): boolean => args[COMMENTS] !== undefined;

/**
 * Verbs with comments that a service may store only with another change. Comments that it did not
 * store are reported and written with the next change; they are not drift.
 */
export const withComments = (verbs: Verbs): Verbs => ({
  ...verbs,

  async read(work) {
    const live = await verbs.read(work);
    if (live === undefined) return undefined;
    const lost = ownLoss(work, live);
    return lost === undefined ? live : { ...live, wire: { ...live.wire, comments: lost }, owesComments: true };
  },

  create: async (work) => reported(work, await verbs.create(work)),

  update: async (work) =>
    reported(
      work,
      await verbs.update(work.live.owesComments ? { ...work, changes: { ...declared(work), ...work.changes } } : work),
    ),

  guarded: [...(verbs.guarded ?? []), COMMENTS],

  async guard(work, change) {
    const others = change.changed.filter((name) => name !== COMMENTS);
    const judged = verbs.guard && others.length > 0 ? await verbs.guard(work, { ...change, changed: others }) : {};
    return change.changed.includes(COMMENTS) && change.replaces.length === 0
      ? { ...(await warned(work)), ...judged }
      : judged;
  },
});

const declared = ({ wire }: Work): Texts => commentsIn(wire);

/** The comments of our last write, when the service has others and nobody wrote since. */
function ownLoss({ known = {} }: Work, live: Live): string | undefined {
  const { comments, revision, updated, updatedBy } = known;
  if (typeof comments !== 'string' || live.wire[COMMENTS] === comments) return undefined;
  // Changes of one release may have one stamp.
  const isSame = isStampOf(live.stamp, String(revision)) && live.updated === updated && live.updatedBy === updatedBy;
  return isSame ? comments : undefined;
}

/** Reports that a service did not store the comments, or did not remove them. */
function reported(work: Work | UpdateWork, live: Live): Live {
  const sent = 'changes' in work ? work.changes[COMMENTS] : undefined;
  const expected = work.wire[COMMENTS] ?? sent;
  if (expected !== undefined && (live.wire[COMMENTS] ?? '') !== expected)
    work.notice(`its comments stay as they are: ${why(work.wire[COMMENTS] !== undefined)}`);
  return live;
}

/** Why the service keeps its comments, and when it stores the declared ones. */
const why = (areDeclared: boolean): string =>
  `this service stores comments only together with another change of the record${areDeclared ? ', and the next one writes them, too' : ''}`;

/** The warning for a change of comments only, when the service's dialect does not store it. */
async function warned(work: Work): Promise<Judgement> {
  const { args, known = {} } = work;
  const isOther = (name: string): boolean => name !== COMMENTS && !isDeepStrictEqual(args[name], known[name]);
  if (Object.keys(args).some(isOther)) return {};
  // A preview needs no service; the run itself reports what is wrong with it.
  const dialect = await orElse(work.api.dialect(), undefined);
  return dialect === undefined || dialectRules[dialect].designCommentsStored
    ? {}
    : { warning: `its comments will stay as they are: ${why(args[COMMENTS] !== undefined)}` };
}
