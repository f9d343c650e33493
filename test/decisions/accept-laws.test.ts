// What accepting promises of any file, in any layout: it says the live value afterwards, otherwise what it said before, and its comments stay. RUNS and SEED in the environment say how many stacks, and which.
import fc from 'fast-check';
import { Lexer } from 'yaml';
import { classMetadata, templateClass } from '../../api/contract';
import { acceptFindings, type Code, type CodeRecord, type DriftFinding, type Shown } from '../../drift';
import { fieldOf, type Inputs } from '../../provider';
import { sameValue } from '../../provider/values';
import { sampleFinding } from '../sample-review';
import { codeOf } from '../world/drift-world';
import { randomStack } from '../world/random-stacks';
import type { StackSpec } from '../world/stack-spec';
import { choosing, documentOf, yamlText } from '../world/stack-yaml';
import { tamperings } from '../world/tampering';

const RUNS = Number(process.env['RUNS'] ?? 20);
const SEED = Number(process.env['SEED'] ?? 20_261_121);

const world = {
  environment: { classMetadata, templateClass, readFile: () => ({ problem: 'there is no such file' }) },
  organization: 'acme',
};

/** Changes of one stack that are accepted, one after the other. */
const AT_MOST = 6;

/** Why a file cannot contain a value that somebody wrote on the service. */
const NOT_HELD: readonly RegExp[] = [
  // What is written by hand.
  /^it is in one text with the pack/,
  /^comments of its parts would get lost/,
  /^the file says it in short/,
  /^the file would no longer be valid: \S+ "\w+" must be /,
  /^the file would no longer be valid: \S+ there is no platform "tampered"/,
  // Clouds that left, which the file configures further down.
  /^the file would no longer be valid: \S+ the environment "\w+" has no cloud /,
  /^the file would no longer be valid: \S+ no cloud is active with priority 1/,
  /^the file would no longer be valid: \S+ "\w+" (is required|cannot be empty)/,
];

const choices = fc.array(fc.nat(59), { minLength: 60, maxLength: 60 });

/** Texts as somebody may have written them on the service. */
const texts = fc.array(
  fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      'true',
      '12',
      '~',
      'a: b',
      '# no',
      '- x',
      '"',
      "it's",
      '${x}',
      '$${x}',
      'a\nb',
      'a\n\n b\n',
      '\n',
      'ä🙂',
      '{a',
    ),
    fc.string({ maxLength: 12 }),
  ),
  { minLength: 20, maxLength: 20 },
);

/** Another value for one attribute of what a file declares; undefined: it is no longer set. */
interface Change {
  readonly of: CodeRecord;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Some changes of all that there could be. */
function changesOf({ records }: Code, numbers: readonly number[], words: readonly string[]): readonly Change[] {
  const choose = choosing(numbers);
  return records
    .filter(({ kind }) => !['DesignRelease', 'Deployment'].includes(kind.token))
    .flatMap((of) =>
      tamperings(of.kind, of.inputs)
        .filter(() => choose(4) === 0)
        .map(({ path, value }): Change => {
          const isFree =
            typeof value === 'string' &&
            (path[0] === 'content' || path[0] === 'attributes' || path[0] === 'description');
          const way = choose(5);
          if (isFree && way > 1) return { of, path, value: words[choose(words.length)] };
          // A variable is its value.
          if (way === 1 && path[0] !== 'name' && of.kind.token !== 'Variable') return { of, path, value: undefined };
          return { of, path, value };
        }),
    );
}

const shown = (value: unknown): Shown => (value === undefined ? { is: 'absent' } : { is: 'value', value });

const findingOf = ({ of, path, value }: Change, code: Code): DriftFinding =>
  sampleFinding({
    kind: of.kind.token,
    address: of.id,
    logicalName: of.logicalName,
    attribute: path.join('.'),
    code: shown(at(said(code).get(`${of.kind.token} ${of.id}`), path)),
    live: shown(value),
  });

/** What a file says, by record; the place of a value is not part of it. */
const said = ({ records }: Code): ReadonlyMap<string, Inputs> =>
  new Map(records.map(({ kind, id, inputs }) => [`${kind.token} ${id}`, inputs]));

const without = (inputs: Inputs, [name = '', entry]: readonly string[]): Inputs => {
  const { [name]: inner, ...others } = inputs;
  return entry === undefined ? others : { ...others, [name]: without((inner ?? {}) as Inputs, [entry]) };
};

const at = (inputs: Inputs | undefined, path: readonly string[]): unknown =>
  path.reduce<unknown>((soFar, step) => (soFar as Inputs | undefined)?.[step], inputs);

/** The reading after a change against the one before. */
function expectOnly({ of, path, value }: Change, before: Code, after: Code): void {
  const key = `${of.kind.token} ${of.id}`;
  const [old, now] = [said(before), said(after)];
  expect([...now.keys()].sort()).toEqual([...old.keys()].sort());
  for (const [name, inputs] of old) {
    // A deployment's clouds follow from its environment's.
    if (path[0] === 'clouds' && name.startsWith('Deployment ')) continue;
    const own = name === key ? path : undefined;
    const next = now.get(name) ?? {};
    expect([name, own ? without(next, own) : next]).toEqual([name, own ? without(inputs, own) : inputs]);
  }
  const shape = path.length > 1 ? ({ type: 'open' } as const) : fieldOf(of.kind, path[0] ?? '')?.shape;
  expect(shape && sameValue(shape, at(now.get(key), path), value)).toBe(true);
}

/** Comments that stand in lines of their own, and behind values: as many of each as before, or more. */
const commentsOf = (text: string): readonly string[] =>
  [...new Lexer().lex(text)].filter((token) => token.startsWith('#')).map((token) => token.trim());

test(
  'a file says what was accepted, and the rest as before, with its comments',
  () => {
    let accepted = 0;
    const law = (spec: StackSpec, numbers: readonly number[], words: readonly string[]): void => {
      let text = yamlText(documentOf(spec), choosing(numbers));
      let code = codeOf(text);
      for (const change of changesOf(code, numbers, words).slice(0, AT_MOST)) {
        const result = acceptFindings([findingOf(change, code)], [{ name: 'oneops.yaml', text }], world);
        const after = result.files[0]?.text ?? '';
        const reasons = result.refused.map(({ reason }) => reason);
        expect(reasons.filter((reason) => !NOT_HELD.some((known) => known.test(reason)))).toEqual([]);
        if (result.accepted.length === 0) expect(after).toBe(text);
        if (result.accepted.length === 0) continue;
        accepted += 1;
        const read = codeOf(after);
        expectOnly(change, code, read);
        if (change.value !== undefined)
          expect(commentsOf(after)).toEqual(expect.arrayContaining([...commentsOf(text)]));
        [text, code] = [after, read];
      }
    };
    fc.assert(fc.property(randomStack, choices, texts, law), { numRuns: RUNS, seed: SEED, endOnFailure: true });
    process.stdout.write(`accepted changes ${accepted}, read back as accepted ${accepted}\n`);
  },
  60_000 + RUNS * 3_000,
);
