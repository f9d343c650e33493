// What values become on the real engine: unknown in a preview, at every depth and of every type, and
// secret, wherever they end up.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routes, type Record as WireRecord } from '../../api/contract';
import { dialectsInTurn } from '../dialects-in-turn';
import { messagesOfRun, programFile, programFiles, stateOf, type ProgramResource, type Run } from '../world/engine';
import { TOKEN } from './live-service';
import { openStory } from './story';

/** Each a secret of another place. */
const CANARIES = {
  config: 'canary-config-0b51',
  changed: 'canary-changed-3d77',
  text: 'canary-text-91aa',
  entry: 'canary-entry-5f20',
  item: 'canary-item-c4e8',
  member: 'canary-member-77d1',
  field: 'canary-field-18c3',
  whole: 'canary-whole-6ab9',
  service: 'canary-service-e02f',
  token: TOKEN,
};

const resource = (key: string) => ({ resource: key });
/** A value that is not known before the first resource is written. */
const late = (gives: unknown) => ({ output: 'Variable::seed', name: 'revision', gives });
const secret = (value: unknown) => ({ secret: value });

const WEB = { platform: resource('Platform::web') };
const USER = { component: resource('Component::user') };
const SHOP = { assembly: resource('Assembly::shop') };

/** Every type of argument at every depth, made of what is not known yet, or secret, or both. */
const programOf = (seed: string): ProgramResource[] => [
  { token: 'Assembly', name: 'shop', args: { owner: 'team@acme.io' } },
  { token: 'DesignRelease', name: 'shop', args: SHOP },
  { token: 'Variable', name: 'seed', args: { ...SHOP, value: seed } },
  {
    token: 'Assembly',
    name: 'tagged',
    args: { owner: late('team@acme.io'), description: late('text'), tags: late({ tier: 'gold' }) },
  },
  { token: 'Variable', name: 'late', args: { ...SHOP, value: late('info') } },
  { token: 'Variable', name: 'hidden', args: { ...SHOP, encryptedValue: { config: 'key' } } },
  { token: 'Platform', name: 'db', args: { ...SHOP, source: 'oneops', pack: 'mysql', version: '1' } },
  {
    token: 'Platform',
    name: 'web',
    args: {
      ...SHOP,
      source: 'oneops',
      pack: 'custom',
      version: late('1'),
      description: secret(CANARIES.text),
      links: late(['db']),
    },
  },
  {
    token: 'Component',
    name: 'mysql',
    args: {
      platform: resource('Platform::db'),
      type: 'mysql',
      attributes: late({ port: '3307', password: CANARIES.whole }),
    },
  },
  {
    token: 'Component',
    name: 'os',
    args: { ...WEB, type: late('os'), attributes: late({ hosts: { a: '10.0.0.1' } }) },
  },
  {
    token: 'Component',
    name: 'user',
    args: {
      ...WEB,
      type: 'user',
      attributes: {
        username: late('deployer'),
        sudoer: late(true),
        ulimit: late(20000),
        description: secret(CANARIES.entry),
        authorized_keys: [secret(`ssh-rsa ${CANARIES.item}`), late('ssh-rsa two')],
      },
    },
  },
  {
    token: 'Attachment',
    name: 'motd',
    args: {
      ...USER,
      path: '/etc/motd',
      content: { config: 'key' },
      source: late('http://files.acme.io/motd'),
      basicAuthUser: 'reader',
      basicAuthPassword: late(CANARIES.field),
      headers: { Accept: late('text/plain'), Authorization: secret(CANARIES.member) },
      runsOn: ['after-add', late('after-update')],
    },
  },
  {
    token: 'Attachment',
    name: 'second',
    args: {
      ...USER,
      name: late('named'),
      content: late('two\nlines: ä, 日本'),
      headers: late({ Accept: 'text/plain' }),
      runsOn: late(['on-demand']),
      priority: late(3),
    },
  },
  {
    token: 'Cloud',
    name: 'north',
    args: { location: 'aws', description: late('third') },
    options: { additionalSecretOutputs: ['updatedBy', 'description'] },
  },
  {
    token: 'CloudService',
    name: 'north/nova',
    args: {
      cloud: resource('Cloud::north'),
      name: 'nova',
      attributes: {
        promise: {
          endpoint: late('https://nova.acme.io'),
          tenant: 'acme',
          username: 'deployer',
          password: CANARIES.service,
          max_instances: late(20),
          env_vars: late({ HTTP_PROXY: 'proxy:3128' }),
        },
      },
    },
  },
  { token: 'Attachment', name: 'derived', args: { ...USER, content: { output: 'Cloud::north', name: 'updatedBy' } } },
  {
    token: 'Environment',
    name: 'prod',
    args: {
      ...SHOP,
      description: late('live'),
      availability: late('single'),
      debug: late(true),
      clouds: late({ east: { priority: 1 }, west: { priority: 2 } }),
    },
  },
  {
    token: 'Environment',
    name: 'second',
    args: { ...SHOP, clouds: { east: { priority: late(1), pctScale: late(50) } }, dpmtdelay: late(90) },
  },
  {
    token: 'CloudConfiguration',
    name: 'west',
    args: {
      environment: resource('Environment::prod'),
      platform: resource('Platform::web'),
      cloud: 'west',
      pctScale: late(50),
      adminstatus: late('active'),
    },
  },
  {
    token: 'Deployment',
    name: 'prod',
    args: { environment: resource('Environment::prod'), comment: late('of a seed'), timeout: late(5) },
  },
];

const dialects = dialectsInTurn(1);

describe.each(dialects)('%s', (dialect) => {
  /** Everything that was printed, and kept. */
  const seen: string[] = [];

  const { live, project } = openStory({
    dialect,
    files: programFiles(programOf('one')),
    config: { 'oneops:audit': 'audit.jsonl' },
    secrets: { key: CANARIES.config },
    environment: { ONEOPS_LOG: 'debug' },
  });

  const pulumi = async (...args: readonly string[]): Promise<Run> => {
    const run = await project.run(...args);
    seen.push(run.output);
    return run;
  };

  const succeeded = async (...args: readonly string[]): Promise<Run> => {
    const run = await pulumi(...args);
    expect(run).toExitWith(0);
    return run;
  };

  const declare = (program: readonly ProgramResource[]): Promise<void> =>
    project.write('program.json', programFile(program));

  const user = (): Promise<WireRecord> =>
    live.other.call(routes.components.read, { address: { assembly: 'shop', platform: 'web', component: 'user' } });

  test('unknown values: a preview finds nothing wrong, up works, and nothing is left to do', async () => {
    const preview = await succeeded('preview', '--diff');
    expect(preview.output).not.toMatch(/error|warning/);
    // What a new environment names is looked up among the clouds that there are.
    expect(
      live
        .requests()
        .filter((request) => !/^GET (organizations\.read|profile\.read|assemblies\.list|clouds\.list)$/.test(request)),
    ).toEqual([]);
    await succeeded('up', '--skip-preview');
    await succeeded('preview', '--diff', '--expect-no-changes');
    await succeeded('refresh', '--preview-only', '--diff', '--expect-no-changes');
    const at = { assembly: 'shop', platform: 'web', component: 'user' };
    const named = await live.other.call(routes.attachments.read, { address: { ...at, attachment: 'named' } });
    expect(named.ciAttributes).toMatchObject({ runs_on: 'on-demand', priority: '3', content: 'two\nlines: ä, 日本' });
    expect((await user()).ciAttributes).toMatchObject({ username: 'deployer', sudoer: 'true', ulimit: '20000' });
    expect(await live.running('shop')).toEqual(['prod/db', 'prod/web']);
  });

  test('what they are made of changes and they do not: a preview knows no better, up writes nothing more', async () => {
    await declare(programOf('two'));
    const preview = await succeeded('preview', '--diff');
    expect(preview.output).toContain('will pull the design');
    // Nor does it show a value that nobody wrote.
    expect(preview.output).not.toMatch(/error|warning|stamps|designRelease|__/);
    live.writes();
    await succeeded('up', '--skip-preview');
    const design = live.writes().filter((write) => !/release|environments\.(pull|commit)|deployments/i.test(write));
    expect(design).toEqual(['PUT designVariables.update']);
    await succeeded('preview', '--diff', '--expect-no-changes');
  });

  test('a changed secret shows as one; a refused request shows none of what it carried', async () => {
    await project.run('config', 'set', '--secret', 'key', CANARIES.changed);
    const preview = await succeeded('preview', '--diff');
    expect(preview.output).toMatch(/content *: \[secret\] => \[secret\]/);
    await succeeded('preview', '--json');
    const errors = [`"${CANARIES.field}" and "${CANARIES.changed}" are not allowed`];
    live.service.faults.set([{ route: 'attachments.update', effect: 'status', status: 422, body: { errors } }]);
    const refused = await pulumi('up', '--skip-preview', '--json');
    live.service.faults.set([]);
    expect(refused.code).toBe(1);
    expect(messagesOfRun(refused.output, 'error').join('\n')).toMatch(
      /motd.*\n?.*"\[secret\]" and "\[secret\]" are not/,
    );
    await succeeded('up', '--skip-preview', '--json');
  });

  test('secrets are encrypted in the state, and nowhere in clear', async () => {
    const state = await stateOf(project);
    const kept = (key: string, ...path: readonly string[]): unknown =>
      path.reduce<unknown>(
        (value, name) => (value as { readonly [name: string]: unknown })[name],
        state.find((each) => each.key === key)?.outputs,
      );
    const encrypted = expect.objectContaining({ ciphertext: expect.any(String) as string }) as object;
    expect(kept('Component::mysql', 'attributes')).toEqual({ port: '3307', password: encrypted });
    expect(kept('CloudService::north/nova', 'attributes')).toMatchObject({ tenant: 'acme', password: encrypted });
    expect(kept('Component::user', 'attributes')).toMatchObject({ username: 'deployer', description: encrypted });
    expect(kept('Attachment::motd', 'headers')).toEqual({ Accept: 'text/plain', Authorization: encrypted });
    expect(kept('Attachment::derived', 'content')).toEqual(encrypted);
    expect(kept('Cloud::north', 'description')).toEqual(encrypted);
    const exported = await succeeded('stack', 'export');
    const audit = await readFile(join(project.dir, 'audit.jsonl'), 'utf8');
    expect(audit.split('\n').length).toBeGreaterThan(20);
    const everything = [...seen, exported.output, audit, await project.state()].join('\n');
    expect(everything).toMatch(/oneops: POST \/acme\/assemblies 200 in /);
    expect(Object.entries(CANARIES).filter(([, canary]) => everything.includes(canary))).toEqual([]);
  });

  test('destroyed, nothing is left', async () => {
    await succeeded('destroy', '--skip-preview');
    expect(await live.assemblies()).toEqual([]);
  });
});
