// Settings of a command next to those of a stack: what is taken from where, and that a token stays with its address.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { commandSettings } from './settings';

const HOME = 'https://home.example';
const CONFIGURATION = {
  'oneops:url': { value: HOME },
  'oneops:organization': { value: 'acme' },
  'oneops:token': { value: 'canary-home-token', secret: true },
};

const before = process.cwd();
let folder: string;

/** An environment in which `pulumi` answers the stack's configuration. */
const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  PATH: [folder, process.env['PATH']].join(delimiter),
  ...more,
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-settings-'));
  writeFileSync(join(folder, 'Pulumi.yaml'), 'name: shop\nruntime: oneops\n');
  const answer = JSON.stringify(CONFIGURATION);
  writeFileSync(join(folder, 'pulumi'), `#!/bin/sh\ncat <<'END'\n${answer}\nEND\n`, { mode: 0o755 });
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

test.each([HOME, `${HOME}/`, undefined])("the stack's token goes to the stack's address: %s", async (url) => {
  const { resolved } = await commandSettings({ url }, environment());
  expect(resolved).toMatchObject({ settings: { url: HOME, organization: 'acme', token: 'canary-home-token' } });
});

test('and to no other, which wants one of its own', async () => {
  const url = 'https://elsewhere.example';
  const { resolved, note } = await commandSettings({ url }, environment());
  expect(JSON.stringify(resolved)).toMatch(/oneops:token is missing/);
  expect(JSON.stringify(resolved)).not.toContain('canary');
  expect(note).toMatch(/not sent to https:\/\/elsewhere\.example.*set ONEOPS_TOKEN/);
  const own = await commandSettings({ url }, environment({ ONEOPS_TOKEN: 'own-token' }));
  expect(own.resolved).toMatchObject({ settings: { url, organization: 'acme', token: 'own-token' } });
});
