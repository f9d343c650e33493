// Pulumi's resource options as a YAML file declares them, on the real engine: what the service contains after each run, not only how it ended.
import { routes, type Record as WireRecord } from '../../api/contract';
import { join } from 'node:path';
import { messagesOfRun, stateOf, stepsOfRun, type Run } from '../world/engine';
import { openStory } from './story';

const HEAD = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/custom:1
    components:
      user:
        deployer:
          username: deployer
          attachments:
`;

/** Attachments of the file, by name. */
interface Attachments {
  readonly [name: string]: string;
}

const OPTIONS = [
  "parent: '${platforms.web}'",
  "deletedWith: '${platforms.web}'",
  "dependsOn: ['${platforms.web.components.deployer.attachments.made}']",
  'additionalSecretOutputs: [path]',
  'hideDiffs: [content]',
  'customTimeouts: { create: 5m, update: 1h30m }',
];
const CHILD = (content: string): string =>
  `{ path: /etc/child, content: ${content}, pulumi: { ${OPTIONS.join(', ')} } }`;

const FIRST: Attachments = {
  kept: '{ path: /etc/kept, content: kept, pulumi: { protect: true } }',
  ignored: '{ path: /etc/ignored, content: first, pulumi: { ignoreChanges: [content] } }',
  left: '{ path: /etc/left, content: left, pulumi: { retainOnDelete: true } }',
  old: '{ path: /etc/own, content: own }',
  again: '{ content: again, pulumi: { replacementTrigger: one, deleteBeforeReplace: true } }',
  follows:
    "{ content: follows, pulumi: { replaceWith: '${platforms.web.components.deployer.attachments.again}', deleteBeforeReplace: true } }",
  made: '{ content: first, pulumi: { replaceOnChanges: [content], deleteBeforeReplace: true } }',
  child: CHILD('first'),
};

const SECOND: Attachments = {
  kept: FIRST['kept'] ?? '',
  ignored: '{ path: /etc/ignored-too, content: second, pulumi: { ignoreChanges: [content] } }',
  fresh: "{ path: /etc/own, content: own, pulumi: { aliases: ['web/old'] } }",
  again: (FIRST['again'] ?? '').replace('one', 'two'),
  follows: FIRST['follows'] ?? '',
  made: (FIRST['made'] ?? '').replace('first', 'second'),
  child: CHILD('second'),
};

const fileOf = (attachments: Attachments): string =>
  `${HEAD}${Object.entries(attachments)
    .map(([name, value]) => `            ${name}: ${value}\n`)
    .join('')}`;

const { live, project } = openStory({ dialect: 'documented', files: { 'oneops.yaml': fileOf(FIRST) } });

const up = async (attachments: Attachments): Promise<Run> => {
  await project.write('oneops.yaml', fileOf(attachments));
  return project.run('up', '--skip-preview', '--json');
};

const succeeded = (run: Run): Run => {
  expect(run.code === 0 ? '' : run.output).toBe('');
  return run;
};

const held = async (): Promise<ReadonlyMap<string, WireRecord>> => {
  const address = { assembly: 'shop', platform: 'web', component: 'deployer' };
  const all = await live.other.call(routes.attachments.list, { address });
  return new Map(all.map((record) => [record.ciName, record]));
};

test('ignoreChanges, retainOnDelete and aliases: what is ignored stays, what is retained is left there, what was renamed is replaced', async () => {
  succeeded(await up(FIRST));
  const steps = stepsOfRun(succeeded(await up(SECOND)).stdout).map(({ op, key }) => `${op} ${key}`);
  const after = await held();
  expect([...after.keys()].sort()).toEqual(['again', 'child', 'follows', 'fresh', 'ignored', 'kept', 'left', 'made']);
  const { path, content } = after.get('ignored')?.ciAttributes ?? {};
  expect([path, content]).toEqual(['/etc/ignored-too', 'first']);
  expect(steps.filter((step) => step.endsWith('Attachment::web/fresh'))).toContain('replace Attachment::web/fresh');
  expect(steps.filter((step) => /^delete .*web\/old/.test(step))).toEqual([]);
  const kept = (await stateOf(project)).filter(({ token }) => token === 'Attachment').map(({ name }) => name);
  expect(kept.sort()).toEqual(
    ['again', 'child', 'follows', 'fresh', 'ignored', 'kept', 'made'].map((name) => `web/${name}`),
  );

  // What is replaced on a trigger, on a change, and with another one; and what is only updated.
  for (const name of ['again', 'made', 'follows']) expect(steps).toContain(`replace Attachment::web/${name}`);
  expect(steps).toContain('update Attachment::web/child');
});

test('parent, deletedWith, dependsOn, additionalSecretOutputs, hideDiffs and customTimeouts reach the engine', async () => {
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
});

test('a policy pack stops a run that breaks a mandatory policy, and sets what another one demands', async () => {
  const pack = join(__dirname, '..', '..', 'bin', 'pulumi-oneops-policy');
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
  const shown = succeeded(await project.run('preview', '--policy-pack', pack));
  expect(shown.output).toMatch(/\[advisory\] +names/);
});

test('protect: what leaves the file stays, with an error of the engine; unprotected, everything goes', async () => {
  const { kept: _, ...others } = SECOND;
  live.writes();
  const refused = await up({ ...others, more: '{ path: /etc/more }' });
  const told = messagesOfRun(refused.output, 'error').join('\n');
  expect([refused.code, told]).toEqual([
    1,
    expect.stringMatching(/Attachment::web\/kept" cannot be deleted\s+because it is protected/),
  ]);
  const removed = live.writes().filter((write) => write.startsWith('DELETE'));
  expect([removed, (await held()).has('kept')]).toEqual([[], true]);
  succeeded(await project.run('state', 'unprotect', '--all', '--yes'));
  succeeded(await project.run('destroy', '--skip-preview'));
  expect(await live.assemblies()).toEqual([]);
});
