// The graph command: the same graph in each format, and names that hold signs of a format.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../test/run-command';
import { graphMermaid, graphCommand } from './graph';

const STACK = `assembly: { name: shop }
platforms:
  web:
    pack: oneops/tomcat:1
    links: [db]
    components: { user: { deployer: { description: 'of \${platforms.cache.ciId}' } } }
  db: { pack: oneops/mysql:1 }
  cache: { pack: oneops/custom:1 }
environments:
  dev: { clouds: [east] }
  prod:
    clouds: { east: { priority: 1 }, west: { priority: 2 } }
    platforms: { cache: { enabled: false } }
`;

const before = process.cwd();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'graph-'));
  process.chdir(folder);
  writeFileSync('oneops.yaml', STACK);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const shown = async (...words: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await runCommand(graphCommand, {}, ...words);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};

test('data: links and references make dependencies; clouds, and what is down', async () => {
  expect(JSON.parse(await shown('--json'))).toEqual({
    assembly: 'shop',
    platforms: expect.arrayContaining([
      { name: 'web', pack: 'oneops/tomcat:1', dependsOn: expect.arrayContaining(['db', 'cache']) as unknown },
      { name: 'db', pack: 'oneops/mysql:1', dependsOn: [] },
      { name: 'cache', pack: 'oneops/custom:1', dependsOn: [] },
    ]) as unknown,
    environments: expect.arrayContaining([
      { name: 'dev', clouds: [{ name: 'east', priority: 1 }], down: [] },
      {
        name: 'prod',
        clouds: [
          { name: 'east', priority: 1 },
          { name: 'west', priority: 2 },
        ],
        down: ['cache'],
      },
    ]) as unknown,
  });
});

test('text', async () => {
  const text = await shown();
  expect(text).toMatch(/^assembly shop$/m);
  expect(text).toMatch(/^ {2}web {4}oneops\/tomcat:1\n {9}depends on (db, cache|cache, db)$/m);
  expect(text).toMatch(/^environment prod\n {2}primary {4}east\n {2}secondary {2}west\n {2}down {7}cache$/m);
});

test('Mermaid names each thing once, and each dependency', async () => {
  const mermaid = await shown('--format', 'mermaid');
  expect(mermaid.match(/^ {2}p\d --> p\d$/gm)).toHaveLength(2);
});

test('no name is read as syntax', () => {
  const graph = {
    assembly: '<b>&"',
    platforms: [{ name: '"]--><script>', pack: 'a/b:1', dependsOn: [] }],
    environments: [],
  };
  expect(graphMermaid(graph)).not.toMatch(/<script|<b>|"\]-/);
});

test('a wrong file is a finding, a wrong format an error', async () => {
  writeFileSync('wrong.yaml', 'assembly: { name: shop, ownr: x }\n');
  const { code, stderr } = await runCommand(graphCommand, {}, 'wrong.yaml');
  expect([code, stderr]).toEqual([3, expect.stringContaining('wrong.yaml:1:')]);
  await expect(async () => runCommand(graphCommand, {}, '--format', 'mermaids')).rejects.toThrow(
    'did you mean "mermaid"?',
  );
});
