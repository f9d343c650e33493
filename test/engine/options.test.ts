// Pulumi's resource options in a stack file and the flags of a run, on the real engine: what the
// service contains after each run, not only how it ended.
import { join } from 'node:path';
import { routes, type Record as WireRecord } from '../../api/contract';
import { dialectsInTurn } from '../dialects-in-turn';
import { messagesOfRun, REPOSITORY, stateOf, stepsOfRun, type Run } from '../world/engine';
import { openStory } from './story';

/** Attachments of the file, by name. */
interface Attachments {
  readonly [name: string]: string;
}

const ATTACHMENTS = 'platforms.web.components.deployer.attachments';

/**
 * `a-later` is declared before what it comes after, and its name says nothing of the order. It is
 * retained with what is in it: a variable, as long as the attachments have `left`.
 */
const fileOf = (attachments: Attachments, username = 'deployer', description = 'first'): string =>
  `assembly: { name: shop, owner: team@acme.io }
platforms:
  a-later:
    pack: oneops/custom:1
    variables: {${'left' in attachments ? ' LEFT: one ' : ''}}
    pulumi: { dependsOn: ['\${${ATTACHMENTS}.child}'], retainOnDelete: true }
  web:
    pack: oneops/custom:1
    description: canary-front
    pulumi: { additionalSecretOutputs: [description] }
    components:
      user:
        deployer:
          username: ${username}
          description: ${description}
          pulumi: { ignoreChanges: [description] }
          attachments:
${Object.entries(attachments)
  .map(([name, value]) => `            ${name}: ${value}\n`)
  .join('')}environments:
  prod: { clouds: { east: { priority: 1 } }, deploy: { pulumi: { customTimeouts: { create: 5m } } } }
`;

const OPTIONS = [
  "parent: '${platforms.web}'",
  "deletedWith: '${platforms.web}'",
  `dependsOn: ['\${${ATTACHMENTS}.made}']`,
  'additionalSecretOutputs: [path]',
  'hideDiffs: [content]',
  'customTimeouts: { create: 5m, update: 1h30m }',
];

const FIRST = {
  kept: '{ path: /etc/kept, content: kept, pulumi: { protect: true } }',
  ignored: '{ path: /etc/ignored, content: first, pulumi: { ignoreChanges: [content] } }',
  left: '{ path: /etc/left, content: left, pulumi: { retainOnDelete: true } }',
  old: '{ path: /etc/own, content: own }',
  again: '{ content: again, pulumi: { replacementTrigger: one, deleteBeforeReplace: true } }',
  follows: `{ content: follows, pulumi: { replaceWith: '\${${ATTACHMENTS}.again}', deleteBeforeReplace: true } }`,
  made: '{ content: first, pulumi: { replaceOnChanges: [content], deleteBeforeReplace: true } }',
  child: `{ path: /etc/child, content: first, pulumi: { ${OPTIONS.join(', ')} } }`,
};

/** What is replaced: on a trigger, with another one, and on a change. */
const REPLACED = ['again', 'follows', 'made'] as const;

const { left: _, old: __, ...STAYING } = FIRST;
const SECOND = {
  ...STAYING,
  ignored: FIRST.ignored.replace('/etc/ignored', '/etc/ignored-too').replace('first', 'second'),
  fresh: "{ path: /etc/own, content: own, pulumi: { aliases: ['web/old'] } }",
  again: FIRST.again.replace('one', 'two'),
  made: FIRST.made.replace('first', 'second'),
  child: FIRST.child.replace('first', 'second'),
};
const THIRD = { ...SECOND, taken: '{ path: /etc/ours, adopt: true }', free: '{ path: /etc/free }' };
const NAMES = ['again', 'child', 'follows', 'fresh', 'ignored', 'kept', 'made'];

describe.each(dialectsInTurn(0))('%s', (dialect) => {
  const { live, project } = openStory({ dialect, files: { 'oneops.yaml': fileOf(FIRST) } });

  const declare = (...file: Parameters<typeof fileOf>): Promise<void> => project.write('oneops.yaml', fileOf(...file));
  const up = (...flags: readonly string[]): Promise<Run> => project.succeeds('up', '--skip-preview', ...flags);
  const unchanged = (): Promise<Run> => project.succeeds('preview', '--expect-no-changes', '--diff');

  const at = { assembly: 'shop', platform: 'web', component: 'deployer' };
  const held = async (): Promise<ReadonlyMap<string, WireRecord>> => {
    const list = await live.other.call(routes.attachments.list, { address: at });
    return new Map(list.filter(({ rfcAction }) => rfcAction !== 'delete').map((record) => [record.ciName, record]));
  };
  const numbersOf = async (names: readonly string[]): Promise<readonly (number | undefined)[]> => {
    const records = await held();
    return names.map((name) => records.get(name)?.ciId);
  };

  test('parent, deletedWith, dependsOn, additionalSecretOutputs, hideDiffs and customTimeouts reach the engine', async () => {
    await up();
    await unchanged();
    const { checkpoint } = JSON.parse(await project.state()) as {
      readonly checkpoint: { readonly latest: { readonly resources: readonly { readonly urn: string }[] } };
    };
    const child = checkpoint.latest.resources.find(({ urn }) => urn.endsWith('::web/child'));
    expect(child).toMatchObject({
      parent: expect.stringMatching(/Platform::web$/) as string,
      deletedWith: expect.stringMatching(/Platform::web$/) as string,
      dependencies: expect.arrayContaining([expect.stringMatching(/Attachment::web\/made$/)]) as string[],
      additionalSecretOutputs: expect.arrayContaining(['path']) as string[],
      customTimeouts: { create: 300, update: 5400 },
      hideDiff: ['content'],
      sourcePosition: expect.stringMatching(/^project:\/\/\/oneops\.yaml#\d+,\d+$/) as string,
    });
    const state = await stateOf(project);
    const web = state.find(({ key }) => key === 'Platform::web');
    expect([web?.inputs['description'], web?.outputs['description']]).toEqual([
      'canary-front',
      expect.objectContaining({ ciphertext: expect.any(String) as string }),
    ]);
    expect(state.find(({ key }) => key === 'Deployment::prod')?.inputs['timeout']).toBe(5);
    // The service numbers its records in the order they are made.
    const later = await live.other.call(routes.platforms.read, { address: { assembly: 'shop', platform: 'a-later' } });
    expect(later.ciId).toBeGreaterThan((await numbersOf(['child']))[0] ?? Infinity);
    expect(await live.running('shop')).toEqual(['prod/a-later', 'prod/web']);
  });

  test('what is ignored stays, what is retained is left there, what was renamed or is said to be is replaced alone', async () => {
    const before = await numbersOf(REPLACED);
    await declare(SECOND, 'deployer2', 'second');
    const steps = stepsOfRun((await up('--json')).stdout).map(({ op, key }) => `${op} ${key}`);
    await unchanged();
    const after = await held();
    expect([...after.keys()].sort()).toEqual([...NAMES, 'left'].sort());
    expect(after.get('ignored')?.ciAttributes).toMatchObject({ path: '/etc/ignored-too', content: 'first' });
    expect(after.get('made')?.ciAttributes).toMatchObject({ content: 'second' });
    const retained = { assembly: 'shop', platform: 'a-later' };
    const variables = await live.other.call(routes.platformVariables.list, { address: retained });
    expect(variables.map(({ ciName }) => ciName)).toContain('LEFT');
    const user = await live.other.call(routes.components.read, { address: at });
    expect(user.ciAttributes).toMatchObject({ username: 'deployer2', description: 'first' });
    for (const name of ['fresh', ...REPLACED]) expect(steps).toContain(`replace Attachment::web/${name}`);
    expect(steps).toContain('update Attachment::web/child');
    expect(steps.filter((step) => /^delete .*web\/old/.test(step))).toEqual([]);
    for (const [index, number] of (await numbersOf(REPLACED)).entries()) expect(number).not.toBe(before[index]);
    const kept = (await stateOf(project)).filter(({ token }) => token === 'Attachment').map(({ name }) => name);
    expect(kept.sort()).toEqual(NAMES.map((name) => `web/${name}`));
  });

  test('--replace recreates what is deleted first; what would be created first stays, and its row says how', async () => {
    const { stdout } = await project.succeeds('stack', 'export');
    const urns = ['made', 'fresh'].map((name) => new RegExp(`urn:[^"]*Attachment::web/${name}`).exec(stdout)?.[0]);
    const [made, fresh] = await numbersOf(['made', 'fresh']);
    const { output } = await up(...urns.flatMap((urn) => ['--replace', String(urn)]));
    const after = await numbersOf(['made', 'fresh']);
    expect([after[0] === made, after[1] === fresh]).toEqual([false, true]);
    expect(output).toMatch(/set deleteBeforeReplace: true/);
    expect(output).not.toContain('declared under another name');
    await unchanged();
  });

  test('--continue-on-error: what does not need the failed one is written, nothing half is committed, and the next up finishes', async () => {
    const pathsOf = async (...names: readonly string[]): Promise<readonly unknown[]> => {
      const records = await held();
      return names.map((name) => records.get(name)?.ciAttributes['path']);
    };
    await live.maria.create('web/deployer/taken', { path: '/etc/theirs', run_on: 'before-add', priority: '1' });
    await declare({ ...THIRD, taken: '{ path: /etc/ours }' }, 'deployer2');
    // A run that looks at the service first refuses it before anything is written.
    await project.succeeds('config', 'set', 'oneops:offlinePreview', 'true');
    const failed = await project.run('up', '--skip-preview', '--continue-on-error');
    await project.succeeds('config', 'rm', 'oneops:offlinePreview');
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining('already there and differs')]);
    expect(await pathsOf('taken', 'free')).toEqual(['/etc/theirs', '/etc/free']);
    await declare(THIRD, 'deployer2');
    await up();
    await unchanged();
    expect(await pathsOf('taken')).toEqual(['/etc/ours']);
    await project.succeeds('refresh', '--preview-only', '--expect-no-changes', '--diff');
  });

  test('a policy pack stops a run that breaks a mandatory policy, and sets what another one demands', async () => {
    const pack = join(REPOSITORY, 'bin', 'pulumi-oneops-policy');
    await declare(THIRD);
    await project.write(
      'policies.yaml',
      'policies: { names: { level: mandatory, kinds: Attachment, allowed: [kept, left, ignored] } }',
    );
    const refused = await project.run('preview', '--policy-pack', pack);
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringMatching(
        /\[mandatory\] +names[^]*oneops\.yaml:\d+:\d+: Attachment shop\/web\/deployer\/fresh is named fresh/,
      ),
    ]);
    await project.write('policies.yaml', 'policies: { names: { kinds: Attachment, allowed: [kept] } }');
    expect((await project.succeeds('preview', '--policy-pack', pack)).output).toMatch(/\[advisory\] +names/);
  });

  test('protect: what leaves the file stays, with an error of the engine; unprotected, everything goes', async () => {
    const { kept: _, ...others } = THIRD;
    await declare({ ...others, more: '{ path: /etc/more }' });
    live.writes();
    const refused = await project.run('up', '--skip-preview', '--json');
    expect([refused.code, messagesOfRun(refused.output, 'error').join('\n')]).toEqual([
      1,
      expect.stringMatching(/Attachment::web\/kept" cannot be deleted\s+because it is protected/),
    ]);
    expect(live.writes().filter((write) => write.startsWith('DELETE'))).toEqual([]);
    expect((await held()).has('kept')).toBe(true);
    await project.succeeds('state', 'unprotect', '--all', '--yes');
    // One delete at a time, with an environment that is newer than its neighbour and before it in the file.
    const added = 'environments:\n  added: { clouds: { east: { priority: 1 } }, deploy: {} }\n';
    const given = fileOf(others).replace(', retainOnDelete: true', '');
    await project.write('oneops.yaml', given.replace('environments:\n', added));
    await up();
    await project.succeeds('destroy', '--skip-preview', '--parallel', '1');
    expect(await live.assemblies()).toEqual([]);
  });
});
