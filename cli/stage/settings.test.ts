// The configuration of a stack on a stage: nothing of it leads to the service of the user, wherever it is written.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SETTINGS } from '../../provider/session/settings';
import { settingsOf } from './settings';
import { projectOnStage } from './stage';

const SAME = ['dialect', 'allowHttp', 'readCache', 'catalogue', 'offlinePreview'].map((name) => `oneops:${name}`);
const given = { ...Object.fromEntries(Object.keys(SETTINGS).map((name) => [`oneops:${name}`, 'CI'])), 'shop:own': 'x' };
const kept = Object.fromEntries([...SAME.map((name) => [name, 'CI']), ['shop:own', 'x']]) as object;
const project = JSON.stringify({ name: 'shop', runtime: 'oneops', config: given });

test('a stage has the settings of a stack, without those that name a service, a user or a file', () => {
  const before = process.cwd();
  process.chdir(mkdtempSync(join(tmpdir(), 'staged-')));
  try {
    writeFileSync('Pulumi.yaml', project);
    writeFileSync('Pulumi.dev.yaml', JSON.stringify({ config: given }));
    expect(settingsOf('dev', {})).toEqual(kept);
    expect((parse(projectOnStage(project, 'plugin')) as { config: object }).config).toEqual(kept);
  } finally {
    rmSync(process.cwd(), { recursive: true });
    process.chdir(before);
  }
});
