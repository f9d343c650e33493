// The example storefront on the real engine: what runs, and what a preview shows of an edit. What
// each step of it sends is counted in kinds/budgets.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialectsInTurn } from '../dialects-in-turn';
import { openStory } from './story';

const FILE = readFileSync(join(__dirname, '..', '..', 'examples', 'storefront', 'oneops.yaml'), 'utf8');

describe.each(dialectsInTurn(1))('the storefront, %s', (dialect) => {
  let file = FILE;
  const edit = async (from: string, to: string): Promise<void> => {
    expect(file).toContain(from);
    file = file.replace(from, to);
    await project.write('oneops.yaml', file);
  };
  const { live, project } = openStory({
    dialect,
    files: { 'oneops.yaml': FILE },
    secrets: { downloadPassword: 'a-password' },
  });

  test('up', async () => {
    expect((await project.run('up', '--skip-preview')).output).toContain('+ 17 created');
    const running = ['prod', 'staging'].flatMap((name) => ['cache', 'db', 'web'].map((each) => `${name}/${each}`));
    expect(await live.running('storefront')).toEqual(running);
  });

  test('an edit of three lines shows three rows, and no value that nobody wrote', async () => {
    await edit('max_threads: 100', 'max_threads: 150');
    await edit('port: 3307', 'port: 3308');
    await edit('pct_scale: 50', 'pct_scale: 60');
    const { output } = await project.run('preview', '--diff');
    const values = [...output.matchAll(/^ +[~+-] ([^:\n]+?) *: .*=>.*$/gm)].map(([, name]) => name);
    expect(values.sort()).toEqual(['max_threads', 'pctScale', 'port']);
    expect(output).not.toMatch(/stamps|designRelease|__/);
    expect(output).toContain('will pull the design');
  });

  test('destroy leaves the service empty', async () => {
    expect(await project.run('destroy', '--skip-preview')).toExitWith(0);
    expect(await live.assemblies()).toEqual([]);
  });
});
