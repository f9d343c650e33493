// The laws of composition: a composed stack goes up like one that is written out, an element of `each` touches only its own resources, and the
// resolved file means the same and resolves to itself. RUNS in the environment says how many random files.
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classMetadata, templateClass } from '../../api/contract';
import { readStack, resolvedLines, type ReadStack } from '../../stack';
import { emptyStack, run } from '../world/engine-simulation';
import { programOf } from '../world/plan-program';
import { makeWorld } from '../world/world';

const RUNS = Number(process.env['RUNS'] ?? 60);

const FLEET = readFileSync(join(__dirname, '..', '..', 'examples', 'fleet', 'oneops.yaml'), 'utf8');
const CONFIG = { owner: 'team@acme.io', tier: 'dev' };

const read = (text: string, stack = 'dev'): ReadStack =>
  readStack([{ name: 'oneops.yaml', text }], {
    classMetadata,
    templateClass,
    readFile: () => ({ problem: 'there is none' }),
    choices: { stack, config: CONFIG },
  });

const resolved = ({ root }: ReadStack): string =>
  root === undefined
    ? ''
    : resolvedLines(root, 'oneops.yaml')
        .map(({ text }) => `${text}\n`)
        .join('');

/** What a plan declares, without the places that it is written at. */
const declared = ({ plan }: ReadStack): string =>
  JSON.stringify(plan?.resources, (name, value: unknown) =>
    ['at', 'places', 'place', 'kind'].includes(name) ? 0 : value,
  );

function holdsLaws(text: string, stack: string): void {
  const composed = read(text, stack);
  const { plan } = composed;
  if (plan === undefined) return;
  const once = resolved(composed);
  const again = read(once, 'other');
  expect(again.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(declared(again)).toBe(declared(composed));
  expect(resolved(again)).toBe(once);
}

test('the fleet goes up, and another service changes only what is its own', async () => {
  const world = makeWorld('documented');
  try {
    const { plan, findings } = read(FLEET);
    expect(findings).toEqual([]);
    if (plan === undefined) throw new Error('no plan');
    expect(plan.resources.filter(({ kind }) => kind.token === 'Platform')).toHaveLength(6);
    expect(plan.resources.filter(({ kind }) => kind.token === 'Environment')).toHaveLength(3);
    const up = await run(world, emptyStack, programOf(plan, CONFIG));
    expect(up.errors).toEqual([]);
    world.writes();
    const more = read(FLEET.replace('      mails:', '      wishes: { size: S, threads: 50 }\n      mails:')).plan;
    if (more === undefined) throw new Error('no plan');
    const next = await run(world, up.stack, programOf(more, CONFIG));
    expect(next.errors).toEqual([]);
    expect(next.steps.some((step) => step.includes('wishes'))).toBe(true);
    expect(next.steps.filter((step) => !/wishes|DesignRelease|Environment::|Deployment/.test(step))).toEqual([]);
  } finally {
    world.close();
  }
});

test('the resolved fleet means the same, in each of its stacks', () => {
  for (const stack of ['dev', 'trial']) holdsLaws(FLEET, stack);
  expect(read(FLEET, 'trial').plan?.resources.filter(({ kind }) => kind.token === 'Environment')).toHaveLength(2);
});

const name = fc.constantFrom('web', 'api', 'db', 'a-b', 'x1');
const word = fc.constantFrom(
  'S',
  'L',
  '1.10',
  'yes',
  '~',
  ' a',
  'a: b',
  '#x',
  "it's",
  '"',
  'zwei\nZeilen',
  'Zeile\n',
  '\n\n',
  '${config.owner}',
  '$${x}',
  '🙂',
  '\u0007',
  '- a',
  '',
  '0x1F',
  '{a}',
  '*x',
);
const condition = fc.constantFrom(
  "${config.tier} == 'dev'",
  "${config.tier} != 'dev'",
  "'a' in ['a'] and not false",
  '1 <',
  '${config.none}',
);
const platform = fc.record(
  {
    pack: fc.constant('oneops/tomcat:1'),
    description: word,
    when: condition,
    use: fc.constantFrom('service', 'other', 'none'),
    with: fc.dictionary(fc.constantFrom('size', 'text'), word, { maxKeys: 2 }),
    components: fc.record({ compute: fc.record({ size: word }) }),
  },
  { requiredKeys: [] },
);
const file = fc.record({
  config: fc.constant({ owner: { type: 'string', default: 'x' }, tier: { type: 'string', default: 'dev' } }),
  assembly: fc.constant({ name: 'shop' }),
  templates: fc.constant({
    service: {
      parameters: { size: { type: 'string', default: 'M' }, text: { type: 'string', default: 'of' } },
      body: {
        pack: 'oneops/tomcat:1',
        description: 'a ${param.text}',
        components: { compute: { size: '${param.size}' } },
      },
    },
    other: { body: { use: 'service', with: { text: 'x' } } },
  }),
  platforms: fc
    .tuple(fc.dictionary(name, platform, { maxKeys: 3 }), fc.uniqueArray(name), platform)
    .map(([own, names, body]) => ({
      ...own,
      'shop-${each.key}': { ...body, each: names, pack: 'oneops/tomcat:1' },
    })),
  overlays: fc.record({
    dev: fc.record({ platforms: fc.dictionary(name, fc.oneof(platform, fc.constant(null)), { maxKeys: 2 }) }),
  }),
});

test('random files: nothing crashes, and what holds resolves to a file that means the same', () => {
  fc.assert(
    fc.property(file, fc.constantFrom('dev', 'none'), (document, stack) => holdsLaws(JSON.stringify(document), stack)),
    { numRuns: RUNS, seed: Number(process.env['SEED'] ?? 7) },
  );
});
