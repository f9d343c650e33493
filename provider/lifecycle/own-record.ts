// Whether a record under a name is the one that this stack wrote: names are given again, numbers are not.
import type { Kind } from '../kind';
import type { Live } from '../address/live';
import type { Work } from '../model';
import { subjectKey } from '../session';
import { askingAnew } from '../session/answers';

/**
 * Whether the number of a record identifies it. A pull and a new version of a pack give records of an environment new numbers, and what is done has
 * none.
 */
const isNumbered = (of: Kind): boolean =>
  of.verbs.isAction !== true && (of.stage !== 'environment' || of.token === 'Environment');

/** Whether a record is another one than the state knows. */
export const isAnother = (of: Kind, known: Work['known'], live: Pick<Live, 'ciId'>): boolean => {
  const ciId = Number(known?.['ciId'] ?? 0);
  return isNumbered(of) && ciId > 0 && live.ciId > 0 && live.ciId !== ciId;
};

/** Deletes a record, unless another record has its name by now, which the row says. */
export async function deleteOwn(of: Kind, work: Work): Promise<void> {
  if (isNumbered(of) && Number(work.known?.['ciId'] ?? 0) > 0) {
    const there = await of.verbs.read({ ...work, api: askingAnew(work.api) });
    if (there === undefined) return;
    if (isAnother(of, work.known, there)) {
      work.session.records.noteStranger(subjectKey(of, work.id));
      work.notice(`${whose(of, work, there)}: nothing was deleted`);
      return;
    }
  }
  await of.verbs.delete(work);
}

/** `Platform acme/shop/db is another record than this stack's: 1240 instead of 1233, last written by maria` */
export const whose = (of: Kind, { id, known }: Pick<Work, 'id' | 'known'>, live: Live): string =>
  `${of.token} ${id} is another record than this stack's: ${live.ciId} instead of ${String(known?.['ciId'])}` +
  (live.updatedBy === '' ? '' : `, last written by ${live.updatedBy}`);
