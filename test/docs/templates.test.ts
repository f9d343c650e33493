// The templates for `pulumi new`: both declare the same, ask the same questions, and use the versions of this package.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import * as ts from 'typescript';
import { parse } from 'yaml';
import { devDependencies, version } from '../../package.json';
import * as sdk from '../../sdk';
import { prepare } from '../../stack/host/prepare';
import { recorded } from '../recording-monitor';

const PROJECT = 'shop';
const OWNER = 'team@acme.io';

/** A file of a template, as `pulumi new` writes it: with a line break after each value that it fills into YAML. */
const written = (template: string, file: string): string =>
  readFileSync(join(__dirname, '..', '..', 'templates', template, file), 'utf8').replaceAll(
    '${PROJECT}',
    file.endsWith('.yaml') ? `${PROJECT}\n` : PROJECT,
  );

const keysOf = async (run: () => unknown): Promise<readonly string[]> =>
  (await recorded(run)).map(({ key }) => key).sort();

async function keysOfYaml(): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'oneops-template-'));
  try {
    writeFileSync(join(directory, 'oneops.yaml'), written('oneops-yaml', 'oneops.yaml'));
    const config = { [`${PROJECT}:owner`]: OWNER };
    const request = {
      directory,
      options: { resources: 'dynamic' },
      config,
      secretKeys: [],
      project: PROJECT,
      stack: 'dev',
    };
    const prepared = prepare(request, (warning) => {
      throw new Error(warning);
    });
    if ('problem' in prepared) throw new Error(prepared.problem);
    return await keysOf(() => prepared.program());
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function keysOfProgram(): Promise<readonly string[]> {
  const pulumi = {
    getProject: () => PROJECT,
    Config: class {
      readonly require = (): string => OWNER;
    },
  };
  const { outputText } = ts.transpileModule(written('oneops-typescript', 'index.ts'), {
    compilerOptions: { module: ts.ModuleKind.CommonJS },
  });
  const run = runInThisContext(`(function (require, exports) {${outputText}\n})`) as (
    require: (name: string) => unknown,
    exports: object,
  ) => void;
  return keysOf(() => run((name) => (name === 'pulumi-oneops' ? sdk : pulumi), {}));
}

test('both templates declare the same resources', async () => {
  const keys = await keysOfYaml();
  expect(keys).toEqual(await keysOfProgram());
  expect(keys).toEqual(expect.arrayContaining(['Assembly::shop', 'Deployment::dev', 'Component::web/compute']));
});

test('both ask the same questions, and the token is a secret', () => {
  const questions = ['oneops-yaml', 'oneops-typescript'].map(
    (template) => (parse(written(template, 'Pulumi.yaml')) as { template: { config: object } }).template.config,
  );
  expect(questions[0]).toEqual(questions[1]);
  expect(questions[0]).toMatchObject({ 'oneops:token': { secret: true }, owner: { default: OWNER } });
});

test('the program is installed in the versions that the tests run with', () => {
  const { dependencies } = JSON.parse(written('oneops-typescript', 'package.json')) as { dependencies: object };
  expect(dependencies).toEqual({ '@pulumi/pulumi': devDependencies['@pulumi/pulumi'], 'pulumi-oneops': version });
});
