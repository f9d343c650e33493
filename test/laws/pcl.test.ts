// The law of stack files as programs in PCL: whatever a file can declare is written, and what PCL has no word for is known. Over the samples of all
// kinds, the examples, and the blocks of the pages. A story has Pulumi's own CLI read such programs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classMetadata, templateClass } from '../../api/contract';
import { addressNames, formatId, scopeAt, scopesOf } from '../../provider';
import { kinds } from '../../provider/kinds';
import { pclOf, readStack, type StackPlan } from '../../stack';
import { yamlOfSample } from '../world/sample-yaml';
import { titleOf } from '../world/world';

const ROOT = join(__dirname, '..', '..');

function planOf(text: string): StackPlan | undefined {
  const environment = { classMetadata, templateClass, readFile: () => ({ text: '' }), env: { REGION: 'east' } };
  return readStack([{ name: 'oneops.yaml', text }], environment).plan;
}

/** Names of what samples are in. */
const PLACE: { readonly [argument: string]: string } = {
  assembly: 'shop',
  platform: 'web',
  component: 'parent',
  environment: 'prod',
  cloud: 'west',
};

/** Those of single kinds. */
const OWN_PLACE: { readonly [title: string]: typeof PLACE } = {
  CloudService: { cloud: 'north' },
  EnvironmentAttachment: { component: 'os' },
  'Monitor of Component in Environment': { component: 'os' },
};

/** Kinds in their scopes that a file can declare. */
const DECLARED = kinds.flatMap(scopesOf).filter(({ inFile }) => inFile !== undefined);

const samples = DECLARED.map((of): readonly [string, string] => {
  const words: typeof PLACE = { ...PLACE, ...OWN_PLACE[titleOf(of)], name: of.sample.name ?? 'sample' };
  const address = Object.fromEntries(addressNames(of).map((name) => [name, words[name] ?? '']));
  return [titleOf(of), yamlOfSample(of, formatId(of, 'acme', address), { ...address, ...of.sample.create })];
});

const filesBelow = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

const written = [
  ...filesBelow('examples', '.yaml').map((name) => [name, textOf(name)] as const),
  // The pages of findings and policies show variations of a few files.
  ...filesBelow('docs', '.md')
    .filter((page) => !/findings\.md$|reference.policies/.test(page))
    .flatMap((page) =>
      [...textOf(page).matchAll(/^```yaml\n([^]*?)^```$/gm)].map(
        ([, text = ''], index) => [`${page} block ${index + 1}`, text] as const,
      ),
    ),
];

const planned = [...samples, ...written].flatMap(([name, text]) => {
  const plan = planOf(text);
  return plan === undefined ? [] : [{ name, plan, losses: pclOf(plan).losses }];
});

/** Of what PCL has no word for, a program has the value of one stack, or nothing: the values that a piece of configuration may have, on these pages. */
const LOSING: readonly string[] = ['docs/composition.md', 'docs/yaml.md'];

test('what is not carried completely is known', () => {
  const losing = planned.filter(({ losses }) => losses.length > 0);
  expect(losing.map(({ name }) => name.replace(/ block \d+$/, '')).sort()).toEqual(LOSING);
});

test('every kind that a file can declare is written', () => {
  const titles = new Set(
    planned
      .filter(({ losses }) => losses.length === 0)
      .flatMap(({ plan }) => plan.resources)
      .map(({ kind, args }) => titleOf(scopeAt(kind, args) ?? kind)),
  );
  expect(DECLARED.map(titleOf).filter((title) => !titles.has(title))).toEqual([]);
});
