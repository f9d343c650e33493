// The example storefront on the real engine, with what the service was asked and what it contains.
// What each step of it sends is counted in kinds/budgets.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialectsInTurn } from '../dialects-in-turn';
import { openStory } from './story';

const FILE = readFileSync(join(__dirname, '..', '..', 'examples', 'storefront', 'oneops.yaml'), 'utf8');

/** The one request of a run in which nothing changes. */
const CLOUDS = 'GET clouds.list';

const dialects = dialectsInTurn(1);

describe.each(dialects)('the storefront, %s', (dialect) => {
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

  test('the preview of a new environment asks who the service is, and which assemblies and clouds there are', async () => {
    const preview = await project.run('preview');
    expect(preview.output).toContain('+ 17 to create');
    expect(live.requests()).toEqual([CLOUDS, 'GET assemblies.list']);
  });

  test('up, and nothing is left to do', async () => {
    const up = await project.run('up', '--skip-preview');
    expect(up.output).toContain('+ 17 created');
    const running = ['prod', 'staging'].flatMap((name) => ['cache', 'db', 'web'].map((each) => `${name}/${each}`));
    expect(await live.running('storefront')).toEqual(running);
    live.requests();
    expect(await project.run('preview', '--expect-no-changes')).toExitWith(0);
    expect(live.requests()).toEqual([CLOUDS]);
    expect(await project.run('refresh', '--preview-only', '--expect-no-changes', '--diff')).toExitWith(0);
    expect(live.writes()).toEqual([]);
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
