// Policies in the comment on a pull request: what a broken one comes to, whatever else happened.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, type Outcome } from '../../test/run-command';
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
  expect([code, stdout]).toEqual([2, expect.stringContaining('error&#58; no') as string]);
});

test('a policy file of another name is no file that nothing breaks', async () => {
  writeFileSync('policies.yml', 'policies: {}');
  await expect(comment()).rejects.toThrow('policies.yml is not read: call it policies.yaml');
});
