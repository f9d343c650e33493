// Policies in the comment on a pull request: what a broken one comes to, whatever else happened.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, type Outcome } from '../../../test/run-command';
import { previewCommentCommand } from './preview-comment';

let folder: string;
const before = process.cwd();

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'oneops-comment-')));
  process.chdir(folder);
  const urn = 'urn:pulumi:prod::shop::pulumi-nodejs:dynamic/oneops:Assembly::shop';
  const steps = [{ op: 'create', urn, newState: { inputs: { name: 'shop', owner: 'team@acme.io' } } }];
  writeFileSync('preview.json', JSON.stringify({ steps, changeSummary: { create: 1 } }));
});

afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const comment = (...words: string[]): Promise<Outcome> =>
  runCommand(previewCommentCommand, {}, 'preview.json', ...words);
const policy = (settings: string): void => writeFileSync('policies.yaml', `policies: { changes-at-most: ${settings} }`);

test('a mandatory policy counts more than a service that cannot be asked', async () => {
  expect((await comment('--live')).code).toBe(4);
  policy('{ level: mandatory, most: 0 }');
  const { code, stdout } = await comment('--live');
  expect([code, stdout]).toEqual([5, expect.stringContaining('**mandatory** `changes-at-most`')]);
  expect((await comment()).code).toBe(5);
});

const urnOf = (type: string, name: string): string => `urn:pulumi:prod::shop::${type}::${name}`;
const ours = (token: string, name: string): string => urnOf(`pulumi-nodejs:dynamic/oneops:${token}`, name);
const preview = (steps: readonly object[], same = 0): void =>
  writeFileSync('preview.json', JSON.stringify({ steps, changeSummary: { same } }));

describe('a deployment that leaves the program', () => {
  const FREEZE = `policies: { freeze: { level: mandatory, windows: [{ from: 2020-01-01, to: 2120-01-01 }] } }`;
  const urn = ours('Deployment', 'prod');
  const oldState = (inputs: object): object => ({
    oldState: { id: 'acme/shop/prod', inputs: { assembly: 'shop', environment: 'prod', stamps: '', ...inputs } },
  });

  test('counts as one in a freeze window, and as a deletion; not where what runs is retained', async () => {
    writeFileSync('policies.yaml', FREEZE);
    preview([{ op: 'delete', urn, ...oldState({}) }]);
    const { code, stdout } = await comment();
    expect([code, stdout]).toEqual([
      5,
      expect.stringContaining('Deployment shop/prod is deleted, which takes down what runs, in a freeze window'),
    ]);
    preview([{ op: 'delete', urn, ...oldState({ onDelete: 'retain' }) }]);
    expect((await comment()).code).toBe(0);
    writeFileSync(
      'policies.yaml',
      'policies: { no-deletion: { level: mandatory, kinds: Deployment, environments: prod } }',
    );
    expect((await comment()).code).toBe(5);
  });

  test('counts once where it is made again', async () => {
    writeFileSync('policies.yaml', FREEZE);
    const newState = { inputs: { assembly: 'shop', environment: 'prod', stamps: '' } };
    preview([
      { op: 'create-replacement', urn, ...oldState({}), newState },
      { op: 'delete', urn, ...oldState({}) },
    ]);
    const { code, stdout } = await comment();
    expect([code, stdout.match(/\*\*mandatory\*\*/g)]).toEqual([5, ['**mandatory**']]);
  });

  test('is no record that other rules judge: what is gone keeps every rule', async () => {
    writeFileSync('policies.yaml', 'policies: { deployment-comment: { level: mandatory } }');
    preview([{ op: 'delete', urn, ...oldState({}) }]);
    expect((await comment()).code).toBe(0);
  });
});

describe('unchanged records', () => {
  const NAMES = (level: string): string =>
    `policies: { names: { level: ${level}, kinds: Platform, allowed: 'app-*' } }`;
  const stack = { op: 'same', urn: urnOf('pulumi:pulumi:Stack', 'shop-prod') };
  const web = {
    ...{ op: 'same', urn: ours('Platform', 'web') },
    newState: {
      sourcePosition: 'project:///oneops.yaml#17,7',
      inputs: { assembly: 'shop', name: 'web', source: 'oneops', pack: 'tomcat', version: '1' },
    },
  };

  test('are judged where the preview lists them', async () => {
    writeFileSync('policies.yaml', NAMES('mandatory'));
    preview([stack, web], 2);
    const { code, stdout } = await comment();
    expect([code, stdout]).toEqual([5, expect.stringContaining('(oneops.yaml:17:7)')]);
  });

  test('that it does not list leave policies about records unjudged: 6 for a mandatory one, and the comment says how', async () => {
    writeFileSync('policies.yaml', NAMES('mandatory'));
    preview([], 2);
    const { code, stdout } = await comment();
    expect([code, stdout]).toEqual([
      6,
      expect.stringMatching(/`names` was not judged in full: .* 1 unchanged record: make it with --show-sames/),
    ]);
    writeFileSync('policies.yaml', NAMES('advisory'));
    expect(await comment()).toMatchObject({ code: 0, stdout: expect.stringContaining('--show-sames') as string });
    writeFileSync('policies.yaml', NAMES('disabled'));
    expect((await comment()).stdout).not.toContain('--show-sames');
    // The stack alone is no record, and rules about runs need none.
    writeFileSync('policies.yaml', NAMES('mandatory'));
    preview([], 1);
    expect((await comment()).code).toBe(0);
    preview([], 2);
    policy('{ level: mandatory, most: 0 }');
    expect((await comment()).code).toBe(0);
  });
});

test('a stack of an organization must keep the policies of its name', async () => {
  policy('{ level: mandatory, most: 0, stacks: prod }');
  expect((await comment('--stack', 'acme/shop/prod')).code).toBe(5);
  expect((await comment('--stack', 'acme/shop/dev')).code).toBe(0);
});

test('the text of a preview for people is refused, and of one that failed it shows why', async () => {
  const text =
    'Previewing update (prod):\n ~  oneops:Platform web update [diff: ~description]\nResources:\n    ~ 1 to update\n    7 unchanged\n';
  writeFileSync('preview.json', text);
  await expect(comment()).rejects.toThrow('pulumi preview --json');
  writeFileSync(
    'preview.json',
    `Previewing update (prod):\nDiagnostics:\n  pulumi:pulumi:Stack (shop-prod):\n    error: no\n${text}`,
  );
  const { code, stdout } = await comment();
  expect([code, stdout]).toEqual([1, expect.stringContaining('error&#58; no') as string]);
});

test('a policy file of another name is no file that nothing breaks', async () => {
  writeFileSync('policies.yml', 'policies: {}');
  await expect(comment()).rejects.toThrow('policies.yml is not read: call it policies.yaml');
});
