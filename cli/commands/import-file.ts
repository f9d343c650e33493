// `pulumi-oneops import-file`: the file for `pulumi import --file`, from what the service holds at given addresses. Sends GETs only.
// It must not know how records are read, nor what an entry of the file holds.
import { closeSync, fchmodSync, openSync, writeFileSync } from 'node:fs';
import type { Api } from '../../api/client';
import { Forbidden, messageOf, Unauthenticated } from '../../api/errors';
import {
  cacheGets,
  declaredName,
  importFile,
  kindOf,
  kinds,
  lifecycle,
  masked,
  newSession,
  placeAt,
  recordsBelow,
  rememberDistinction,
  type ImportFile,
  type Kind,
  type Lifecycle,
  type Note,
  type Taken,
} from '../../provider';
import type { CodeRecord } from '../../drift';
import { parseWords, UsageError, type Command } from '../command';
import { projectHere } from '../project';
import { apiOf, problemOf, SETTINGS_HELP, SETTINGS_OPTIONS, commandSettings, selectedStack } from '../settings';
import { codeOf, type CodePlace } from './drift/sources';

const HELP = `usage: pulumi-oneops import-file ADDRESS... [options]
       pulumi-oneops import-file --declared [options]

Writes the file with which Pulumi takes records over into a stack:
  pulumi import --file FILE --generate-code=false --protect=false
Run pulumi up once after it, so that the engine stores the dependencies. Nothing is written to the service.

  ADDRESS               acme/shop, acme/shop/web/deployer; Kind:ADDRESS if the address fits several records, and for actions
                        (Deployment:acme/shop/prod). ADDRESS=NAME: its logical name; default: the one a stack file gives it
  --below               includes everything below each address: for an assembly its design and environments, for an environment
                        its cloud configurations, variables and deployment
  --declared            everything that the stack files of this folder declare, with the values that no read shows, such as secrets, from these
                        files and the configuration of the stack; no address
  --output FILE         the file to write; default: the standard output

${SETTINGS_HELP}

exit codes: 0 written, 1 wrong use or no such record, 3 written, but it lacks a record,
4 the token is missing, unknown or refused`;

const OPTIONS = {
  ...SETTINGS_OPTIONS,
  below: { type: 'boolean', default: false },
  declared: { type: 'boolean', default: false },
  output: { type: 'string' },
} as const;

/** The import-file command. */
export const importFileCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    checkWords(positionals, values);
    const found = await commandSettings(values);
    const { resolved, note } = found;
    if ('problem' in resolved) return failed(problemOf(resolved, note), resolved.lacksToken);
    const { token, organization } = resolved.settings;
    const api = apiOf(resolved.settings);
    try {
      const file = values.declared
        ? await composeDeclared(
            api,
            declaredHere({ found, organization, stack: values.stack ?? (await selectedStack()) }),
          )
        : await compose(api, positionals, values.below);
      write(file, values.output);
      return tell(file, values.output);
    } catch (error) {
      return failed(masked(messageOf(error), [token]), error instanceof Unauthenticated || error instanceof Forbidden);
    } finally {
      api.close();
    }
  },
};

/** Throws UsageError for words that do not say what to import. */
function checkWords(addresses: readonly string[], { below, declared }: { below: boolean; declared: boolean }): void {
  if (declared && (addresses.length > 0 || below))
    throw new UsageError('import-file --declared takes what the files declare: leave out addresses and --below');
  if (!declared && addresses.length === 0) throw new UsageError('import-file needs an address: acme/shop');
}

/** What the stack files of this folder declare. Throws Error for files that cannot be used, or where there are none. */
function declaredHere(place: Omit<CodePlace, 'file' | 'project' | 'state'>): readonly CodeRecord[] {
  const { code, notes } = codeOf({ ...place, file: undefined, project: projectHere(), state: undefined });
  if (code === undefined) throw new Error(['there is no stack file to import from', ...notes].join('\n'));
  return code.records;
}

/** Reads what is declared, each record once. */
function composeDeclared(api: Api, records: readonly CodeRecord[]): Promise<ImportFile> {
  const session = newSession(kinds);
  const taken = records.map(({ kind, id, logicalName, inputs }) => {
    rememberDistinction(session, kind, inputs);
    return { of: kindOf(kind.token) ?? kind, id, name: logicalName, declared: inputs };
  });
  const reading = session.reads ? cacheGets(api, session.reads) : api;
  return importFile(taken, (of) => lifecycle(of, () => Promise.resolve(reading), session, true));
}

/** Reads what the words name, each record once. */
async function compose(api: Api, words: readonly string[], below: boolean): Promise<ImportFile> {
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
  return importFile([...taken.values()], life);
}

/** Only its owner may read it: what it marks as secret stands in it in clear. */
function write({ resources }: ImportFile, output: string | undefined): void {
  const text = `${JSON.stringify({ resources }, undefined, 2)}\n`;
  if (output === undefined) {
    process.stdout.write(text);
    return;
  }
  const descriptor = openSync(output, 'w', 0o600);
  try {
    // A file that was there has a mode of its own.
    fchmodSync(descriptor, 0o600);
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** What a person has to do, one line each; the file alone goes to the standard output. */
function tell({ resources, incomplete, unseen, leftOut }: ImportFile, output: string | undefined): number {
  const line = ({ of, id }: Note, says: string): string => `${of.token} ${id}: ${says}`;
  const lines = [
    `${resources.length} ${resources.length === 1 ? 'resource' : 'resources'}${output === undefined ? '' : ` in ${output}`}`,
    ...leftOut.map((each) => line(each, `left out: ${each.says.replace(/\n\s*/g, '; ')}`)),
    ...incomplete.map((each) => line(each, `the engine takes it with a warning: ${each.says}`)),
    ...unseenLines(unseen),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
  return leftOut.length > 0 ? 3 : 0;
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

function failed(message: string, authentication: boolean): number {
  process.stderr.write(`pulumi-oneops: ${message}\n`);
  return authentication ? 4 : 1;
}
