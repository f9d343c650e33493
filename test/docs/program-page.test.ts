// The blocks of the page on programs: its stack files and its program, run together, declare what the page says.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { secret } from '@pulumi/pulumi/output';
import * as ts from 'typescript';
import * as sdk from '../../sdk';
import { recorded, type Registered } from '../recording-monitor';

const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'programs.md'), 'utf8');
const program = [...PAGE.matchAll(/^```ts\n([^]*?)^```$/gm)].map((match) => match[1]).join('\n');
const files = [...PAGE.matchAll(/^```yaml\n# file: (\S+)\n([^]*?)^```$/gm)];

const before = process.cwd();
let folder: string;
let all: readonly Registered[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-program-page-'));
  for (const [, name = '', text = ''] of files) writeFileSync(join(folder, name), text);
  const { outputText } = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const wrapped = `(function (require, exports) {${outputText}
})`;
  const run = runInThisContext(wrapped) as (require: (name: string) => unknown, exports: object) => void;
  process.chdir(folder);
  all = await recorded(() => run((name) => (name === 'pulumi-oneops' ? sdk : { secret }), {}));
});

afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

test('the files and the program declare one stack', () => {
  expect(files.map(([, name]) => name)).toEqual(['assembly.yaml', 'web.yaml']);
  const keys = all.map(({ key }) => key);
  for (const key of [
    'Assembly::shop',
    'Platform::web',
    'Environment::prod',
    'Deployment::prod',
    'Component::web/compute',
  ])
    expect(keys).toContain(key);
  const inputsOf = (key: string) => all.find((each) => each.key === key)?.inputs;
  expect(inputsOf('Attachment::motd')).toMatchObject({ platform: 'web', component: 'deployer' });
  expect(inputsOf('Environment::prod')).toMatchObject({ clouds: { east: { priority: 1 }, west: { priority: 2 } } });
  expect(inputsOf('Variable::platforms/web/variables/KEY')).toMatchObject({ encryptedValue: { secret: 's3cret' } });
});

test('the kinds that the page lists are declared on it', () => {
  const kinds = ['Cloud', 'CloudService', 'Relay', 'Monitor', 'InstanceReplacement', 'Procedure', 'Team'];
  const declared = all.map(({ key }) => key.split('::')[0]);
  for (const kind of kinds) {
    expect(declared).toContain(kind);
    expect(PAGE).toContain(`| \`${kind}\` |`);
  }
});

test('what is declared with another provider, and what is in it, goes to the other service', () => {
  const providers = all.filter(({ key }) => key.includes('theirs')).map(({ provider }) => provider);
  expect(providers.length).toBeGreaterThan(1);
  expect(providers.filter((provider) => !provider.includes('other'))).toEqual([]);
});
