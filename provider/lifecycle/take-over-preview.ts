// Looks for records that exist already before a run begins to write: the rule of a take-over, applied to what is new to the engine.
import { OneOpsError } from '../../api/errors';
import type { AlreadyExists } from '../errors';
import { parentAddress } from '../address/ids';
import type { FoundRecord, Kind } from '../kind';
import type { Work } from '../model';
import { ancestorsTakingAlong } from '../address/place';
import { isReference } from './refer';
import { declaredKey, lookUp } from '../session';
import { isAdopting, refusalOf } from './take-over';
import { holdsUnknown } from '../values/unknown';
import { findIn, inside } from '../verbs/find-in';

/** What a run will find of a record that is new to the engine. `not looked at`: its create decides. */
type Standing = 'not looked at' | 'not there' | 'taken over' | AlreadyExists;

/**
 * Throws AlreadyExists for a record that is new to the engine and exists, unless the run takes it over. Reads a list for each parent, once per run, and
 * nothing below a record that does not exist. Says nothing where a name is not known, or where the service does not answer: the create applies the
 * same rule.
 */
export async function refuseExisting(of: Kind, work: Work): Promise<void> {
  const standing = await lookUp(work.session, standingKey(of, work.address), () => look(of, work));
  if (typeof standing !== 'string') throw standing;
}

const standingKey = (of: Kind, address: Work['address']): string => `standing ${declaredKey(of, address)}`;

/** Records that come with their environment, and actions, are never taken from anybody. */
const mayBeTaken = (of: Kind): boolean =>
  of.found !== undefined && of.verbs.isAction !== true && (of.stage !== 'environment' || of.holds === 'environment');

async function look(of: Kind, work: Work): Promise<Standing> {
  const { declarations, records } = work.session;
  const key = declaredKey(of, work.address);
  const isUnclear = Object.values(work.address).some((name) => name === '' || holdsUnknown(name));
  if (isUnclear || !mayBeTaken(of) || isReference(work.args) || isAdopting(of, work)) return 'not looked at';
  // What is replaced, or is in a record that is, is deleted before it is created again.
  const isReplaced =
    declarations.isAskedAgain(key) || ancestorsTakingAlong(of, work.id).some((above) => records.takesAlong(above));
  const above = isReplaced ? 'not looked at' : await standingAbove(of, work);
  if (above !== 'taken over') return above;
  try {
    const found = (await listed(of, work)).find(({ address }) =>
      Object.entries(address).every(([name, value]) => work.address[name] === value),
    );
    if (found === undefined || found.isGiven) return 'not there';
    const live = await of.verbs.read(work);
    if (live === undefined || live.origin === 'pack') return 'not there';
    return (await refusalOf(of, work, live, true)) ?? 'taken over';
  } catch (error) {
    if (error instanceof OneOpsError) return 'not looked at';
    throw error;
  }
}

/** Whether the nearest declared record above one exists: `taken over` for those of the state, too. */
async function standingAbove(of: Kind, { address, session }: Work): Promise<Standing> {
  let child = of;
  let at = parentAddress(child, address);
  while (child.within !== undefined && at !== undefined) {
    const key = declaredKey(child.within, at);
    const found = session.declarations.find(key);
    if (found !== undefined) {
      if (isReference(found.inputs) || !session.declarations.isNew(key)) return 'taken over';
      const isLooked = session.lookups.has(standingKey(child.within, at));
      const above = isLooked ? await lookUp<Standing>(session, standingKey(child.within, at), never) : 'not looked at';
      return above === 'taken over' ? above : 'not looked at';
    }
    child = child.within;
    at = parentAddress(child, at);
  }
  return of.within === undefined ? 'taken over' : 'not looked at';
}

const never = (): Promise<Standing> => Promise.resolve('not looked at');

/** The records of a kind below one parent. */
function listed(of: Kind, { api, address, session }: Work): Promise<readonly FoundRecord[]> {
  const parent = parentAddress(of, address);
  const at = parent === undefined || of.within === undefined ? {} : inside(of.within, parent);
  const path = Object.values(at).join('/');
  return lookUp(session, `below ${path} ${of.path}`, () => findIn(api, of, at));
}
