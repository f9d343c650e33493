// What others left open, as a preview sees it: a run that would stop for it is refused before it
// writes. What the run writes itself is judged by the run.
import type { Work } from '../kind';
import { textAt } from '../values/plain';
import { openBeforeWrites } from './design-changes';
import { listedEnvironment } from './environment-changes';
import { ownLeftovers } from './foreign-changes';
import { refuseForeignChanges } from './open-changes';

/** Whether a run stops for open changes of others. */
const stopsForOthers = ({ args }: Work): boolean => textAt(args, 'whenBusy', 'fail') === 'fail';

/** Throws for open changes of others that the commit of a design would include. */
export async function refuseOpenInDesign(work: Work): Promise<void> {
  if (stopsForOthers(work)) await refuseForeignChanges(work, openBeforeWrites(work), true);
}

/** Throws for open changes of others that a pull of an environment would commit. */
export async function refuseOpenBeforePull(work: Work): Promise<void> {
  if (stopsForOthers(work)) await refuseForeignChanges(work, listedEnvironment(work, ownLeftovers(work, false)), true);
}
