// What happens when the record to create is already there: taken over when it is the same, written when asked, else explained (architecture §3).
// It must not know any single kind.
import { ENCRYPTED } from '../api/contract';
import { AlreadyExists } from './errors';
import type { Kind } from './kind';
import { parentAddress } from './ids';
import { isReference } from './refer';
import { latestRelease, newestClosed } from './releases/closed-release';
import { isOursAlone, userOfRun } from './secret-writes';
import { declaredKey, subjectKey } from './session';
import { shellWord } from './shell-word';
import { AlreadyThere } from './verbs/presence';
import type { Live } from './live';
import type { Work } from './model';
import { declaredValues, means, textOf, type Declared } from './wire-texts';

/** Declared values by wire name. */
type Entries = readonly (readonly [string, Declared])[];

/** Creates a record, or takes over the one that exists. Throws AlreadyExists as `takeOver` does. */
export async function createOrTakeOver(of: Kind, work: Work): Promise<Live> {
  try {
    const live = await of.verbs.create(work);
    if (live.origin === 'created') work.session.records.noteBorn(subjectKey(of, work.id));
    return live;
  } catch (error) {
    if (!(error instanceof AlreadyThere)) throw error;
    return takeOver(of, work, error.live);
  }
}

/**
 * Takes a record over, or throws AlreadyExists with the differences and what to do. The value of a secret cannot be compared: without
 * `adopt: true` it is written only to a record that is ours alone, which an interrupted run of ours left behind.
 */
export async function takeOver(of: Kind, work: Work, live: Live): Promise<Live> {
  const declared = [...declaredValues(of, work.args)];
  const differing = declared.filter(([name, value]) => !means(value, live.wire[name]));
  const secrets = declared.filter(([name]) => live.wire[name] === ENCRYPTED);
  const unread = declared.filter(([, { field }]) => field.writeOnly);
  const adopts = isAdopting(of, work);
  const isLeft = await isLeftByKilledRun(of, work, live);
  const isSame = differing.length === 0 && (secrets.length === 0 || (await isOursAlone(work, live)));
  if (!adopts && !((isLeft || isReference(work.known ?? {})) && isSame))
    throw standsThere(of, work, live, { differing, secrets });
  work.notice(takenOver(differing, secrets, secrets.length > 0 && isSame ? `, made by ${live.updatedBy}` : ''));
  const changes = textsOf([...differing, ...secrets, ...unread]);
  const isWritten = Object.keys(changes).length > 0 || of.verbs.acts === true;
  const written = isWritten ? await of.verbs.update({ ...work, live, changes }) : live;
  return isLeft ? written : adopted(of, written);
}

/** Whether a record, or one that it is in, is declared with `adopt: true`, which holds for everything below. */
function isAdopting(of: Kind, { args, address, session }: Work): boolean {
  if (args['adopt'] === true) return true;
  let child: Kind = of;
  let at = parentAddress(child, address);
  while (at !== undefined && child.within !== undefined) {
    if (session.declarations.inputsOf(declaredKey(child.within, at))?.['adopt'] === true) return true;
    child = child.within;
    at = parentAddress(child, at);
  }
  return false;
}

/** A record that others may have made, as this stack has it from now on. What came with its parent did so. */
export const adopted = (of: Kind, live: Live): Live =>
  live.origin === 'created' && of.verbs.isAction !== true ? { ...live, origin: 'adopted' } : live;

/**
 * Whether a run of this stack that was killed can have left a record. What came with its parent is no take-over. A record in one of this stack's
 * state, an assembly of which nothing is committed, a cloud, team or relay: where this user alone wrote it.
 */
async function isLeftByKilledRun(of: Kind, work: Work, live: Live): Promise<boolean> {
  if (live.origin === 'pack' || of.verbs.isAction === true) return true;
  const parent = of.within && parentAddress(of, work.address);
  if (parent !== undefined && of.within !== undefined) {
    const { declarations } = work.session;
    const key = declaredKey(of.within, parent);
    const found = declarations.find(key);
    // One that this run took over as its own counts as known: a logical rename makes it new to the engine, with all that is in it.
    const isKnown = found?.known !== undefined && (!declarations.isNew(key) || found.known['origin'] === 'created');
    if (!isKnown) return false;
    // In another stack's record only what waits for its first commit is surely nobody's.
    if (isReference(found.inputs) && (live.openedBy ?? []).length === 0) return false;
  } else if (of.holds === 'design' && (await newestClosed(work, await latestRelease(work))) !== undefined) return false;
  const writers = [...(live.writes?.writers ?? []), ...(live.openedBy ?? [])];
  const by = writers.length > 0 ? writers : [live.updatedBy ?? ''].filter(Boolean);
  const user = await userOfRun(work);
  return by.every((writer) => writer === user);
}

/** `was already there: taken over, and value written; password written again, because no read shows a secret` */
function takenOver(differing: Entries, secrets: Entries, whose: string): string {
  const names = (entries: Entries): string => entries.map(([name]) => name).join(', ');
  const same = differing.length + secrets.length === 0 ? ' with these values' : '';
  const written = differing.length === 0 ? '' : `, and ${names(differing)} written`;
  const again = secrets.length === 0 ? '' : `; ${names(secrets)} written again, because no read shows a secret`;
  return `was already there${whose}${same}: taken over${written}${again}`;
}

function standsThere(
  of: Kind,
  work: Work,
  live: Live,
  { differing, secrets }: { readonly differing: Entries; readonly secrets: Entries },
): AlreadyExists {
  const by = live.updatedBy ? `, last written by ${live.updatedBy}` : '';
  const what =
    differing.length > 0
      ? `differs${by}`
      : secrets.length > 0
        ? 'holds a secret, whose value cannot be compared'
        : `no run of this stack made it${by}`;
  const lines = [...differing, ...secrets].map((each) => difference(each, live));
  return new AlreadyExists(
    [`it is already there and ${what}${lines.length > 0 ? ':' : ''}`, ...lines].join('\n'),
    [
      'to take it over and write the declared values, declare adopt: true',
      'to take it over as it is, import it:',
      `  ${importLine(of, work)}`,
      'if you renamed the resource: add an alias with its old name, or rename it in a separate run',
    ].join('\n'),
  );
}

/** The commands that import the record, for a shell: under the resource's own logical name, or, where it is not known, a stack file's. */
function importLine(of: Kind, { id, logicalName }: Work): string {
  const word = `${of.token}:${id}${logicalName === undefined ? '' : `=${logicalName}`}`;
  const file = 'import.json';
  return `pulumi-oneops import-file ${shellWord(word)} --output ${file} && pulumi import --file ${file} --generate-code=false --protect=false`;
}

const textsOf = (entries: Entries): { readonly [wireName: string]: string } =>
  Object.fromEntries(entries.map(([name, declared]) => [name, textOf(declared)]));

/** One line for a declared value that the service has differently, or may have: of a secret it shows only that. */
function difference([name, declared]: readonly [string, Declared], live: Live): string {
  if (live.wire[name] === ENCRYPTED) return `  ${name}: a secret, which cannot be compared`;
  if (declared.field.secret) return `  ${name}: differs`;
  const by = live.setBy?.[name]?.by;
  const there = `there ${JSON.stringify(live.wire[name] ?? null)}${by ? ` (set by ${by})` : ''}`;
  return `  ${name}: ${there}, declared ${JSON.stringify(declared.value)}`;
}
