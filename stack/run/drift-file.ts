// drift.yaml: how severe a difference is, which differences stay, and which values are expected, in
// reviews and in runs.
import { isMap, isSeq } from 'yaml';
import * as z from 'zod';
import { WrongInput } from '../../api/errors';
import { argumentNames, camelCase, fieldOf, recordBy, snakeCase, type Inputs } from '../../provider';
import { kindOf, kinds } from '../../provider/kinds';
import {
  coversPath,
  didYouMean,
  formatPropertyPath,
  isPlainObject,
  matchesAny,
  parsePropertyPath,
  patterns,
  type PropertyPath,
} from '../../provider/values';
import type { KeptAttribute, ResourceDeclaration, StackPlan } from '../plan';
import { knownCarrier, resolve, type Carrier } from '../values/resolve';
import { checkedData, checkedFile } from '../yaml/checked';
import { editedYaml } from '../yaml/format';
import type { Range, SourceFile } from '../yaml/source';
import { dataIn, entriesIn, isNull, placeAt, type Node } from '../yaml/tree';

export const DRIFT_FILE = 'drift.yaml';

/** Most severe first. */
export const SEVERITIES = ['high', 'medium', 'low'] as const;

/**
 * What a difference is, seen from the file (code), the state (applied) and the service (live):
 *
 * - `changed`: another user changed the live value after it was applied
 * - `changed-by-own-user`: the same, by the user of this run: another run, or someone with the
 *   pipeline's token
 * - `conflict`: code and live both changed, to different values
 * - `deleted`: the record was deleted from the service, or its deletion waits for a commit
 * - `undeclared`: a record that nobody declares: drift inside a record that this stack created,
 *   elsewhere a candidate for import
 * - `unexpected`: what came with something else, such as an environment's copy of the design,
 *   contains a value that nobody declares
 * - `undeployed`: written, but not what runs: a deployment failed or waits, or nothing runs of a
 *   platform
 * - `touched`: written since our last write and our last commit, but nothing we declare differs
 * - `pending`: the code changed and was not applied yet: no drift
 * - `healed`: live is what the code wants, though it is not what was applied
 * - `normalised`: live differs though nobody wrote since we did: the service spells the value
 *   differently, a defect of ours
 */
export const CLASSIFICATIONS = [
  'changed',
  'changed-by-own-user',
  'conflict',
  'deleted',
  'unexpected',
  'undeployed',
  'undeclared',
  'touched',
  'pending',
  'healed',
  'normalised',
] as const;

/** Whether a text is a day that exists: `2027-01-31`. */
export const isDay = (text: string): boolean => z.iso.date().safeParse(text).success;

/** The day of a moment; without one, today. */
export const dayOf = (moment: number | Date = Date.now()): string => new Date(moment).toISOString().slice(0, 10);

const KINDS = kinds.map(({ token }) => token);
const text = (description: string) => z.string().min(1).describe(description);
const pattern = (description: string) => text(`${description}; * stands for any text`);

/** Why an exception is made, by whom, and until when, in drift.yaml and in a policy. */
export const exceptionMembers = {
  reason: text('Why'),
  owner: text('Who is responsible'),
  until: z
    .string()
    .refine(isDay, 'must be a day like 2027-01-31')
    .describe('Last day on which it holds, like 2027-01-31; after it, reviews fail')
    .optional(),
};

const ignored = z
  .strictObject({
    record: pattern('Id of the record below its organization, like shop/web/tomcat').optional(),
    kind: pattern('Kind of the record, like Component').optional(),
    attribute: pattern('Attribute, like attributes.max_threads').optional(),
    classification: z.enum(CLASSIFICATIONS).describe('Classification of the finding').optional(),
    stacks: patterns('Names of the stacks for which it holds; default: all').optional(),
    ...exceptionMembers,
  })
  .refine(
    ({ record, kind, attribute, classification }) => [record, kind, attribute, classification].some(Boolean),
    'needs record, kind, attribute or classification',
  );

const expectedValue = z.strictObject({
  record: text('Id of the record below its organization'),
  kind: text('Kind of the record'),
  attribute: text('Attribute, as the review names it'),
  value: z.unknown().describe('The value that is expected; null for none'),
});

const driftFile = z.strictObject({
  severities: z
    .record(z.string(), z.enum(SEVERITIES, { error: `a severity is one of ${SEVERITIES.join(', ')}` }))
    .describe('Severities by Kind.attribute or classification; the last one that fits counts')
    .default({}),
  ignore: z.array(ignored).describe('Differences that stay, with reason and owner').default([]),
  expected: z
    .array(expectedValue)
    .describe('Values of environments that nobody declares, and reviews expect')
    .default([]),
});

/** `Component.attributes.max_threads`, `*.description`, `deleted`; `*` stands for any text. */
export interface SeverityRule {
  readonly pattern: string;
  readonly severity: (typeof SEVERITIES)[number];
}

/** A difference that stays. What is absent fits anything. */
export type IgnoreEntry = Readonly<z.output<typeof ignored>> & { readonly at: Range };

/** A value that nobody declares, and reviews expect; null for none. */
export type ExpectedValue = Readonly<z.output<typeof expectedValue>>;

export interface DriftFile {
  readonly name: string;
  readonly severities: readonly SeverityRule[];
  readonly ignore: readonly IgnoreEntry[];
  readonly expected: readonly ExpectedValue[];
}

/** A drift.yaml that cannot be used; the message has one line for each mistake, with its place. */
export class UnusableDriftFile extends WrongInput {}

export function readDriftFile({ name, text: given }: SourceFile): DriftFile {
  const { root, mistakes, wrong } = checkedFile(name, given, true);
  const read = mistakes.length > 0 ? undefined : checkedData(driftFile, contentsOf(root), wrong);
  for (const word of Object.keys(read?.severities ?? {})) {
    const mistake = misspelling(word);
    if (mistake !== undefined) wrong(['severities', word], mistake);
  }
  if (mistakes.length > 0 || read === undefined) throw new UnusableDriftFile(mistakes.join('\n'));
  const { severities, ignore, expected } = read;
  return {
    name,
    severities: Object.entries(severities).map(([word, severity]) => ({ pattern: word, severity })),
    ignore: ignore.map((entry, index) => ({ ...entry, at: placeAt(root, ['ignore', index]) as Range })),
    expected: expected.map((each) => ({ ...each, value: each.value ?? null })),
  };
}

/** The file as plain data. A key without a value is left out: `ignore:` alone is an empty list. */
function contentsOf(root: Node | undefined): unknown {
  if (root !== undefined && root.form !== 'map') return dataIn(root);
  return Object.fromEntries(entriesIn(root).flatMap(({ key, value }) => (isNull(value) ? [] : [[key, dataIn(value)]])));
}

/** The mistake in `Kind.attribute` or a classification; undefined when something fits. */
function misspelling(word: string): string | undefined {
  const [first = '', second] = word.split('.');
  if (first.includes('*') || (CLASSIFICATIONS as readonly string[]).includes(word)) return undefined;
  if (!KINDS.includes(first)) {
    const known = second === undefined ? [...KINDS, ...CLASSIFICATIONS] : KINDS;
    return unknownWord(second === undefined ? 'kind or classification' : 'kind', first, known);
  }
  if (second === undefined || second.includes('*')) return undefined;
  const of = kindOf(first);
  const known = (of === undefined ? [] : argumentNames(of)).flatMap(attributeSpellings);
  return known.includes(second) ? undefined : unknownWord(`attribute of ${first}`, second, known);
}

function unknownWord(what: string, word: string, known: readonly string[]): string {
  return `there is no ${what} "${word}"; ${didYouMean(word, known)}`;
}

/** An attribute as programs and as files spell it. Keys of a map stay as they are. */
export function attributeSpellings(attribute: string): readonly string[] {
  const [argument = '', ...keys] = attribute.split('.');
  return [...new Set([attribute, [snakeCase(argument), ...keys].join('.')])];
}

/** A difference that an entry may fit. */
interface Difference {
  readonly kind: string;
  /** Id of the record below its organization. */
  readonly record: string;
  readonly attribute?: string | undefined;
  readonly classification: string;
}

/** Whether an entry fits a difference, whatever its day. */
export function fitsEntry(entry: IgnoreEntry, { kind, record, attribute = '', classification }: Difference): boolean {
  const fits = (wanted: string | undefined, texts: readonly string[]): boolean =>
    wanted === undefined || texts.some((each) => matchesAny([wanted], each));
  return (
    fits(entry.kind, [kind]) &&
    fits(entry.record, [record]) &&
    fits(entry.attribute, attributeSpellings(attribute)) &&
    (entry.classification === undefined || entry.classification === classification)
  );
}

/** Whether an entry names one record and attribute: only that hides severe findings. */
export const namesOne = ({ record = '*', attribute = '*', classification }: IgnoreEntry): boolean =>
  !record.includes('*') && (!attribute.includes('*') || classification !== undefined);

/** Whether an entry is about a stack; of a stack without a name, whether it is about every one. */
export const isAboutStack = ({ stacks }: Pick<IgnoreEntry, 'stacks'>, stack: string | undefined): boolean =>
  stacks === undefined || (stack !== undefined && matchesAny(stacks, stack.split('/').at(-1) ?? ''));

/** Whether the last day of an entry has passed. */
export const hasExpired = ({ until }: Pick<IgnoreEntry, 'until'>, day: string): boolean =>
  until !== undefined && until < day;

/** An attribute that a stack leaves as it is: patterns, the attribute's in either spelling. */
type IgnoredAttribute = IgnoreEntry & {
  readonly record: string;
  readonly kind: string;
  readonly attribute: string;
};

/** Attributes that a stack leaves on a day (`2027-01-31`), without complete records. */
export function ignoredAttributes(
  file: DriftFile,
  { stack, day }: { readonly stack: string | undefined; readonly day: string },
): readonly IgnoredAttribute[] {
  return file.ignore
    .filter((entry) => isAboutStack(entry, stack) && !hasExpired(entry, day))
    .flatMap(({ record = '*', kind = '*', attribute, ...entry }) =>
      attribute === undefined ? [] : [{ ...entry, record, kind, attribute }],
    );
}

const HEAD = `# ${DRIFT_FILE}: severities, differences that stay, and expected values.\n`;

/**
 * The text with items added to one of its lists. Comments, order and quotes stay. Throws
 * UnusableDriftFile for a text that cannot be read. `replaces`: whether an item of the list gives
 * way to an added one.
 */
function withItems(
  file: SourceFile,
  key: 'ignore' | 'expected',
  items: readonly object[],
  replaces: (old: unknown, added: object) => boolean = () => false,
): string {
  readDriftFile(file);
  return editedYaml(file.text.replace('\uFEFF', '').trim() === '' ? HEAD : file.text, (document) => {
    if (!isMap(document.contents)) document.contents = document.createNode({});
    if (!isSeq(document.get(key))) document.set(key, document.createNode([]));
    const list = document.get(key);
    if (!isSeq(list)) return;
    if (list.items.length === 0) list.flow = false;
    const before = list.toJSON() as readonly unknown[];
    list.items = list.items.filter((_, index) => !items.some((added) => replaces(before[index], added)));
    for (const item of items) list.add(document.createNode(item));
  });
}

/** The text with entries added to `ignore`. Throws UnusableDriftFile. */
export const withIgnored = (file: SourceFile, entries: readonly Omit<IgnoreEntry, 'at'>[]): string =>
  withItems(file, 'ignore', entries);

/** The text with values in `expected`, which replace earlier ones. Throws UnusableDriftFile. */
export const withExpected = (file: SourceFile, values: readonly ExpectedValue[]): string =>
  withItems(file, 'expected', values, (old, added) => {
    const [before, now] = [old, added] as readonly Partial<ExpectedValue>[];
    return (['record', 'kind', 'attribute'] as const).every((name) => before?.[name] === now?.[name]);
  });

export const driftFileSchema = (): object => ({
  ...z.toJSONSchema(driftFile, { target: 'draft-7', io: 'input' }),
  title: DRIFT_FILE,
});

// What the entries ignore is left as it is by a run, as `ignoreChanges` of the resource would leave it.

/**
 * The plan with `ignoreChanges` for fitting entries of the file, where names are known; and a
 * warning for each entry that has ended on a day: `2027-01-31`.
 */
export function withRules(
  { plan, config }: { readonly plan: StackPlan; readonly config: Inputs },
  file: DriftFile,
  { stack, project, day }: { readonly stack: string; readonly project: string; readonly day: string },
): { readonly plan: StackPlan; readonly warnings: readonly string[] } {
  const ended = file.ignore.filter((entry) => hasExpired(entry, day));
  const current = ignoredAttributes(file, { stack, day });
  const over = ignoredAttributes({ ...file, ignore: ended }, { stack, day: '' });
  if (current.length + over.length === 0) return { plan, warnings: [] };
  const carrier = knownCarrier(plan, { config, pulumi: { stack, project } });
  const warnings: string[] = [];
  const resources = plan.resources.map((declaration) => {
    const record = recordOf(declaration, carrier);
    if (record === undefined) return declaration;
    const kept = keptOf(record, current);
    const free = keptOf(record, over).filter(({ path }) => kept.every((other) => other.path !== path));
    warnings.push(...free.map((each) => endedText(record, each)));
    if (kept.length === 0) return declaration;
    const paths = [...(declaration.options.ignoreChanges ?? []), ...kept.map(({ path }) => path)];
    return { ...declaration, kept, options: { ...declaration.options, ignoreChanges: [...new Set(paths)] } };
  });
  return { plan: { ...plan, resources }, warnings };
}

const endedText = ({ of, record }: KnownRecord, { path, rule }: KeptAttribute): string =>
  `${path} of ${of.token} ${record} is no longer ignored: ${rule}. A run writes it as the file declares; a plan that was saved before the rule ended is refused, make another one`;

interface KnownRecord {
  /** Id below its organization. */
  readonly record: string;
  readonly of: ResourceDeclaration['kind'];
  readonly inputs: Inputs;
}

function recordOf({ kind, args }: ResourceDeclaration, carrier: Carrier<unknown>): KnownRecord | undefined {
  const inputs = resolve(args, carrier) as Inputs;
  const found = recordBy(kind, '', inputs);
  return found && { record: found.id.slice(1), of: found.kind, inputs };
}

function keptOf(record: KnownRecord, entries: readonly IgnoredAttribute[]): readonly KeptAttribute[] {
  const found = new Map<string, KeptAttribute>();
  for (const entry of entries) {
    if (!matchesAny([entry.kind], record.of.token) || !matchesAny([entry.record], record.record)) continue;
    for (const steps of pathsOf(record, entry.attribute)) {
      const path = formatPropertyPath(steps);
      if (!found.has(path))
        found.set(path, { path, rule: ruleText(entry), ...(entry.until === undefined ? {} : { until: entry.until }) });
    }
  }
  return [...found.values()];
}

/** `drift.yaml:4, by ann@acme.io, until 2027-01-31: load test`. */
const ruleText = ({ at, owner, reason, until }: IgnoredAttribute): string =>
  `${at.file}:${at.start.line}, by ${owner}${until === undefined ? '' : `, until ${until}`}: ${reason}`;

/** The outermost declared attributes that a pattern fits; else the attribute it names. */
function pathsOf({ of, inputs }: KnownRecord, wanted: string): readonly PropertyPath[] {
  const own = Object.entries(inputs).filter(([name]) => (fieldOf(of, name)?.channel ?? 'control') !== 'control');
  const declared = own.flatMap(([name, value]) => pathsIn([name], value, fieldOf(of, name)?.shape.type === 'open'));
  const fits = (path: PropertyPath): boolean =>
    [path.join('.'), formatPropertyPath(path)].flatMap(attributeSpellings).some((each) => matchesAny([wanted], each));
  const fitting = declared.filter(fits);
  if (fitting.length > 0)
    return fitting.filter((path) => fitting.every((other) => other === path || !coversPath(other, path)));
  const [first, ...below] = wanted.includes('*') ? [] : (parsePropertyPath(wanted) ?? []);
  const path = [camelCase(String(first ?? '')), ...below];
  if ((fieldOf(of, String(path[0]))?.channel ?? 'control') === 'control') return [];
  // The engine refuses a path below what is not there.
  const holder = path.slice(0, -1).reduce<unknown>((value, key) => isPlainObject(value) && value[key], inputs);
  return isPlainObject(holder) ? [path] : [];
}

/** The paths of a value, and of values in its maps; a map spread over a record has none. */
const pathsIn = (path: PropertyPath, value: unknown, isSpread = false): readonly PropertyPath[] => [
  ...(isSpread ? [] : [path]),
  ...(isPlainObject(value) ? Object.entries(value).flatMap(([key, item]) => pathsIn([...path, key], item)) : []),
];
