// Pulumi's own resource options and the flags of a run, on the real engine: what the service contains after each, not only how the run ended.
import { routes, type Record as WireRecord } from '../../api/contract';
import { programFile, programFiles, stateOf, type ProgramResource, type Run } from '../world/engine';
import { openStory } from './story';

const resource = (key: string): { readonly resource: string } => ({ resource: key });
const attachment = (name: string, args: object, options: ProgramResource['options'] = {}): ProgramResource => ({
  token: 'Attachment',
  name,
  args: { component: resource('Component::user'), path: `/etc/${name}`, ...args },
  options,
});

const ASSEMBLY: ProgramResource = { token: 'Assembly', name: 'shop', args: { owner: 'team@acme.io' } };
const RELEASE: ProgramResource = {
  token: 'DesignRelease',
  name: 'shop',
  args: { assembly: resource('Assembly::shop') },
};
const PLATFORM: ProgramResource = {
  token: 'Platform',
  name: 'web',
  args: {
    assembly: resource('Assembly::shop'),
    source: 'oneops',
    pack: 'custom',
    version: '1',
    description: 'canary-front',
  },
  options: { additionalSecretOutputs: ['description'] },
};
const USER: ProgramResource = {
  token: 'Component',
  name: 'user',
  args: {
    platform: resource('Platform::web'),
    type: 'user',
    attributes: { username: 'deployer', description: 'first' },
  },
  options: { ignoreChanges: ['attributes.description'], customTimeouts: { create: '1s', update: '1s' } },
};
/** Declared before what it comes after would be without the option: its name says nothing of the order. */
const LATER: ProgramResource = {
  token: 'Platform',
  name: 'a-later',
  args: { assembly: resource('Assembly::shop'), source: 'oneops', pack: 'custom', version: '1' },
  options: { dependsOn: [resource('Attachment::kept')] },
};

const KEPT = attachment('kept', { content: 'kept' });
const CHILD = attachment('child', { content: 'child' }, { parent: resource('Component::user') });
const IGNORED = attachment('ignored', { content: 'first' }, { ignoreChanges: ['content'] });
const REPLACED = attachment('replaced', { execCmd: 'first' }, { replaceOnChanges: ['execCmd'] });
const BEFORE = attachment('before', { name: 'before-1' }, { deleteBeforeReplace: true });
const AFTER = attachment('after', { name: 'after-1' }, { deleteBeforeReplace: false });
const TRANSFORMED = attachment(
  'transformed',
  { content: 'as declared' },
  { transforms: [{ props: { content: 'as transformed' } }] },
);
const ENVIRONMENT: ProgramResource = {
  token: 'Environment',
  name: 'prod',
  args: { assembly: resource('Assembly::shop'), clouds: { east: { priority: 1 } } },
};
const DEPLOYMENT: ProgramResource = {
  token: 'Deployment',
  name: 'prod',
  args: { environment: resource('Environment::prod') },
  options: { customTimeouts: { create: '5m' } },
};

const FIRST = [
  ASSEMBLY,
  RELEASE,
  PLATFORM,
  USER,
  KEPT,
  CHILD,
  IGNORED,
  REPLACED,
  BEFORE,
  AFTER,
  TRANSFORMED,
  LATER,
  ENVIRONMENT,
  DEPLOYMENT,
];

let program: readonly ProgramResource[] = FIRST;

const { live, project } = openStory({ dialect: 'classic', files: programFiles(FIRST) });

const declare = async (next: readonly ProgramResource[]): Promise<void> => {
  program = next;
  await project.write('program.json', programFile(program));
};

/** The program with one resource changed; a resource of another name takes its place. */
const changed = (name: string, change: (old: ProgramResource) => ProgramResource): readonly ProgramResource[] =>
  program.map((each) => (each.name === name ? change(each) : each));
const withArgs = (name: string, args: object): readonly ProgramResource[] =>
  changed(name, (old) => ({ ...old, args: { ...old.args, ...args } }));

const up = (...flags: readonly string[]): Promise<Run> => project.succeeds('up', '--skip-preview', ...flags);
const unchanged = (): Promise<Run> => project.succeeds('preview', '--expect-no-changes', '--diff');

const at = { assembly: 'shop', platform: 'web', component: 'user' };
const held = async (): Promise<ReadonlyMap<string, WireRecord>> => {
  const list = await live.other.call(routes.attachments.list, { address: at });
  return new Map(list.filter(({ rfcAction }) => rfcAction !== 'delete').map((record) => [record.ciName, record]));
};
const valueOf = async (name: string, attribute: string): Promise<string | null | undefined> =>
  (await held()).get(name)?.ciAttributes[attribute];
const numberOf = async (name: string): Promise<number | undefined> => (await held()).get(name)?.ciId;

test('parent, dependsOn, additionalSecretOutputs, customTimeouts and transforms', async () => {
  await up();
  await unchanged();
  expect([...(await held()).keys()].sort()).toEqual([
    'after-1',
    'before-1',
    'child',
    'ignored',
    'kept',
    'replaced',
    'transformed',
  ]);
  expect(await valueOf('transformed', 'content')).toBe('as transformed');
  // The service numbers its records in the order they are made.
  const later = await live.other.call(routes.platforms.read, { address: { assembly: 'shop', platform: 'a-later' } });
  expect(later.ciId).toBeGreaterThan((await numberOf('kept')) ?? Infinity);
  const state = await project.state();
  expect(state).toContain('oneops:Component$pulumi-nodejs:dynamic/oneops:Attachment::child');
  const web = (await stateOf(project)).find(({ key }) => key === 'Platform::web');
  expect([web?.inputs['description'], web?.outputs['description']]).toEqual([
    'canary-front',
    expect.objectContaining({ ciphertext: expect.any(String) as string }),
  ]);
  const deployment = (await stateOf(project)).find(({ key }) => key === 'Deployment::prod');
  expect(deployment?.inputs['timeout']).toBe(5);
  expect(await live.running('shop')).toEqual(['prod/a-later', 'prod/web']);
});

test('ignoreChanges, of an argument and inside of a map: what is ignored stays, the rest is written', async () => {
  await declare(withArgs('ignored', { content: 'second', execCmd: 'true' }));
  await declare(withArgs('user', { attributes: { username: 'deployer2', description: 'second' } }));
  await up();
  await unchanged();
  expect([await valueOf('ignored', 'content'), await valueOf('ignored', 'exec_cmd')]).toEqual(['first', 'true']);
  const user = await live.other.call(routes.components.read, { address: at });
  expect([user.ciAttributes['username'], user.ciAttributes['description']]).toEqual(['deployer2', 'first']);
});

test('replaceOnChanges and deleteBeforeReplace, both ways: the new record is alone', async () => {
  const before = await numberOf('replaced');
  await declare(withArgs('replaced', { execCmd: 'second' }));
  await declare(withArgs('before', { name: 'before-2' }));
  await declare(withArgs('after', { name: 'after-2' }));
  live.writes();
  await up();
  await unchanged();
  const names = [...(await held()).keys()].filter((name) => /^(before|after|replaced)/.test(name)).sort();
  expect(names).toEqual(['after-2', 'before-2', 'replaced']);
  expect(await numberOf('replaced')).not.toBe(before);
  expect(await valueOf('replaced', 'exec_cmd')).toBe('second');
});

test('--replace recreates what is deleted first; what would be created first stays, and its row says how', async () => {
  const exported = (await project.run('stack', 'export')).stdout;
  const urns = ['before', 'after'].map((name) => new RegExp(`urn:pulumi:[^"]*Attachment::${name}`).exec(exported)?.[0]);
  const [before, after] = [await numberOf('before-2'), await numberOf('after-2')];
  const { output } = await up(...urns.flatMap((urn) => ['--replace', String(urn)]));
  expect(await numberOf('before-2')).not.toBe(before);
  expect(await numberOf('after-2')).toBe(after);
  expect(output).toMatch(/set deleteBeforeReplace: true/);
  expect(output).not.toContain('declared under another name');
  await unchanged();
});

test('aliases: another logical name costs nothing', async () => {
  const before = await numberOf('child');
  await declare(
    changed('child', (old) => ({
      ...old,
      name: 'renamed',
      args: { ...old.args, name: 'child' },
      options: { ...old.options, aliases: [{ name: 'child' }] },
    })),
  );
  live.writes();
  const { output } = await up('--expect-no-changes');
  expect(output).not.toContain('error');
  expect(live.writes()).toEqual([]);
  expect(await numberOf('child')).toBe(before);
});

test('--continue-on-error: what does not need the failed one is written, nothing half is committed, and the next up finishes', async () => {
  await live.maria.create('web/user/taken', { path: '/etc/theirs', run_on: 'before-add', priority: '1' });
  const index = program.findIndex(({ name }) => name === 'prod');
  const both = [attachment('taken', { path: '/etc/ours' }), attachment('free', {})];
  await declare([...program.slice(0, index), ...both, ...program.slice(index)]);
  // A run that looks at the service first refuses it before anything is written.
  await project.run('config', 'set', 'oneops:offlinePreview', 'true');
  const failed = await project.run('up', '--skip-preview', '--continue-on-error');
  await project.run('config', 'rm', 'oneops:offlinePreview');
  expect([failed.code, failed.output]).toEqual([1, expect.stringContaining('already there and differs')]);
  expect([await valueOf('taken', 'path'), await valueOf('free', 'path')]).toEqual(['/etc/theirs', '/etc/free']);
  await declare(withArgs('taken', { adopt: true }));
  await up();
  await unchanged();
  expect(await valueOf('taken', 'path')).toBe('/etc/ours');
  await project.succeeds('refresh', '--preview-only', '--expect-no-changes', '--diff');
});

test('destroyed, nothing is left', async () => {
  await project.succeeds('destroy', '--skip-preview');
  expect(await live.assemblies()).toEqual([]);
});
