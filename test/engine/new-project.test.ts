// A project as `init` writes it goes up on the engine, with the language host from the plugin cache, and
// another stack reads its output by `fn::stackReference`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command as initCommand } from '../../cli/commands/files/init';
import { version } from '../../package.json';
import { runCommand } from '../run-command';
import { openStory } from './story';

const { project } = openStory({ dialect: 'documented' });

test('it goes up, and its output is read by another stack, secret or not', async () => {
  const made = join(project.dir, 'made');
  const words = [made, '--name', 'story', '--owner', 'team@acme.io', '--cloud', 'east'];
  expect(await runCommand(initCommand, {}, ...words)).toExitWith(0);
  const host = join(__dirname, '..', '..', 'dist', 'plugins', 'language');
  expect(await project.run('plugin', 'install', 'language', 'oneops', version, '--file', host)).toExitWith(0);
  await project.write('Pulumi.yaml', await readFile(join(made, 'Pulumi.yaml'), 'utf8'));
  const stack = await readFile(join(made, 'oneops.yaml'), 'utf8');
  await project.write('oneops.yaml', `${stack}outputs: { ip: 10.0.0.1, key: { fn::secret: hunter2 } }\n`);
  expect(await project.run('up', '--skip-preview')).toExitWith(0);

  await project.succeeds('stack', 'init', 'other', '--copy-config-from', 'dev');
  const asked = (output: string): string =>
    `{ fn::stackReference: ['organization/\${pulumi.project}/dev', ${output}] }`;
  const other = `assembly: { name: other, owner: team@acme.io, description: { fn::join: [' ', [at, ${asked('ip')}]] } }
outputs: { ip: ${asked('ip')}, key: ${asked('key')} }
include: parts/service.yaml
platforms: { '\${each.key}': { each: [web, api], use: service } }
overlays: { other: { outputs: { pack: '\${platforms.api.pack}' } }, dev: { platforms: ~ } }
`;
  await project.write('parts/service.yaml', 'templates: { service: { body: { pack: oneops/tomcat:1 } } }\n');
  await project.write('oneops.yaml', other);
  expect(await project.run('up', '--skip-preview')).toExitWith(0);
  const { stdout } = await project.run('stack', 'output', '--json');
  expect(JSON.parse(stdout)).toEqual({ ip: '10.0.0.1', key: '[secret]', pack: 'tomcat' });
  expect(await project.run('preview', '--expect-no-changes')).toExitWith(0);

  await project.write('oneops.yaml', other.replace(asked('key'), asked('kay')));
  const failed = await project.run('preview');
  expect(failed.code).not.toBe(0);
  expect(failed.output).toContain(
    'oneops.yaml:2:91: fn::stackReference: stack "organization/story/dev" has no output "kay"',
  );
  expect(failed.output).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
});
