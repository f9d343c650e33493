// drift.yaml: how severe a difference is, which differences stay, and which values are expected.
// Reviews and runs read it with this reader.
import { isMap, isSeq } from 'yaml';
import * as z from 'zod';
import { WrongInput } from '../../api/errors';
import { argumentNames, snakeCase } from '../../provider';
import { kindOf, kinds } from '../../provider/kinds';
import { didYouMean, matchesAny, patterns } from '../../provider/values';
import { readYaml } from '../yaml/read';
import { sourceFile, type Range } from '../yaml/source';
import { dataIn, placeAt, type Node } from '../yaml/tree';
import { editedYaml } from '../yaml/format';

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
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

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

export function readDriftFile({ name, text: given }: { readonly name: string; readonly text: string }): DriftFile {
  const mistakes: string[] = [];
  const { root, findings } = readYaml(sourceFile(name, given));
  const isEmpty = given.trim() === '' || (root?.form === 'scalar' && root.value === null);
  const wrong = (at: Range | undefined, message: string): void =>
    void mistakes.push(`${name}:${at?.start.line ?? 1}: ${message}`);
  for (const { severity, at, message } of findings)
    if (severity === 'error' && message !== 'the file is empty') wrong(at, message);
  if (mistakes.length > 0) throw new UnusableDriftFile(mistakes.join('\n'));
  const read = driftFile.safeParse(isEmpty || root === undefined ? {} : contentsOf(root));
  for (const { path, message, ...issue } of read.error?.issues ?? []) {
    const where = path.length === 0 ? '' : `${path.map(String).join('.')}: `;
    if (issue.code !== 'unrecognized_keys') wrong(placeAt(root, path), `${where}${message}`);
    else for (const key of issue.keys) wrong(placeAt(root, [...path, key]), `${where}${unknownKey(key, path)}`);
  }
  for (const word of Object.keys(read.data?.severities ?? {})) {
    const mistake = misspelling(word);
    if (mistake !== undefined) wrong(placeAt(root, ['severities', word]), mistake);
  }
  if (mistakes.length > 0 || read.data === undefined) throw new UnusableDriftFile(mistakes.join('\n'));
  const { severities, ignore, expected } = read.data;
  return {
    name,
    severities: Object.entries(severities).map(([word, severity]) => ({ pattern: word, severity })),
    ignore: ignore.map((entry, index) => ({ ...entry, at: placeAt(root, ['ignore', index]) as Range })),
    expected: expected.map((each) => ({ ...each, value: each.value ?? null })),
  };
}

/** The file as plain data. A key without a value is left out: `ignore:` alone is an empty list. */
const contentsOf = (root: Node): unknown =>
  root.form === 'map'
    ? Object.fromEntries(
        root.entries.flatMap(({ key, value }) => {
          const plain = dataIn(value);
          return plain === null ? [] : [[key, plain]];
        }),
      )
    : dataIn(root);

function unknownKey(key: string, path: readonly PropertyKey[]): string {
  const shapes: { readonly [list: string]: readonly string[] } = {
    ignore: Object.keys(ignored.shape),
    expected: Object.keys(expectedValue.shape),
  };
  return unknownWord('key', key, shapes[String(path[0] ?? '')] ?? Object.keys(driftFile.shape));
}

/** What is wrong with `Kind.attribute` or a classification; undefined when something fits. */
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

/** Whether an entry is about a stack; every entry is where the stack has no name. */
export const isAboutStack = ({ stacks }: IgnoreEntry, stack: string | undefined): boolean =>
  stacks === undefined || (stack !== undefined && matchesAny(stacks, stack.split('/').at(-1) ?? ''));

/** Whether the last day of an entry has passed. */
export const hasExpired = ({ until }: Pick<IgnoreEntry, 'until'>, day: string): boolean =>
  until !== undefined && until < day;

/** An attribute that a stack leaves as it is: patterns, the attribute's in either spelling. */
export type IgnoredAttribute = IgnoreEntry & {
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
  file: { readonly name: string; readonly text: string },
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
export const withIgnored = (
  file: { readonly name: string; readonly text: string },
  entries: readonly Omit<IgnoreEntry, 'at'>[],
): string => withItems(file, 'ignore', entries);

/** The text with values in `expected`, which replace earlier ones. Throws UnusableDriftFile. */
export const withExpected = (
  file: { readonly name: string; readonly text: string },
  values: readonly ExpectedValue[],
): string =>
  withItems(file, 'expected', values, (old, added) => {
    const [before, now] = [old, added] as readonly Partial<ExpectedValue>[];
    return (['record', 'kind', 'attribute'] as const).every((name) => before?.[name] === now?.[name]);
  });

export const driftFileSchema = (): object => ({
  ...z.toJSONSchema(driftFile, { target: 'draft-7', io: 'input' }),
  title: DRIFT_FILE,
});
