// A program in PCL as a stack file: its text, and everything that it could not say.
// It must not know who asks, nor where files lie.
import { classMetadata, templateClass } from '../../api/contract';
import { isPlainObject } from '../../provider';
import { readStack } from '../bind/bind-stack';
import { documentOf } from '../export/document';
import { secretsOf, type ExportedSecret } from '../export/secrets';
import { inWords } from '../export/words';
import { formatYaml } from '../reader/format-yaml';
import { rangesOf, sourceFile, type Range } from '../reader/source';
import { commentKey, stackText, type FileContents } from '../write/stack-text';
import { trying } from './attempt';
import { configIn } from './config';
import { declaredIn, type DeclaredProgram } from './program';
import { readPcl } from './read-pcl';
import { pclRecords, type PclRecord } from './records';
import type { PclFault } from './tree';
import { hasSecret, cannotSay, fileValue, type PclNames } from './values';

/** What a person has to know of a file that was made: at a place of the program. */
export interface PclNote extends Omit<PclFault, 'start' | 'end'> {
  readonly at: Range;
}

/** A stack file that says what a program says. */
interface PclStack {
  readonly text: string;
  readonly notes: readonly PclNote[];
}

/** Reads the files of one program. Never throws on a text. */
export function stackOf(files: readonly { readonly name: string; readonly text: string }[]): PclStack {
  // Files of one program share their names: offsets go on from one to the next.
  const sources = files.map(({ name, text }) => sourceFile(name, text));
  const text = sources.map((source) => `${source.text}\n`).join('');
  const starts = sources.map((_, index) =>
    sources.slice(0, index).reduce((sum, source) => sum + source.text.length + 1, 0),
  );
  const made = fileOf(text);
  const placed = ({ start, end, ...fault }: PclFault): PclNote => {
    const index = Math.max(0, starts.filter((each) => each <= start).length - 1);
    const from = starts[index] ?? 0;
    const source = sources[index] ?? { name: '', text: '' };
    return { ...fault, at: rangesOf(source)(start - from, end - from) };
  };
  return { text: made.text, notes: made.faults.map(placed) };
}

function fileOf(source: string): { readonly text: string; readonly faults: readonly PclFault[] } {
  const reading = readPcl(source);
  const { program, faults: unplaced } = declaredIn(reading.statements);
  const { records: all, names, hidden, faults: unsaid } = pclRecords(program);
  const faults = [...reading.faults, ...unplaced, ...unsaid];
  const records = ofOneAssembly(all, faults);
  const outputs = outputsIn(program, names, faults);
  const config = configIn(program, hidden, faults);
  const secrets = secretsOf(
    records.map(({ record }) => record),
    Object.keys(config),
  );
  const { document, keys, notes } = documentOf(
    records.map(({ record }) => record),
    secrets,
  );
  notes.forEach(({ id, kind, says }) => {
    const found = records.find(({ record }) => record.id === id && record.of.token === kind);
    const {
      start = 0,
      end = 0,
      label = id,
    } = found?.resource.block ? { ...found.resource.block, ...found.resource } : {};
    faults.push({ severity: 'error', start, end, summary: `${label}: ${says}` });
  });
  const declared = isPlainObject(document['config']) ? document['config'] : {};
  const whole: FileContents = {
    ...document,
    ...(Object.keys({ ...config, ...declared }).length === 0 ? {} : { config: { ...config, ...declared } }),
    ...(Object.keys(outputs).length === 0 ? {} : { outputs }),
  };
  faults.push(...secretNotes(secrets, records), ...missingParents(records), ...wrongIn(whole));
  const text = stackText(whole, commentsOf(faults, records, keys));
  return { text: formatYaml(text) ?? text, faults };
}

/** The records of the first assembly, and those of the organization. */
function ofOneAssembly(records: readonly PclRecord[], faults: PclFault[]): readonly PclRecord[] {
  const assemblyOf = ({ record }: PclRecord): string | undefined =>
    record.address['assembly'] ?? (record.of.holds === 'design' ? record.address['name'] : undefined);
  const first = records.map(assemblyOf).find((name) => name !== undefined);
  return records.filter((each) => {
    const own = assemblyOf(each);
    if (own === undefined || own === first) return true;
    const { start, end } = each.resource.block;
    const summary = `${each.resource.label} belongs to the assembly ${own}: a stack file declares one assembly, here ${first}`;
    faults.push({ severity: 'error', start, end, summary });
    return false;
  });
}

function outputsIn({ outputs }: DeclaredProgram, names: PclNames, faults: PclFault[]): FileContents {
  const said = outputs.flatMap(({ name, value }): (readonly [string, unknown])[] => {
    const own = trying(faults, () => {
      const each = fileValue(names, value);
      return hasSecret(each) ? cannotSay(value, `the output ${name} is a secret in the program's text`) : { each };
    });
    return own === undefined ? [] : [[name, inWords({ type: 'open' }, own.each)]];
  });
  return Object.fromEntries(said);
}

/** Secrets are not in the file: a person sets them. */
const secretNotes = (secrets: readonly ExportedSecret[], records: readonly PclRecord[]): readonly PclFault[] =>
  secrets.map(({ name, kind, id }) => {
    const found = records.find(({ record }) => record.id === id && record.of.token === kind);
    const { start = 0, end = 0 } = found?.resource.block ?? {};
    const detail = 'set it to the value that the record has, which is a secret in the state or in the old program';
    return { severity: 'warning', start, end, summary: `run: pulumi config set --secret ${name}`, detail };
  });

/** Records of which the file has to say what they are in under another key than their address has. */
const missingParents = (records: readonly PclRecord[]): readonly PclFault[] =>
  records.flatMap(({ record: { of, address }, resource }) => {
    const name = of.within?.distinguishedBy === undefined ? undefined : address['component'];
    const isThere = records.some(
      ({ record }) => record.of.token === of.within?.token && record.address['name'] === name,
    );
    if (name === undefined || isThere) return [];
    const summary = `${resource.label}: if the template of ${name} has another name, write it below TEMPLATE: { ${name}: … }`;
    return [{ severity: 'warning' as const, start: resource.block.start, end: resource.block.end, summary }];
  });

/** What `check` reports as wrong with a complete file. One without an assembly is a part of a file. */
function wrongIn(document: FileContents): readonly PclFault[] {
  const at = { start: 0, end: 0 };
  if (document['assembly'] === undefined) {
    const summary = 'this is a part of a stack file: add it to the file that declares the assembly';
    return [{ severity: 'warning', ...at, summary }];
  }
  const { findings } = readStack([{ name: 'oneops.yaml', text: stackText(document) }], {
    classMetadata,
    templateClass,
    readFile: () => ({ text: '' }),
  });
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ path, message, hint }) => ({
      ...{ severity: 'error' as const, ...at, summary: `oneops.yaml: ${path.join('.')}: ${message}` },
      ...(hint === undefined ? {} : { detail: hint }),
    }));
}

/** Comments at the records that the faults are about, because `pulumi import` shows no diagnostics. */
function commentsOf(
  faults: readonly PclFault[],
  records: readonly PclRecord[],
  keys: readonly (readonly string[] | undefined)[],
): ReadonlyMap<string, readonly string[]> {
  const comments = new Map<string, readonly string[]>();
  for (const { start, severity, summary, detail } of faults) {
    const index = records.findIndex(({ resource: { block } }) => block.start <= start && start < block.end);
    const place = commentKey(keys[index] ?? []);
    const says = [summary, detail].filter((part) => part !== undefined).join(': ');
    const all = comments.get(place) ?? [];
    const own = severity === 'error' ? `not converted: ${says}` : says;
    if (!all.includes(own)) comments.set(place, [...all, own]);
  }
  return comments;
}
