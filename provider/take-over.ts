// What happens when the record to create is already there: taken over when it is the same, written when asked, else explained (architecture §3).
// It must not know any single kind.
import { ENCRYPTED } from '../api/contract';
import { AlreadyExists } from './errors';
import type { Kind } from './kind';
import { isOursAlone } from './secret-writes';
import { subjectKey } from './session';
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
    if (live.origin === 'own') work.session.records.noteBorn(subjectKey(of, work.id));
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
  const adopts = work.args['adopt'] === true;
  const isOurs = secrets.length > 0 && !adopts && differing.length === 0 && (await isOursAlone(work, live));
  if (!adopts && (differing.length > 0 || (secrets.length > 0 && !isOurs)))
    throw standsThere(of, work, live, { differing, secrets });
  work.notice(takenOver(differing, secrets, isOurs ? `, made by ${live.updatedBy}` : ''));
  const changes = textsOf([...differing, ...secrets, ...unread]);
  return Object.keys(changes).length === 0 && !of.verbs.acts ? live : of.verbs.update({ ...work, live, changes });
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
  const what = differing.length > 0 ? 'differs' : 'holds a secret, whose value cannot be compared';
  const lines = [...differing, ...secrets].map((each) => difference(each, live));
  return new AlreadyExists(
    `it is already there and ${what}:\n${lines.join('\n')}`,
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
