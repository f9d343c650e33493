// Which provider carries resources out: declared, or known from the project's folder; a folder that is not installed yet is no reason to change it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faceOf } from './prepare';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oneops-face-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const install = (...names: readonly string[]): void =>
  names.forEach((name) => mkdirSync(join(directory, 'node_modules', name), { recursive: true }));
const both = (): void => install('@pulumi/pulumi', 'pulumi-oneops');
const asks = (): void => writeFileSync(join(directory, 'package.json'), '{"dependencies":{"pulumi-oneops":"0.1.0"}}');
const chosen = (options: object = {}, config: { readonly [key: string]: string } = {}, folder = directory) =>
  faceOf({ directory: folder, options: { ...options }, config });

test.each<[string, () => void, object, { readonly [key: string]: string }, ReturnType<typeof faceOf>]>([
  ['an empty folder', () => undefined, {}, {}, { face: 'plugin' }],
  ['both packages', both, {}, {}, { face: undefined }],
  ['one package alone', () => install('pulumi-oneops'), {}, {}, { face: 'plugin' }],
  [
    'a package.json of something else',
    () => writeFileSync(join(directory, 'package.json'), '{}'),
    {},
    {},
    { face: 'plugin' },
  ],
  ['a package.json, installed', () => (asks(), both()), {}, {}, { face: undefined }],
  ['the option', both, { resources: 'dynamic' }, {}, { face: 'dynamic' }],
  ['the option, with packages', both, { resources: 'plugin' }, {}, { face: 'plugin' }],
  ['the configuration of the stack', () => undefined, {}, { 'oneops:resources': 'plugin' }, { face: undefined }],
])('%s', (_, make, options, config, expected) => {
  make();
  expect(chosen(options, config)).toEqual(expected);
});

test('a package.json that is not installed yet is a problem with two ways out', () => {
  asks();
  expect(chosen()).toEqual({
    problem: [
      'the packages of package.json are not installed: @pulumi/pulumi, pulumi-oneops',
      '  run: pulumi install',
      '  or do without packages: write "resources: plugin" below runtime.options in Pulumi.yaml',
    ].join('\n'),
  });
  install('pulumi-oneops');
  expect(chosen()).toEqual({ problem: expect.stringContaining('not installed: @pulumi/pulumi\n') as string });
});

test.each([
  [{ resources: 'dynamic' }, {}],
  [{}, { 'oneops:resources': 'dynamic' }],
])('the dynamic provider without packages is a problem with two ways out: %j %j', (options, config) => {
  expect(chosen(options, config)).toEqual({
    problem: [
      'the packages of resources: dynamic are not installed: @pulumi/pulumi, pulumi-oneops',
      '  run: npm install @pulumi/pulumi pulumi-oneops',
      '  or do without packages: write "resources: plugin" below runtime.options in Pulumi.yaml',
    ].join('\n'),
  });
});

test('what the package.json of a workspace asks for, and is not installed yet, is a problem', () => {
  asks();
  const project = join(directory, 'stacks', 'shop');
  mkdirSync(project, { recursive: true });
  const inProject = () => chosen({}, {}, project);
  expect(inProject()).toEqual({
    problem: [
      'the packages of ../../package.json are not installed: @pulumi/pulumi, pulumi-oneops',
      `  run: npm install --prefix ${directory}`,
      '  or do without packages: write "resources: plugin" below runtime.options in Pulumi.yaml',
    ].join('\n'),
  });
  both();
  expect(inProject()).toEqual({ face: undefined });
});

test('a face that does not exist is a problem', () => {
  expect(chosen({ resources: 'magic' })).toEqual({
    problem: 'Pulumi.yaml: runtime.options.resources is "magic"; it must be dynamic or plugin',
  });
});
