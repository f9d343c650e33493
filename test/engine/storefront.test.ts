// The demo's story on the real engine, step by step, with what the service was asked and what it contains afterwards.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialectsInTurn } from '../dialects-in-turn';
import { TOKEN } from './live-service';
import { openStory } from './story';

const FILE = readFileSync(join(__dirname, '..', '..', 'examples', 'storefront', 'oneops.yaml'), 'utf8');
const CANARY = 'canary-password-77e1';

/** The one request of a run in which nothing changes. */
const CLOUDS = 'GET clouds.list';

const dialects = dialectsInTurn(1);

describe.each(dialects)('the storefront, %s', (dialect) => {
  let file = FILE;
  const outputs: string[] = [];

  const pulumi = async (...args: readonly string[]) => {
    const run = await project.run(...args);
    outputs.push(run.output);
    return run;
  };
  const edit = async (from: string, to: string): Promise<void> => {
    expect(file).toContain(from);
    file = file.replace(from, to);
    await project.write('oneops.yaml', file);
  };
  const expectClean = async (): Promise<void> => {
    live.requests();
    const preview = await pulumi('preview', '--expect-no-changes');
    expect([preview.code, preview.output]).toEqual([0, expect.any(String)]);
    expect(live.requests()).toEqual([CLOUDS]);
    const refresh = await pulumi('refresh', '--preview-only', '--expect-no-changes', '--diff');
    expect([refresh.code, refresh.output]).toEqual([0, expect.any(String)]);
    expect(live.writes()).toEqual([]);
  };

  const { live, project } = openStory({
    dialect,
    files: { 'oneops.yaml': FILE },
    secrets: { downloadPassword: CANARY },
  });

  test('the preview of a new environment asks who the service is, and which assemblies and clouds there are', async () => {
    const preview = await pulumi('preview');
    expect(preview.output).toContain('+ 17 to create');
    expect(live.requests()).toEqual([CLOUDS, 'GET assemblies.list']);
  });

  test('up: one POST per record, one PUT per adopted one, and the flow of release, environment and deployment', async () => {
    const up = await pulumi('up', '--skip-preview');
    expect(up.output).toContain('+ 17 created');
    const writes = live.writes();
    const count = (route: string): number => writes.filter((write) => write.endsWith(` ${route}`)).length;
    expect(count('assemblies.create')).toBe(1);
    expect(count('platforms.create')).toBe(3);
    expect(count('components.create')).toBe(1);
    expect(count('components.update')).toBe(3);
    expect(count('attachments.create')).toBe(2);
    expect(count('designReleases.commit')).toBe(dialect === 'classic' ? 1 : 0);
    expect(count('environments.create')).toBe(2);
    expect(count('environmentPlatforms.configureCloud')).toBe(1);
    expect(count('environments.commit')).toBe(2);
    expect(count('deployments.create')).toBe(2);
    expect(writes).toHaveLength(dialect === 'classic' ? 18 : 17);
    expect(await live.running('storefront')).toEqual([
      'prod/cache',
      'prod/db',
      'prod/web',
      'staging/cache',
      'staging/db',
      'staging/web',
    ]);
  });

  test('up again: nothing to do, and one request: who the service is', async () => {
    live.requests();
    const up = await pulumi('up', '--skip-preview', '--expect-no-changes');
    expect(up.output).toContain('17 unchanged');
    expect(live.requests()).toEqual([CLOUDS]);
    await expectClean();
  });

  test('an edit of three lines shows three rows, and no value that nobody wrote', async () => {
    await edit('max_threads: 100', 'max_threads: 150');
    await edit('port: 3307', 'port: 3308');
    await edit('pct_scale: 50', 'pct_scale: 60');
    const { output } = await pulumi('preview', '--diff');
    const values = [...output.matchAll(/^ +[~+-] ([^:\n]+?) *: .*=>.*$/gm)].map(([, name]) => name);
    expect(values.sort()).toEqual(['max_threads', 'pctScale', 'port']);
    expect(output).not.toMatch(/stamps|designRelease|__/);
    expect(output).toContain('will pull the design');
  });

  test('every resource knows its place in the file', async () => {
    const state = JSON.parse(await project.state()) as {
      readonly checkpoint: {
        readonly latest: { readonly resources: readonly { readonly type: string; readonly sourcePosition?: string }[] };
      };
    };
    const ours = state.checkpoint.latest.resources.filter(({ type }) => type.includes('oneops:'));
    expect(ours.length).toBeGreaterThan(10);
    for (const { sourcePosition } of ours) expect(sourcePosition).toMatch(/^project:\/\/\/oneops\.yaml#\d+,\d+$/);
  });

  test('no secret is anywhere in clear', async () => {
    const everything = [...outputs, await project.state(), JSON.stringify(live.service.journal())];
    for (const text of everything) {
      expect(text).not.toContain(CANARY);
      expect(text).not.toContain(TOKEN);
    }
  });

  test('destroy leaves the service empty', async () => {
    const destroy = await pulumi('destroy', '--skip-preview');
    expect(destroy.code).toBe(0);
    expect(await live.assemblies()).toEqual([]);
  });
});
