// The law of overlays: an overlay acts on what the file means without it. Templates, `extends` and own keys are settled first, whatever the layers
// remove, append or merge. RUNS in the environment says how many random files.
import fc from 'fast-check';
import { newReport } from '../findings/finding';
import { readYaml } from '../reader/read-yaml';
import { sourceFile } from '../reader/source';
import { entryOf, type MapNode, type Node } from '../reader/tree';
import { compose } from './compose';
import type { Choices } from './composition';

const RUNS = Number(process.env['RUNS'] ?? 300);

type Plain = null | string | number | boolean | readonly Plain[] | PlainMap;
interface PlainMap {
  readonly [key: string]: Plain;
}

function plain(node: Node): Plain {
  if (node.form === 'scalar') return node.value;
  if (node.form === 'list') return node.items.map(plain);
  if (node.form === 'map') return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  throw new Error('a part of the tree is missing');
}

interface Resolved {
  readonly platforms: Plain;
  /** Findings other than those of nulls that remove nothing. */
  readonly findings: readonly string[];
}

function resolve(text: string, choices: Choices = { overlay: 'p' }): Resolved {
  const file = sourceFile('oneops.yaml', text);
  const report = newReport([file.name]);
  const { root } = readYaml(file);
  if (root?.form !== 'map') throw new Error('no map');
  const join = ([first]: readonly MapNode[]): MapNode => first ?? root;
  const composed = compose({ files: [file], roots: [root], report, choices, join });
  const platforms = entryOf(composed.root, 'platforms')?.value;
  return {
    platforms: platforms ? plain(platforms) : null,
    findings: report.findings().map(({ code, message }) => `${code} ${message}`),
  };
}

const withOverlay = (file: string, overlay: string): Resolved =>
  resolve(`${file}\noverlays: { p: { platforms: ${overlay} } }\n`);

const T = (body: string): string => `templates: { t: { body: ${body} } }\nplatforms: `;

test.each([
  [
    'append of the file and of the overlay',
    `${T('{ links: [a] }')}{ web: { use: t, links: { append: [b] } } }`,
    '{ web: { links: { append: [c] } } }',
    { web: { links: ['a', 'b', 'c'] } },
  ],
  [
    'a key that the file removes, and the overlay once more',
    `${T("{ variables: { DEBUG: 'on', B: x } }")}{ web: { use: t, variables: { DEBUG: ~ } } }`,
    '{ web: { variables: { DEBUG: ~ } } }',
    { web: { variables: { B: 'x' } } },
  ],
  [
    'null on what template and file give',
    `${T('{ pack: x, components: { compute: { size: S } } }')}{ web: { use: t, components: { compute: { size: L } } } }`,
    '{ web: { components: { compute: ~ } } }',
    { web: { pack: 'x', components: {} } },
  ],
  [
    'null on a map that template and file give',
    `${T('{ pack: x, variables: { A: a } }')}{ web: { use: t, variables: { A: b } } }`,
    '{ web: { variables: ~ } }',
    { web: { pack: 'x' } },
  ],
  [
    'null on what an extended thing gives',
    'platforms: { base: { pack: x, m: { A: a } }, web: { extends: platforms.base, m: { A: b } } }',
    '{ web: { m: ~ } }',
    { base: { pack: 'x', m: { A: 'a' } }, web: { pack: 'x' } },
  ],
  [
    'append to a list of the configuration',
    "config: { l: { type: list, default: [a] } }\nplatforms: { web: { links: '${config.l}' } }",
    '{ web: { links: { append: [b] } } }',
    { web: { links: ['a', 'b'] } },
  ],
  [
    'a thing that each makes, extended, with the overlay for it',
    "platforms: { '${each.key}': { each: [a], pack: 'of ${each.key}' }, web: { extends: platforms.a, links: [x] } }",
    '{ a: { description: over } }',
    { a: { pack: 'of a', description: 'over' }, web: { pack: 'of a', description: 'over', links: ['x'] } },
  ],
  [
    'append where there is no list',
    'platforms: { web: { pack: x } }',
    '{ web: { links: { append: [b] } } }',
    { web: { pack: 'x', links: ['b'] } },
  ],
])('%s', (_, file, overlay, expected) => {
  expect(withOverlay(file, overlay)).toEqual({ platforms: expected, findings: [] });
});

test('a thing that each makes is extended without an overlay, too', () => {
  const file =
    "platforms: { '${each.key}': { each: [a], pack: 'of ${each.key}' }, web: { extends: platforms.a, links: [x] } }";
  expect(resolve(file, {})).toEqual({
    platforms: { a: { pack: 'of a' }, web: { pack: 'of a', links: ['x'] } },
    findings: [],
  });
});

test.each([
  ['next to use', '{ web: { use: t, components: { compute: { siez: ~ } } } }', '{}', 'there is no "siez" to remove'],
  [
    'in an overlay',
    '{ web: { use: t } }',
    '{ web: { components: { compute: { siez: ~ } } } }',
    'there is no "siez" that the overlay could remove',
  ],
])('a null that has nothing to remove is a finding: %s', (_, things, overlay, message) => {
  const { platforms, findings } = withOverlay(`${T('{ components: { compute: { size: S } } }')}${things}`, overlay);
  expect(platforms).toEqual({ web: { components: { compute: { size: 'S' } } } });
  expect(findings).toEqual([`nothing-to-remove ${message}`]);
});

test('a name that a template makes with each is changed next to use; of two names in one map, one is a mistake', () => {
  const template = T("{ user: { '${each.key}': { each: [ann], username: x } } }");
  expect(resolve(`${template}{ web: { use: t, user: { ann: { username: y } } } }`, {})).toEqual({
    platforms: { web: { user: { ann: { username: 'y' } } } },
    findings: [],
  });
  const twice = "platforms: { '${each.key}': { each: [a], pack: x }, a: { pack: y } }";
  expect(resolve(twice, {}).findings).toEqual(['duplicate-key "a" is declared twice']);
});

test.each([
  [
    "'${assembly.ciId}'",
    'not-known-yet "append" needs a list that is known before the run: "assembly.ciId" is not known before the run',
  ],
  ['text', 'wrong-type "append" needs a list that is known before the run: it is a single value'],
  ['{ fn::split: [a, b] }', 'wrong-type "append" needs a list that is known before the run: it is a map'],
])('append to what is no list is a finding: %s', (links, finding) => {
  const text = `platforms: { web: { links: ${links} } }\noverlays: { p: { platforms: { web: { links: { append: [b] } } } } }\n`;
  expect(() => resolve(text)).toThrow('a part of the tree is missing');
  const report = newReport(['oneops.yaml']);
  const file = sourceFile('oneops.yaml', text);
  const { root } = readYaml(file);
  if (root?.form !== 'map') throw new Error('no map');
  compose({ files: [file], roots: [root], report, choices: { overlay: 'p' }, join: () => root });
  expect(report.findings().map(({ code, message }) => `${code} ${message}`)).toEqual([finding]);
});

/** What a layer gives: each key has one type, so that nothing is appended to a text. */
const word = fc.constantFrom('a', 'b', 'c');
const list = fc.array(word, { maxLength: 2 });
const scalar = fc.option(word);
const appending = fc.oneof(
  list,
  list.map((append) => ({ append })),
  fc.constant(null),
);
const inner = fc.record({ s: scalar, l: appending }, { requiredKeys: [] });
const component = fc.record({ size: scalar, l: appending, m: fc.option(inner) }, { requiredKeys: [] });
const keys = {
  s: scalar,
  l: appending,
  m: fc.option(inner),
  deep: fc.option(fc.record({ m: fc.option(inner) }, { requiredKeys: [] })),
};
const layer = (used: readonly string[]): fc.Arbitrary<PlainMap> =>
  fc.record(
    {
      ...keys,
      components: fc.option(
        fc.dictionary(
          fc.constantFrom('c1', 'c2'),
          fc.option(
            used.length === 0
              ? component
              : fc.oneof(
                  component,
                  component.map((own) => ({ ...own, use: 'part' })),
                ),
          ),
          { maxKeys: 2 },
        ),
      ),
    },
    { requiredKeys: [] },
  );

/** The lowest layers have no `append`: there is nothing below them. */
const lowest = fc.record(
  {
    s: word,
    l: list,
    m: fc.record({ s: word, l: list }),
    components: fc.dictionary(fc.constantFrom('c1', 'c2'), fc.record({ size: word, l: list })),
  },
  { requiredKeys: [] },
);

const file = fc
  .record({
    t0: lowest,
    t1: layer(['part']),
    t2: layer([]),
    base: lowest,
    web: layer(['part']),
    way: fc.constantFrom('t0', 't1', 't2'),
    extended: fc.boolean(),
  })
  .map(({ t0, t1, t2, base, web, way, extended }) => ({
    templates: {
      part: { body: { size: 'part', l: ['p'], m: { s: 'p', l: ['q'] } } },
      t0: { body: t0 },
      t1: { body: { ...t1, use: 't0' } },
      t2: { body: { ...t2, use: 't1' } },
    },
    platforms: { base, web: { ...web, use: way, ...(extended ? { extends: 'platforms.base' } : {}) } },
  }));

const isMap = (value: Plain | undefined): value is PlainMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The meaning of an overlay. */
function laidOver(base: Plain | undefined, over: Plain): Plain | undefined {
  if (over === null) return undefined;
  if (!isMap(over)) return over;
  if (Array.isArray(over['append']))
    return [...(Array.isArray(base) ? (base as Plain[]) : []), ...(over['append'] as Plain[])];
  const whole: { [key: string]: Plain } = { ...(isMap(base) ? base : {}) };
  for (const [key, value] of Object.entries(over)) {
    const laid = laidOver(whole[key], value);
    delete whole[key];
    if (laid !== undefined) whole[key] = laid;
  }
  return whole;
}

test('an overlay acts on what the file means without it', () => {
  fc.assert(
    fc.property(file, layer([]), (document, over) => {
      const text = JSON.stringify(document);
      const alone = resolve(text, {});
      const both = resolve(JSON.stringify({ ...document, overlays: { p: { platforms: { web: over } } } }));
      expect(both.platforms).toEqual(laidOver(alone.platforms, { web: over }));
    }),
    { numRuns: RUNS, seed: Number(process.env['SEED'] ?? 7) },
  );
});
