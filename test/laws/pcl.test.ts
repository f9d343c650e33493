// The law of the way through PCL: a stack file, written as a program and read back, is the same stack. Over the samples of all kinds, the examples,
// the blocks of the pages, and stacks at random. RUNS in the environment says how many.
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classMetadata, templateClass } from '../../api/contract';
import {
  addressNames,
  check,
  everyAddressName,
  formatId,
  kinds,
  openName,
  scopeAt,
  scopesOf,
  secretAttributes,
  secretNames,
  type Inputs,
  type Kind,
} from '../../provider';
import { EXPRESSION, pclOf, readStack, type ResourceDeclaration, type StackPlan } from '../../stack';
import { stackOf } from '../../stack/pcl/stack-of';
import { settledIn } from '../../stack/pcl/write-settled';
import { withSettings } from '../conformance/random-settings';
import { randomStack } from '../conformance/random-stacks';
import { yamlOfSample } from '../conformance/sample-yaml';
import { choosing, documentOf, yamlText } from '../conformance/stack-yaml';
import { titleOf } from '../conformance/world';

const ROOT = join(__dirname, '..', '..');

const isMap = (value: unknown): value is Inputs => typeof value === 'object' && value !== null && !Array.isArray(value);

function planOf(text: string): StackPlan | undefined {
  const environment = { classMetadata, templateClass, readFile: () => ({ text: '' }), env: { REGION: 'east' } };
  return readStack([{ name: 'oneops.yaml', text }], environment).plan;
}

const SECRET = 'a secret';

/** A value without places. A secret that the file has in clear, and the configuration that a person sets in its place, are the same. */
function plain(value: unknown, isNew: (config: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, isNew));
  if (!isMap(value)) return value;
  const { [EXPRESSION]: form, ...own } = value as { readonly [key: string | symbol]: unknown };
  const target = own['target'] as { readonly of: string; readonly name: string } | undefined;
  if (form === 'secret' || (target?.of === 'config' && isNew(target.name))) return SECRET;
  const said = Object.entries(own).filter(
    ([name, each]) => !['place', 'places', 'at'].includes(name) && each !== undefined,
  );
  return { form, ...Object.fromEntries(said.map(([name, each]) => [name, plain(each, isNew)])) };
}

/** What a plan registers, by name, with what follows from everything that is declared. `declared`: configuration of the first file. */
function registered(plan: StackPlan, declared: readonly string[]): Inputs {
  const isNew = (name: string): boolean => !declared.includes(name);
  const settled = settledIn(plan);
  const parts = [
    ...plan.config.filter(({ name }) => !isNew(name)).map((each) => [`config ${each.name}`, each] as const),
    ...plan.resources.map(({ key, after, kind, secrets, within: _, args, ...each }) => {
      const follows = settled.get(key);
      const own = masked({ ...args, ...follows?.args }, [...secrets, ...ownSecrets(kind, args)]);
      const before = [...new Set([...after, ...(follows?.after ?? [])])].sort();
      return [key, { ...each, token: kind.token, args: asTexts(kind, own), after: before }] as const;
    }),
    ...plan.outputs.map((each) => [`output ${each.name}`, each] as const),
  ];
  return Object.fromEntries(parts.map(([name, part]) => [name, plain(part, isNew)]));
}

/** Values that are secret because the kind, or the class of its attributes, says so. */
const ownSecrets = (of: Kind, args: Inputs): readonly (readonly string[])[] => {
  const { argument = '', names = [] } = secretAttributes(of, args) ?? {};
  return [...secretNames(of).map((name) => [name]), ...names.map((name) => [argument, name])];
};

const masked = (args: Inputs, paths: readonly (readonly (string | number)[])[]): Inputs =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const inside = paths.filter(([first]) => first === name).map((path) => path.slice(1));
      if (value === undefined || inside.length === 0) return [name, value];
      return [name, inside.some((path) => path.length === 0) || !isMap(value) ? SECRET : masked(value, inside)];
    }),
  );

/** The service has texts in an open map: a number is the text of its digits. */
function asTexts(of: Kind, args: Inputs): Inputs {
  const open = openName(of) ?? '';
  const values = args[open];
  if (!isMap(values)) return args;
  const texts = Object.entries(values).map(([name, each]) => [
    name,
    ['number', 'boolean'].includes(typeof each) ? JSON.stringify(each) : each,
  ]);
  return { ...args, [open]: Object.fromEntries(texts) as Inputs };
}

function judge(text: string): void {
  const plan = planOf(text);
  if (plan === undefined) throw new Error(`no plan for\n${text}`);
  const { text: program } = pclOf(plan);
  const { text: back, notes } = stackOf([{ name: 'program.pp', text: program }]);
  const lost = notes.filter(({ severity }) => severity === 'error').map(({ summary }) => summary);
  expect([program, lost]).toEqual([program, []]);
  const again = planOf(back);
  if (again === undefined) throw new Error(`no plan for\n${back}`);
  const declared = plan.config.map(({ name }) => name);
  expect(registered(again, declared)).toEqual(registered(plan, declared));
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
    .filter((page) => !/reference.(findings|policies)/.test(page))
    .flatMap((page) =>
      [...textOf(page).matchAll(/^```yaml\n([^]*?)^```$/gm)].map(
        ([, text = ''], index) => [`${page} block ${index + 1}`, text] as const,
      ),
    ),
];

const planned = [...samples, ...written].flatMap(([name, text]) => {
  const plan = planOf(text);
  return plan === undefined ? [] : [{ name, text, losses: pclOf(plan).losses }];
});

const judged = planned.filter(({ losses }) => losses.length === 0).map(({ name, text }) => [name, text] as const);

/** Of what PCL has no word for, a program has the value of one stack, or nothing: the values that a piece of configuration may have, on these pages. */
const LOSING: readonly string[] = ['docs/composition.md', 'docs/yaml.md'];

test('what is not carried completely is known', () => {
  const losing = planned.filter(({ losses }) => losses.length > 0);
  expect(losing.map(({ name }) => name.replace(/ block \d+$/, '')).sort()).toEqual(LOSING);
});

test.each(judged)('%s', (_, text) => {
  judge(text);
});

test('every kind that a file can declare is judged', () => {
  const resources = judged.flatMap(([, text]) => planOf(text)?.resources ?? []);
  const titles = new Set(resources.map(({ kind, args }) => titleOf(scopeAt(kind, args) ?? kind)));
  expect(DECLARED.map(titleOf).filter((title) => !titles.has(title))).toEqual([]);
});

/** A plan in which a record says no more than it must. */
function withLeast(plan: StackPlan, title: string, options: ResourceDeclaration['options']): StackPlan {
  const resources = plan.resources.map((each) => {
    if (!titled(plan, title).includes(each)) return each;
    const { fields } = each.kind;
    // References cannot be checked: what must be said can depend on the other arguments alone.
    const place = Object.fromEntries(everyAddressName(each.kind).map((name) => [name, each.args[name] && 'x']));
    const least = Object.keys(fields)
      .filter((name) => fields[name]?.required !== true && name !== 'type')
      .reduce<ResourceDeclaration['args']>((args, name) => {
        const { [name]: _, ...rest } = args;
        return check(each.kind, { ...rest, ...place }).length > 0 ? args : rest;
      }, each.args);
    return { ...each, args: least, options, places: [] };
  });
  return { ...plan, resources };
}

const titled = (plan: StackPlan | undefined, title: string): readonly ResourceDeclaration[] =>
  (plan?.resources ?? []).filter(({ kind, args }) => titleOf(scopeAt(kind, args) ?? kind) === title);

const ofEachKind = DECLARED.map(titleOf).map((title) => ({
  title,
  text: judged.find(([, each]) => titled(planOf(each), title).length > 0)?.[1] ?? '',
}));

test.each(ofEachKind.flatMap((each) => [{}, { protect: true }].map((options) => ({ ...each, options }))))(
  'a record of $title with values by default alone is declared, with the options $options',
  ({ title, text, options }) => {
    const plan = planOf(text);
    if (plan === undefined) throw new Error(`no plan for\n${text}`);
    const least = withLeast(plan, title, options);
    const { text: program } = pclOf(least);
    const { text: back, notes } = stackOf([{ name: 'program.pp', text: program }]);
    expect([back, notes.filter(({ severity }) => severity === 'error')]).toEqual([back, []]);
    const said = (of: StackPlan | undefined): object =>
      titled(of, title).map(({ key, options: own }) => [key, own.protect === true]);
    expect([back, said(planOf(back))]).toEqual([back, said(least)]);
  },
);

test('stacks at random', () => {
  const choices = fc.array(fc.nat(60), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(randomStack, choices, (spec, numbers) => {
      judge(yamlText(documentOf(withSettings(spec)), choosing(numbers)));
    }),
    { numRuns: Number(process.env['RUNS'] ?? '10') },
  );
});
