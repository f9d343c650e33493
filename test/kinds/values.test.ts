// Laws of values, for every field of every kind: whatever its shape allows comes back meaning the same, and what is not known yet is never judged.
import fc from 'fast-check';
import { DIALECTS, type Dialect } from '../../api/contract';
import { check, diff, scopesOf, type Field, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import { UNKNOWN, type Shape } from '../../provider/values';
import { makeWorld, ROW, titleOf } from '../world/world';

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

/** Text as people write it: lines, Unicode, references of the service, and what looks like other types. */
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

/** The live service refuses to have nothing, which white space alone is too, where it has its own value. */
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

const cases = DIALECTS.flatMap((dialect) =>
  kinds
    .filter(({ token }) => RECORDS.includes(token))
    .flatMap(scopesOf)
    .map((of) => [dialect, titleOf(of), of] as const),
);

test.each(cases)(
  '%s %s: what its fields allow comes back meaning the same',
  async (dialect, _, of) => {
    const world = makeWorld(dialect);
    try {
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
    } finally {
      world.close();
    }
  },
  60_000,
);

test.each(DIALECTS)(
  'attributes of a class of every form, and a megabyte of content, come back meaning the same, %s',
  async (dialect) => {
    const world = makeWorld(dialect);
    try {
      const place = { assembly: 'shop', platform: 'web', name: 'parent' };
      const component = kinds.find(({ token }) => token === 'Component') as Kind;
      const attachment = kinds.find(({ token }) => token === 'Attachment') as Kind;
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
    } finally {
      world.close();
    }
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

test.each(kinds.flatMap(scopesOf).map((of) => [titleOf(of), of] as const))(
  '%s: an unknown in any place, of any type and depth, is no finding, and never equal to what was',
  (_, of) => {
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
  },
);

const scopeNames = (of: Kind): readonly string[] =>
  [...of.path.matchAll(/\{(\w+)\}/g)]
    .flatMap(([, name = '']) => (name === 'organization' ? [] : [name]))
    .map((name, index, all) => (of.named && index === all.length - 1 ? 'name' : name));
