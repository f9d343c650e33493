// What a person takes over into a stack: the list of resources for `pulumi import`, for the file
// that a command writes and for the converter that Pulumi's CLI asks. Sends GETs only.
import type { Api } from '../../../api/client';
import { WrongInput } from '../../../api/errors';
import {
  declaredName,
  importFile,
  placeAt,
  recordsBelow,
  type ImportedFor,
  type ImportFile,
  type Note,
  type Taken,
} from '../../../provider/import';
import type { Kind } from '../../../provider';
import { kindOf, kinds } from '../../../provider/kinds';
import { lifecycle, type Lifecycle } from '../../../provider/lifecycle';
import { remembering, newSession, rememberDistinction } from '../../../provider/session';
import type { CodeRecord } from '../../../drift';
import { codeOf, type CodePlace } from '../drift/sources';
import { UsageError } from '../../exit';
import { faceHere, projectHere } from '../../here/project';
import type { ValuesOf } from '../../command';
import type { TAKE_OVER_OPTIONS } from '../../options';
import { commandSettings, selectedStack, usable, withService } from '../../here/settings';

type TakeOverOptions = ValuesOf<typeof TAKE_OVER_OPTIONS>;

/** Reads what addresses mean. Throws UsageError, Unauthorized, or Error without a secret. */
export async function importList(addresses: readonly string[], options: TakeOverOptions): Promise<ImportFile> {
  checkWords(addresses, options);
  const found = await commandSettings(options);
  const settings = usable(found);
  const imported = faceGiven(options.resources) ?? faceHere(found.configuration);
  return withService(settings, async (api) => {
    if (!options.declared) return compose(api, addresses, { below: options.below, imported });
    const stack = options.stack ?? (await selectedStack());
    return composeDeclared(api, declaredHere({ found, organization: settings.organization, stack }), imported);
  });
}

function faceGiven(word: string | undefined): ImportedFor | undefined {
  if (word === undefined || word === 'dynamic' || word === 'plugin') return word;
  throw new UsageError(`--resources ${word}: there are dynamic and plugin`);
}

/** Throws UsageError for words that do not say what to import. */
function checkWords(addresses: readonly string[], { below, declared }: TakeOverOptions): void {
  if (declared && (addresses.length > 0 || below))
    throw new UsageError('--declared takes what the files declare: leave out addresses and --below');
  if (!declared && addresses.length === 0) throw new UsageError('an import needs an address: acme/shop');
}

function declaredHere(place: Omit<CodePlace, 'file' | 'project' | 'state'>): readonly CodeRecord[] {
  const { code, notes } = codeOf({ ...place, file: undefined, project: projectHere(), state: undefined });
  if (code === undefined) throw new WrongInput(['there is no stack file to import from', ...notes].join('\n'));
  return code.records;
}

function composeDeclared(api: Api, records: readonly CodeRecord[], imported: ImportedFor): Promise<ImportFile> {
  const session = newSession(kinds);
  const taken = records.map(({ kind, id, logicalName, inputs, hidden }) => {
    rememberDistinction(session, kind, inputs);
    return { of: kindOf(kind.token) ?? kind, id, name: logicalName, declared: inputs, hidden };
  });
  const reading = remembering(api, session.answers);
  return importFile(taken, (of) => lifecycle(of, () => Promise.resolve(reading), session, true), imported);
}

async function compose(
  api: Api,
  words: readonly string[],
  { below, imported }: { readonly below: boolean; readonly imported: ImportedFor },
): Promise<ImportFile> {
  const session = newSession(kinds);
  const life = (of: Kind): Lifecycle => lifecycle(of, () => Promise.resolve(api), session);
  const taken = new Map<string, Taken>();
  const take = (each: Taken): void => {
    const key = `${each.of.token} ${each.at ?? each.id}`;
    if (!taken.has(key) || each.onlyIfDeclared !== true) taken.set(key, each);
  };
  for (const word of words) {
    const [address = '', name] = word.split('=', 2);
    const place = await placeAt(address, life);
    take({ ...place, name: name ?? declaredName(place) });
    if (!below) continue;
    for (const each of await recordsBelow(api, place)) take({ ...each, name: declaredName(each) });
  }
  return importFile([...taken.values()], life, imported);
}

/** What a person has to know of what was taken over, one line each. */
export function notesOf({ incomplete, unseen, leftOut }: ImportFile): readonly string[] {
  const line = ({ of, id }: Note, says: string): string => `${of.token} ${id}: ${says}`;
  return [
    ...leftOut.map((each) => line(each, `left out: ${each.says.replace(/\n\s*/g, '; ')}`)),
    ...incomplete.map((each) => line(each, `the engine takes it with a warning: ${each.says}`)),
    ...unseenLines(unseen),
  ];
}

/** One line for each record whose secrets no read shows. */
function unseenLines(unseen: readonly Note[]): readonly string[] {
  const records = new Map<string, readonly string[]>();
  for (const { of, id, says } of unseen) {
    const subject = `${of.token} ${id}`;
    records.set(subject, [...(records.get(subject) ?? []), says]);
  }
  return [...records].map(
    ([subject, names]) =>
      `${subject}: no read shows ${names.join(', ')}: where the program declares it, the next pulumi up writes it`,
  );
}
