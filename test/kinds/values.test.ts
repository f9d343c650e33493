// Laws of values, for every field of every kind: whatever its shape allows comes back meaning the
// same, and what is not known yet is never judged.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Dialect } from '../../api/contract';
import { check, diff, type Field, type Inputs, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import { type Shape, UNKNOWN } from '../../provider/values';
import { dialectsInTurn } from '../dialects-in-turn';
import { kindsInTurn, TITLED } from '../world/each-dialect';
import { closedAfterEach, kindOf, ROW, titleOf } from '../world/world';
import { secretAttributes } from '../../provider/secrets';
import { keyOf, type ProgramResource } from '../world/engine';
import { programOf, SAMPLED, sampledAs } from '../world/samples';
import { tamperings } from '../world/tampering';
import { isUnsampled, isUnseen, SECRET_ENTRIES, UNSAMPLED, UNSEEN } from '../world/unseen';

const open = closedAfterEach();

/** Kinds whose fields are records' values; the others' steer flows, which have their own suites. */
const RECORDS = ['Assembly', 'Platform', 'Component', 'Attachment', 'Variable', 'Cloud'];

/** Fields whose values are no one's to choose, and why. */
const NOT_FREE: { readonly [path: string]: string } = {
  'Assembly.owner': 'an e-mail address',
  'Platform.source': 'a register that is there',
  'Platform.pack': 'a pack that is there',
  'Platform.version': 'a version of the pack',
  'Platform.majorVersion': 'the live service forces it',
  'Platform.links': 'platforms that are there',
  'Component.type': 'a template that is there',
  'Component.attributes': 'attributes of its class: a law of its own',
  'Component.depends': 'components that are there',
  'Cloud.location': 'a location that is there',
  'Variable.encryptedValue': 'a secret, in place of the value',
};

/** Text as people write it: lines, Unicode, references, and what looks like other types. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    'true',
    '7.0',
    '1e3',
    'null',
    '[]',
    '{ "a": 1 }',
    '$OO_GLOBAL{X} and $OO_LOCAL{Y}',
    'ä\n日本\n🚀\n',
    'a,b',
    '"',
  ),
  fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 4 }).map((lines) => lines.join('\n')),
);

function valuesOf(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.type) {
    case 'text':
      return shape.allowed
        ? fc.constantFrom(...shape.allowed)
        : text.filter((value) => shape.pattern?.test(value) ?? true);
    case 'flag':
      return fc.boolean();
    case 'int':
      return fc.integer({ min: shape.minimum ?? -1000, max: shape.maximum ?? 1000 });
    case 'list':
      return fc.uniqueArray(valuesOf(shape.items), { maxLength: 4, selector: (value) => JSON.stringify(value) });
    case 'map':
      return fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), valuesOf(shape.values), {
        maxKeys: 4,
      });
    case 'object':
    case 'open':
      return fc.constant({});
  }
}

/** Whether the live service takes a value: where it has one of its own, it refuses blank ones. */
const isTaken = ({ base }: Field, value: unknown): boolean =>
  base === '' || !((typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0));

/** Words that the service of a dialect refuses (docs/dialects.md). */
const REFUSED_WORDS: { readonly [dialect in Dialect]: readonly string[] } = {
  classic: [],
  documented: ['before-replace', 'after-replace'],
};

const isKnown = (dialect: Dialect, value: unknown): boolean =>
  !Array.isArray(value) || !REFUSED_WORDS[dialect].some((word) => value.includes(word));

const freeFields = (of: Kind): readonly (readonly [string, Field])[] =>
  Object.entries(of.fields).filter(
    ([name, field]) => field.channel !== 'control' && !(`${of.token}.${name}` in NOT_FREE),
  );

test.each(kindsInTurn(({ token }) => RECORDS.includes(token)))(
  '%s %s: what its fields allow comes back meaning the same',
  async (dialect, _, of) => {
    const world = open(dialect);
    const address = await world.prepare(of);
    const base = { ...of.sample.create };
    const life = world.life(of.token);
    let state = await life.create(life.check({ ...address, ...base }).inputs, ROW);
    const values = fc.record(
      Object.fromEntries(
        freeFields(of).map(([name, field]) => [
          name,
          valuesOf(field.shape).filter((value) => isTaken(field, value) && isKnown(dialect, value)),
        ]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const { inputs, findings } = life.check({ ...address, ...base, ...given });
        fc.pre(findings.filter(({ severity }) => severity === 'error').length === 0);
        world.nextRun();
        world.clock.advance(1000);
        state = await world.life(of.token).update(state.id, state.outputs, inputs, ROW);
        world.nextRun();
        const read = await world.life(of.token).read(state.id, state.outputs, ROW);
        expect(diff(of, inputs, read?.inputs ?? {})).toEqual([]);
        expect(diff(of, read?.outputs ?? {}, inputs)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  },
  60_000,
);

test.each(dialectsInTurn(0))(
  'attributes of a class of every form, and a megabyte of content, come back meaning the same, %s',
  async (dialect) => {
    const world = open(dialect);
    const place = { assembly: 'shop', platform: 'web', name: 'parent' };
    const component = kindOf('Component');
    const attachment = kindOf('Attachment');
    const address = await world.prepare(attachment);
    const life = world.life('Component');
    const read = await life.read(
      'acme/shop/web/parent',
      { ...place, type: 'user', attributes: { username: 'parent' } },
      ROW,
    );
    let known = read?.outputs ?? {};
    const attributes = fc.record({
      username: fc.constant('parent'),
      description: text,
      home_directory: text,
      sudoer: fc.boolean(),
      ulimit: fc.integer({ min: 1000, max: 99999 }),
      authorized_keys: fc.array(text, { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(attributes, async (given) => {
        const inputs = { ...place, type: 'user', attributes: given };
        world.nextRun();
        known = (await world.life('Component').update('acme/shop/web/parent', known, inputs, ROW)).outputs;
        world.nextRun();
        const now = await world.life('Component').read('acme/shop/web/parent', known, ROW);
        expect(diff(component, inputs, now?.inputs ?? {})).toEqual([]);
      }),
      { numRuns: 25 },
    );
    const content = '0123456789 ä日本🚀\n'.repeat(50_000).slice(0, 1_000_000);
    const large = { ...address, content };
    const made = await world.life('Attachment').create(large, ROW);
    world.nextRun();
    const back = await world.life('Attachment').read(made.id, made.outputs, ROW);
    expect(diff(attachment, large, back?.inputs ?? {})).toEqual([]);
  },
  60_000,
);

/** The value with an unknown in place of each of its parts, at every depth, one at a time. */
function withUnknowns(value: unknown): readonly unknown[] {
  if (Array.isArray(value))
    return [
      UNKNOWN,
      ...value.flatMap((item, at) =>
        withUnknowns(item).map((other) => value.map((each: unknown, index) => (index === at ? other : each))),
      ),
    ];
  if (typeof value === 'object' && value !== null)
    return [
      UNKNOWN,
      ...Object.entries(value).flatMap(([key, item]) =>
        withUnknowns(item).map((other) => ({ ...value, [key]: other })),
      ),
    ];
  return typeof value === 'string' ? [UNKNOWN, `before ${UNKNOWN} after`] : [UNKNOWN];
}

test.each(TITLED)('%s: an unknown in any place, of any type and depth, is no finding, and equals nothing', (_, of) => {
  const address = Object.fromEntries(scopeNames(of).map((name) => [name, `a-${name}`]));
  const whole = { ...address, ...of.sample.create, ...of.sample.update };
  expect(check(of, whole).filter(({ severity }) => severity === 'error')).toEqual([]);
  for (const [name, value] of Object.entries(whole)) {
    for (const other of withUnknowns(value)) {
      const inputs = { ...whole, [name]: other };
      expect([name, other, check(of, inputs).filter(({ severity }) => severity === 'error')]).toEqual([
        name,
        other,
        [],
      ]);
      const changes = diff(of, whole, inputs).map(({ path: [first] }) => first);
      expect(changes).toEqual(of.fields[name]?.quiet ? [] : [name]);
    }
  }
});

const scopeNames = (of: Kind): readonly string[] =>
  [...of.path.matchAll(/\{(\w+)\}/g)]
    .flatMap(([, name = '']) => (name === 'organization' ? [] : [name]))
    .map((name, index, all) => (of.named && index === all.length - 1 ? 'name' : name));

// The breadth of what conformance is judged by: every field of every kind is in its sample and
// tampered with, or is as data with its reason.
describe('samples', () => {
  const whole = (of: Kind): Inputs => ({ ...of.sample.create, ...of.sample.update });

  test.each(TITLED)('%s: each of its fields is in its sample, or is as data with its reason', (_, of) => {
    const missing = Object.keys(of.fields).filter((name) => name in whole(of) === isUnsampled(of, name));
    expect(missing).toEqual([]);
  });

  test.each(TITLED)('%s: each field of its sample is tampered with, or is as data with its reason', (_, of) => {
    const sample = of.sample.create as Inputs;
    const found = tamperings(of, sample);
    const wrong = Object.keys(sample).filter(
      (name) => found.some(({ path }) => path[0] === name) === isUnseen(of, name),
    );
    expect(wrong).toEqual([]);
  });

  /** Every place in a sample's maps, at any depth. */
  const placesIn = (value: unknown): readonly (readonly string[])[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      ? Object.entries(value).flatMap(([key, entry]) => placesIn(entry).map((rest) => [key, ...rest]))
      : [[]];

  test.each(TITLED)('%s: each entry and member of its maps is tampered with by itself', (_, of) => {
    const sample = of.sample.create as Inputs;
    const found = tamperings(of, sample).map(({ path, within }) => [of.token, ...path, ...within].join('.'));
    const secrets = secretAttributes(of, sample)?.names ?? [];
    const seen = Object.fromEntries(Object.entries(sample).filter(([name]) => !isUnseen(of, name)));
    const places = Object.entries(seen)
      .flatMap(([name, value]) => placesIn(value).map((rest) => [name, ...rest]))
      .filter(([, entry]) => entry === undefined || !secrets.includes(entry));
    expect(found).toEqual(expect.arrayContaining(places.map((place) => [of.token, ...place].join('.'))));
    expect(new Set(found).size).toBe(found.length);
  });

  test('no reason is given for what there is not', () => {
    const secret = kinds.flatMap((of) =>
      (secretAttributes(of, of.sample.create as Inputs)?.names ?? []).map((name) => `${of.token}.attributes.${name}`),
    );
    expect(Object.keys(SECRET_ENTRIES)).toEqual(secret);
    const names = kinds.flatMap(({ token, fields }) =>
      Object.keys(fields).flatMap((name) => [`${token}.${name}`, `*.${name}`]),
    );
    const given = Object.keys({ ...UNSAMPLED, ...UNSEEN });
    expect(given.filter((path) => !names.includes(path))).toEqual([]);
  });

  /** Values that one text is on the wire. */
  const SIMPLE = ['text', 'flag', 'int'];

  const textOf = (values: Inputs, name: string): string | undefined =>
    name in values ? String(values[name]) : undefined;

  test.each(TITLED)('%s: no value of `sample.create` is the one that the service has anyway (`base`)', (_, of) => {
    const same = Object.entries(of.fields).filter(
      ([name, { shape, channel, base }]) =>
        channel !== 'control' && SIMPLE.includes(shape.type) && textOf(of.sample.create, name) === base,
    );
    expect(same.map(([name]) => name)).toEqual([]);
  });

  const ofItself = TITLED.filter(([, { verbs }]) => verbs.base === undefined);
  test.each(ofItself)(
    '%s: each optional flag and number has the value that it goes back to: base("false", flag())',
    (_, of) => {
      const lacking = Object.entries(of.fields).filter(
        ([, { shape, channel, required, base }]) =>
          channel !== 'control' && !required && ['flag', 'int'].includes(shape.type) && base === '',
      );
      expect(lacking.map(([name]) => name)).toEqual([]);
    },
  );

  const unreleased = join(__dirname, '..', 'fixtures', 'state', 'unreleased', 'program.json');
  const kept = JSON.parse(readFileSync(unreleased, 'utf8')) as readonly ProgramResource[];
  const samplesNow = programOf('create', 'documented').flatMap((one) => {
    const of = sampledAs(keyOf(one));
    return of === undefined ? [] : [[titleOf(of), one] as const];
  });

  test.each(samplesNow)(
    '%s is in the kept state of the next release, which later releases read: run make kept-state',
    (_, one) => {
      const there = kept.find((each) => keyOf(each) === keyOf(one));
      expect(Object.keys(there?.args ?? {})).toEqual(expect.arrayContaining(Object.keys(one.args)));
    },
  );

  test('the program of samples has a sample of each kind in each scope', () => {
    expect(samplesNow.map(([title]) => title).sort()).toEqual(SAMPLED.map(titleOf).sort());
  });
});
