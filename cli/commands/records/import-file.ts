// `pulumi-oneops import-file`: the file for `pulumi import --file`. Sends GETs only.
import { closeSync, fchmodSync, openSync, writeFileSync } from 'node:fs';
import { commandOf, knownWord, type ValuesOf } from '../../command';
import { TAKE_OVER_OPTIONS, text } from '../../options';
import type { Api } from '../../../api/client';
import { plural, WrongInput } from '../../../api/errors';
import {
  importFile,
  placeAt,
  recordsBelow,
  type ImportedFor,
  type ImportFile,
  type Note,
  type Taken,
} from '../../../provider/import';
import { declaredName, type Kind } from '../../../provider';
import { kindOf, kinds } from '../../../provider/kinds';
import { lifecycle, type Lifecycle } from '../../../provider/lifecycle';
import { remembering, newSession, rememberDistinction } from '../../../provider/session';
import type { CodeRecord } from '../../../drift';
import { codeOf, type CodePlace } from '../drift/sources';
import { EXIT, UsageError } from '../../exit';
import { faceHere, projectHere } from '../../here/project';
import { commandSettings, selectedStack, usable, withService } from '../../here/settings';

export const command = commandOf({
  usage: ['import-file ADDRESS... [options]', 'import-file --declared [options]'],
  about: `Writes the file with which Pulumi takes records over into a stack:
  pulumi import --file FILE --generate-code=false --protect=false
Run pulumi up once after it, so that the engine stores the dependencies. Nothing is written to the service.`,
  arguments: {
    ADDRESS: `acme/shop, acme/shop/web/deployer; Kind:ADDRESS if the address fits several records, and for
      actions (Deployment:acme/shop/prod). ADDRESS=NAME: its logical name; default: the one a stack file gives
      it`,
  },
  options: {
    output: text('FILE', 'the file to write; default, and "-": the standard output'),
    ...TAKE_OVER_OPTIONS,
  },
  exits: {
    done: 'written',
    failed: 'could not be done: no such record',
    inPart: 'written, but it lacks a record',
  },
  async run({ values, positionals }) {
    const file = await importList(positionals, values);
    const output = values.output === '-' ? undefined : values.output;
    write(file, output);
    const where = output === undefined ? '' : ` in ${output}`;
    const count = `${plural(file.resources.length, 'resource')}${where}`;
    process.stderr.write(`${[count, ...notesOf(file)].join('\n')}\n`);
    return file.leftOut.length > 0 ? EXIT.inPart : EXIT.done;
  },
});

/** Only its owner may read it: what it marks as secret is in it in clear. */
function write({ resources }: ImportFile, output: string | undefined): void {
  const text = `${JSON.stringify({ resources }, undefined, 2)}\n`;
  if (output === undefined) return void process.stdout.write(text);
  const descriptor = openSync(output, 'w', 0o600);
  try {
    // A file that existed has its own mode.
    fchmodSync(descriptor, 0o600);
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

type TakeOverOptions = ValuesOf<typeof TAKE_OVER_OPTIONS>;

/** Reads what addresses mean. Throws UsageError, Unauthorized, or Error without a secret. */
export async function importList(addresses: readonly string[], options: TakeOverOptions): Promise<ImportFile> {
  const { below, declared } = options;
  if (declared && (addresses.length > 0 || below))
    throw new UsageError('--declared takes what the files declare: leave out addresses and --below');
  if (!declared && addresses.length === 0) throw new UsageError('an import needs an address: acme/shop');
  const found = await commandSettings(options);
  const settings = usable(found);
  const imported = knownWord('--resources', ['dynamic', 'plugin'], options.resources ?? faceHere(found.configuration));
  return withService(settings, async (api) => {
    if (!declared) return compose(api, addresses, { below, imported });
    const stack = options.stack ?? (await selectedStack());
    return composeDeclared(api, declaredHere({ found, organization: settings.organization, stack }), imported);
  });
}

function declaredHere(place: Omit<CodePlace, 'file' | 'project' | 'state'>): readonly CodeRecord[] {
  const { code, notes } = codeOf({ ...place, file: undefined, project: projectHere(), state: undefined });
  if (code === undefined) throw new WrongInput(['there is no stack file to import from', ...notes].join('\n'));
  return code;
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
    const place = await placeAt(address, api.organization, life);
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
const unseenLines = (unseen: readonly Note[]): readonly string[] =>
  [...Map.groupBy(unseen, ({ of, id }) => `${of.token} ${id}`)].map(
    ([subject, notes]) =>
      `${subject}: no read shows ${notes.map(({ says }) => says).join(', ')}: where the program declares it, the next pulumi up writes it`,
  );
