// The law of overlays: an overlay acts on what the file means without it. Templates and own keys are settled first, whatever the layers
// remove, replace or merge. RUNS in the environment says how many random files.
import fc from 'fast-check';
import { newReport } from '../findings/finding';
import { readYaml } from '../yaml/read';
import { sourceFile } from '../yaml/source';
import { entryOf, type MapNode, type Node } from '../yaml/tree';
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
    'a list in place of one of the configuration',
    "config: { l: { type: list, default: [a] } }\nplatforms: { web: { links: '${config.l}' } }",
    '{ web: { links: [b] } }',
    { web: { links: ['b'] } },
  ],
  [
    'a thing that each makes, with the overlay for it',
    "platforms: { '${each.key}': { each: [a, b], pack: 'of ${each.key}' } }",
    '{ a: { description: over } }',
    { a: { pack: 'of a', description: 'over' }, b: { pack: 'of b' } },
  ],
])('%s', (_, file, overlay, expected) => {
  expect(withOverlay(file, overlay)).toEqual({ platforms: expected, findings: [] });
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

/** What a layer gives: each key has one type. */
const word = fc.constantFrom('a', 'b', 'c');
const list = fc.array(word, { maxLength: 2 });
const scalar = fc.option(word);
const items = fc.option(list);
const inner = fc.record({ s: scalar, l: items }, { requiredKeys: [] });
const component = fc.record({ size: scalar, l: items, m: fc.option(inner) }, { requiredKeys: [] });
const keys = {
  s: scalar,
  l: items,
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

/** The lowest layers have no null: there is nothing below them. */
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
    web: layer(['part']),
    way: fc.constantFrom('t0', 't1', 't2'),
  })
  .map(({ t0, t1, t2, web, way }) => ({
    templates: {
      part: { body: { size: 'part', l: ['p'], m: { s: 'p', l: ['q'] } } },
      t0: { body: t0 },
      t1: { body: { ...t1, use: 't0' } },
      t2: { body: { ...t2, use: 't1' } },
    },
    platforms: { web: { ...web, use: way } },
  }));

const isMap = (value: Plain | undefined): value is PlainMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The meaning of an overlay. */
function laidOver(base: Plain | undefined, over: Plain): Plain | undefined {
  if (over === null) return undefined;
  if (!isMap(over)) return over;
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
