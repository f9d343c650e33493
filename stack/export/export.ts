// A stack file from records of the service: its text, what a person has to set, and everything that
// it could not say.
import type { ReadRecords } from '../../provider/import';
import { diff, type Inputs } from '../../provider';
import { readStack, type ReadStack } from '../bind/stack';
import type { StackPlan } from '../plan';
import { plainCarrier, resolve } from '../values/resolve';
import { resourceKey } from '../values/value';
import { formatYaml } from '../yaml/format';
import { documentOf, type ExportNote } from './document';
import { argumentsToWrite, exportedRecord, withValue, type ExportedRecord } from './record';
import { isHidden, withSecretsLifted, type ExportedSecret, type LiftedSecrets } from './secrets';
import { commentKey, stackText } from './text';

export type { ExportNote } from './document';

/** A stack file that says what records say. */
export interface ExportedStack {
  readonly text: string;
  readonly secrets: readonly ExportedSecret[];
  /** Secrets that nobody locked: they came with a pack, and the file leaves them there. */
  readonly packSecrets: readonly Omit<ExportedSecret, 'name'>[];
  /** What the file does not say: records, and parts of them. */
  readonly notes: readonly ExportNote[];
  /** What `check` reports as wrong with the file: the service has it all the same. */
  readonly faults: readonly string[];
  readonly declared: number;
}

const FILE = 'oneops.yaml';

/** The shortest file that says what records say. `head`: comments at its top. */
export function exportedStack({ records: read, leftOut }: ReadRecords, head: readonly string[] = []): ExportedStack {
  const lifted = withSecretsLifted(read.map(exportedRecord));
  const { expected: records, secrets } = lifted;
  const { document, keys, notes: unwritten } = documentOf(lifted.written, secrets);
  const first = stackText(document);
  const reading = readStack([{ name: FILE, text: first }], environment);
  const faults = reading.findings
    .filter(({ severity }) => severity === 'error')
    .map(({ at, message, hint }) => `line ${at.start.line}: ${message}${hint === undefined ? '' : `: ${hint}`}`);
  const left = leftOut.map(({ of, id, says }) => ({ kind: of.token, id, says: says.replace(/\n\s*/g, '; ') }));
  const notes = [...left, ...unwritten, ...differences(lifted, reading)];
  const comments = commentsOf(notes, records, keys);
  const all = new Map([...comments, ['', [...head, ...(comments.get('') ?? [])]]]);
  const text = stackText(document, all);
  const packSecrets = records.flatMap(({ of, id, packSecrets: paths }) =>
    paths.map((path) => ({ kind: of.token, id, path })),
  );
  const declared = reading.plan?.resources.length ?? 0;
  return { text: formatYaml(text) ?? text, secrets, packSecrets, notes, faults, declared };
}

const environment = {
  readFile: () => ({ problem: 'an exported file names no other' }),
};

/** Comments at the record of each note, or at the nearest one around it in the file. */
function commentsOf(
  notes: readonly ExportNote[],
  records: readonly ExportedRecord[],
  keys: readonly (readonly string[] | undefined)[],
): ReadonlyMap<string, readonly string[]> {
  const places = new Map(records.map(({ id }, index) => [id, keys[index]]));
  const comments = new Map<string, readonly string[]>();
  for (const { kind, id, says } of notes) {
    let around = id;
    while (around !== '' && places.get(around) === undefined)
      around = around.slice(0, Math.max(0, around.lastIndexOf('/')));
    const place = commentKey(places.get(around) ?? []);
    comments.set(place, [...(comments.get(place) ?? []), `not exported: ${kind} ${id}: ${says}`]);
  }
  return comments;
}

/** What the file, read again, says of a record otherwise than the service does. */
function differences(
  { expected: records, secrets, values }: LiftedSecrets,
  { plan }: ReadStack,
): readonly ExportNote[] {
  if (plan === undefined) return [];
  const declared = argumentsOf(plan, values);
  const own = records.map(({ of, name }) => resourceKey(of.token, name));
  const wrong = records.flatMap(({ of, id, inputs, address }, index): readonly ExportNote[] => {
    const args = declared.get(own[index] ?? '');
    if (args === undefined) return [{ kind: of.token, id, says: 'the file does not declare it' }];
    const hidden = secrets.filter((secret) => isHidden(secret) && secret.kind === of.token && secret.id === id);
    const names = argumentsToWrite(of);
    const only = (values: Inputs): Inputs =>
      Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
    const expected = hidden.reduce<Inputs>(
      (soFar, { name, path }) => withValue(soFar, path, secretText(name)),
      only(inputs),
    );
    const changes = diff(of, { ...address, ...expected }, { ...address, ...only(args) });
    return changes.map(({ path }) => ({ kind: of.token, id, says: `the file cannot say its ${path.join('.')}` }));
  });
  const extra = [...declared.keys()].filter((key) => !own.some((each) => each === key));
  return [
    ...wrong,
    ...extra.map((key) => ({ kind: key.split('::')[0] ?? '', id: key, says: 'the service has no such record' })),
  ];
}

/** Stands for a secret of configuration. */
const secretText = (name: string): string => `configuration ${name}`;

function argumentsOf(plan: StackPlan, values: LiftedSecrets['values']): ReadonlyMap<string, Inputs> {
  const carrier = plainCarrier((target) =>
    target.of === 'config' ? (values.get(target.name) ?? secretText(target.name)) : undefined,
  );
  return new Map(plan.resources.map(({ key, args }) => [key, resolve(args, carrier) as Inputs]));
}
