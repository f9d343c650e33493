// What a person can get wrong, each on the real engine: one clear message, no stack trace, a non-zero exit, and nothing written.
import { findEngine, newProject, programFiles, type Engine, type ProgramResource } from '../world/engine';
import { TOKEN } from './live-service';
import { openStory } from './story';

const GOOD = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      user:
        deployer:
          username: deployer
          attachments:
            motd: { path: /etc/motd, content: hello, runs_on: [after-add] }
environments:
  prod:
    clouds: { east: { priority: 1 } }
`;

/** A mistake: what is put in place of what, and what the message must hold. */
const MISTAKES: {
  readonly [mistake: string]: { readonly text: string; readonly tells: readonly (string | RegExp)[] };
} = {
  'an unknown key': {
    text: GOOD.replace('platforms:', 'platfroms:'),
    tells: ['oneops.yaml:2:1', 'unknown key "platfroms"', 'did you mean "platforms"?'],
  },
  'a cycle': {
    text: GOOD.replace(
      'pack: oneops/tomcat:1',
      'pack: oneops/tomcat:1\n    links: [db]\n  db:\n    pack: oneops/mysql:1\n    links: [web]',
    ).replace(/ {4}components:[^]*?environments/, 'environments'),
    tells: ['cycle'],
  },
  'several mistakes at once': {
    text: GOOD.replace('platforms:', 'platfroms:').replace('priority: 1', 'priority: 3'),
    tells: ['platfroms', 'must be 1 or 2, not 3', '2 errors'],
  },
};

let engine: Engine;

const { live, project } = openStory({ files: { 'oneops.yaml': GOOD } });
beforeAll(async () => {
  engine = await findEngine();
});

const expectClear = (
  run: { readonly code: number; readonly output: string },
  tells: readonly (string | RegExp)[],
): void => {
  for (const part of tells) expect(run.output).toMatch(part);
  expect(run.output).not.toMatch(/\n\s+at \S+ \(|node:internal|Unhandled|\.js:\d+/);
  expect(run.output).not.toContain(TOKEN);
  expect(run.code).not.toBe(0);
};

test.each(Object.entries(MISTAKES))('%s', async (_, { text, tells }) => {
  await project.write('oneops.yaml', text);
  live.requests();
  const run = await project.run('up', '--skip-preview');
  const parts = tells.map((part) =>
    typeof part === 'string' ? new RegExp(part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : part,
  );
  expectClear(run, parts);
  expect(run.output.match(/oneops\.yaml:\d+:\d+: error/g)?.length ?? 0).toBeGreaterThanOrEqual(1);
  expect(live.requests()).toEqual([]);
});

test('two resources of a program for one record: the preview names both', async () => {
  const platform = (name: string): ProgramResource => ({
    token: 'Platform',
    name,
    args: { assembly: { resource: 'Assembly::shop' }, name: 'web', source: 'oneops', pack: 'tomcat', version: '1' },
  });
  const shop = { token: 'Assembly', name: 'shop', args: { owner: 'team@acme.io' } };
  const twice = await newProject({
    engine,
    files: programFiles([shop, platform('front'), platform('back')]),
    config: { 'oneops:url': live.url, 'oneops:organization': 'acme' },
    secrets: { 'oneops:token': TOKEN },
  });
  const run = await twice.run('preview');
  await twice.remove();
  expectClear(run, [/"(front|back)" and "(back|front)" both declare the record Platform shop\/web/]);
  expect(live.writes()).toEqual([]);
});
