// A program makes a cloud with its services, deploys a YAML stack to it, replaces instances, runs a procedure, and takes everything down.
import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as ts from 'typescript';
import { routes } from '../../api/contract';
import { dialectsInTurn } from '../dialects-in-turn';
import { findEngine, newProject, type Engine, type Project } from '../world/engine';
import { startService, TOKEN, type LiveService } from './live-service';

const CANARY = 'canary-password-4c19';

const YAML = `config: { owner: { type: string }, key: { type: string, secret: true } }
assembly: { name: shop, owner: '\${config.owner}' }
variables: { KEY: '\${config.key}' }
platforms:
  web: { pack: oneops/custom:1 }
environments:
  prod:
    clouds: [south]
overlays:
  own: { environments: { prod: { clouds: { north: { priority: 1 } } } } }
`;

const PROGRAM = `import * as pulumi from '@pulumi/pulumi';
import * as oneops from 'pulumi-oneops';

const config = { owner: 'team@acme.io', key: pulumi.secret('${CANARY}-key') };
const shop = oneops.stack('oneops.yaml', { config, overlay: 'own' });
const { prod } = shop.environments;
const { web } = shop.platforms;

const north = new oneops.Cloud('north', { location: 'openstack', description: 'ours' });
const account = { endpoint: 'https://nova.acme.io', tenant: 'acme', username: 'deployer', password: '${CANARY}' };
new oneops.CloudService('nova', { cloud: north, attributes: account });
new oneops.CloudService('designate', { cloud: north, attributes: { ...account, zone: 'acme.io', cloud_dns_id: 'n', domain_owner_email: 'team@acme.io' } });

const on = { environment: prod, platform: web, component: 'compute' };
new oneops.InstanceReplacement('image', { ...on, triggers: { image: 'image-1' } });
const restart = new oneops.Procedure('restart', { ...on, action: 'reboot', triggers: { build: 'build-1' } });

export const procedure = restart.procedureId;
`;

const COMPUTES = { assembly: 'shop', environment: 'prod', platform: 'web', component: 'compute' };

let engine: Engine;

beforeAll(async () => {
  engine = await findEngine();
});

describe.each(dialectsInTurn(0))('our own cloud, %s', (dialect) => {
  let live: LiveService;
  let project: Project;
  let program = PROGRAM;
  const outputs: string[] = [];

  const drive = async (...words: readonly string[]): Promise<{ readonly [kind: string]: number }> => {
    const settings = { 'oneops:url': live.url, 'oneops:organization': 'acme', 'oneops:token': TOKEN };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['program-driver.cjs', ...words], {
      cwd: project.dir,
      env: { ...project.environment, ENGINE_ROOT: engine.root, STACK_CONFIG: JSON.stringify(settings) },
    });
    outputs.push(stdout, stderr);
    const result = JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? '{}') as { changes: { [kind: string]: number } };
    return result.changes;
  };
  const write = (): Promise<void> =>
    project.write(
      'program.js',
      ts.transpileModule(program, {
        compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
      }).outputText,
    );
  const edit = (from: string, to: string): Promise<void> => {
    expect(program).toContain(from);
    program = program.replace(from, to);
    return write();
  };
  const procedures = async (): Promise<readonly string[]> =>
    (await live.other.call(routes.procedures.list, { query: { ns_path: '/acme/shop' } })).map(
      ({ procedureState }) => procedureState,
    );
  const computes = async () => {
    const query = { instances_state: 'all' };
    const instances = await live.other.call(routes.operations.instances, { address: COMPUTES, query });
    return instances.map(({ ciState, lastAppliedRfcId }) => ({ ciState, lastAppliedRfcId }));
  };
  const clouds = async (): Promise<readonly string[]> =>
    (await live.other.call(routes.clouds.list, {})).map(({ ciName }) => ciName);

  beforeAll(async () => {
    live = await startService(dialect);
    project = await newProject({
      engine,
      files: { 'oneops.yaml': YAML, 'Pulumi.yaml': 'name: program\nruntime: nodejs\n' },
    });
    await copyFile(join(__dirname, 'program-driver.cjs'), join(project.dir, 'program-driver.cjs'));
    await write();
  });

  afterAll(async () => {
    await project.remove();
    await live.stop();
  });

  test('is made with its services before the environment is deployed to it, and the procedure runs last', async () => {
    live.requests();
    expect(await drive('preview')).toEqual({ create: 12 });
    expect([...live.requests()].sort()).toEqual(['GET assemblies.list', 'GET clouds.list', 'GET organizations.read']);
    expect(await drive('up')).toEqual({ create: 12 });
    const writes = live.writes();
    const environment = writes.indexOf('POST environments.create');
    expect(writes.slice(0, environment).filter((write) => write.startsWith('POST cloud'))).toEqual([
      'POST clouds.create',
      'POST cloudServices.create',
      'POST cloudServices.create',
    ]);
    expect(writes.at(-1)).toBe('POST procedures.create');
    expect([await live.running('shop'), await procedures()]).toEqual([['prod/web'], ['complete']]);
  });

  test('has nothing to do again, and a refresh finds nothing', async () => {
    live.requests();
    expect(await drive('up', 'expectNoChanges')).toEqual({ same: 12 });
    expect(live.requests()).toEqual(['GET organizations.read']);
    expect(await drive('refresh', 'expectNoChanges')).toEqual({ same: 12 });
    expect(live.writes()).toEqual([]);
  });

  test('another image replaces the machines with one deployment, and runs no procedure', async () => {
    const before = await computes();
    await edit('image-1', 'image-2');
    live.writes();
    expect(await drive('up')).toEqual({ same: 10, update: 2 });
    const writes = live.writes();
    expect(writes.filter((write) => /setInstancesState|deployments.create|procedures/.test(write))).toEqual([
      'PUT operations.setInstancesState',
      'POST deployments.create',
    ]);
    const after = await computes();
    expect(after.map(({ ciState }) => ciState)).toEqual(before.map(() => 'default'));
    for (const [index, { lastAppliedRfcId }] of after.entries())
      expect(lastAppliedRfcId).not.toBe(before[index]?.lastAppliedRfcId);
    expect(await procedures()).toEqual(['complete']);
  });

  test('another build runs the procedure again, and deploys nothing', async () => {
    await edit('build-1', 'build-2');
    live.writes();
    expect(await drive('up')).toEqual({ same: 11, update: 1 });
    expect([live.writes(), await procedures()]).toEqual([['POST procedures.create'], ['complete', 'complete']]);
  });

  test('everything goes away, the cloud after what ran on it, and no secret was ever in clear', async () => {
    const state = await readFile(join(project.dir, 'state', '.pulumi', 'stacks', 'program', 'dev.json'), 'utf8');
    expect(state).toContain('oneops:CloudService');
    expect([state.includes(CANARY), outputs.join('').includes(CANARY)]).toEqual([false, false]);
    await drive('destroy');
    expect([await live.assemblies(), await clouds()]).toEqual([[], ['east', 'west']]);
  });
});
