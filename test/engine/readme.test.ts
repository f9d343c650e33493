// The README's TypeScript and its demo on the real engine. Its YAML goes up in package.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { descendantsOf, findEngine, isThere, REPOSITORY, type Engine } from '../world/engine';
import { until } from '../hand-timers';
import { inlineProgram, type InlineProgram } from './inline-program';
import { TOKEN } from './live-service';
import { openStories } from './story';

const README = join(REPOSITORY, 'README.md');

/** The first block of a language after a heading. */
async function blockAfter(heading: string, language: string): Promise<string> {
  const text = await readFile(README, 'utf8');
  const after = text.slice(text.indexOf(`## ${heading}`));
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(after)?.[1] ?? `no ${language} after ${heading}`;
}

const { live } = openStories();

describe('the TypeScript', () => {
  let project: InlineProgram;

  const drive = async (...operation: readonly string[]) => {
    const settings = { 'oneops:url': live.url, 'oneops:organization': 'acme', 'oneops:token': TOKEN };
    const driven = await project.drive(settings, ...operation);
    expect([driven.ok, driven.shown]).toEqual([true, expect.any(String)]);
    return driven;
  };

  beforeAll(async () => {
    project = await inlineProgram({ 'program.ts': await blockAfter('The same in TypeScript', 'ts') });
  });

  afterAll(() => project.remove());

  test('goes up as an inline program, has nothing to do again, and goes away', async () => {
    live.requests();
    const preview = await drive('preview');
    expect(preview.changes).toEqual({ create: 7 });
    // Both are sent at once.
    expect(live.requests().toSorted()).toEqual(['GET assemblies.list', 'GET clouds.list']);
    const up = await drive('up');
    expect(up.changes).toEqual({ create: 7 });
    expect(up.outputs['deployment']).toEqual(expect.any(Number));
    expect(await live.running('shop')).toEqual(['prod/web']);
    live.requests();
    const again = await drive('up', 'expectNoChanges');
    expect(again.changes).toEqual({ same: 7 });
    expect(live.requests()).toEqual(['GET clouds.list']);
    await drive('destroy');
    expect(await live.assemblies()).toEqual([]);
  });
});

// The picture of `pulumi-oneops demo` in the README: what it printed, without what differs from run to
// run, as an SVG.

/** What differs from run to run, and what the picture shows instead. */
const MASKS: readonly (readonly [pattern: RegExp, shown: string])[] = [
  [/^( +[+~-] +oneops:index:.*?) \(\d[\d.]*s\).*$/, '$1'],
  [/maria, [^,]+, \d{4}-\d\d-\d\d \d\d:\d\d UTC/, 'maria, 3 minutes ago, 2026-11-21 14:10 UTC'],
  [/release \d+/, 'release 3026'],
  [/^( +\w+ *: )\d+$/, '$12889'],
  [/\S*pulumi-oneops-report-[^/]+/, '/tmp/pulumi-oneops-report-x7Fq2a'],
];

/** How many resources of a run are shown. */
const SHOWN = 5;

const isResource = (line: string): boolean => / oneops:index:/.test(line);

/** The lines of the picture. */
function recordedLines(printed: string): readonly string[] {
  const shown = printed
    .trimEnd()
    // The head of a review has an address, times and counts of requests; its end repeats what to do.
    .replace(/^( +Drift review of .*)\n(?: +\S.*\n)*/gm, '$1\n')
    .replace(/^ +── What to do [^]*?\n\n/gm, '')
    // The engine shows outputs that changed, and a row may have reported twice.
    .replace(/^ +Outputs:\n(?: +\w+ *: .*\n)*/gm, '')
    .split('\n')
    .map((line) => MASKS.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line).trimEnd());
  const runs = shown.reduce<string[][]>((all, line) => {
    const last = all.at(-1);
    if (last !== undefined && isResource(line) && isResource(last[0] ?? '')) last.push(line);
    else all.push([line]);
    return all;
  }, []);
  // Resources of one run are done in parallel, in any order.
  return runs
    .map((run) => [...new Set(run)].sort())
    .flatMap((run) => (run.length <= SHOWN ? run : [...run.slice(0, SHOWN), `   … and ${run.length - SHOWN} more`]));
}

const [LINE, COLUMN, MARGIN] = [18, 7.83, 16];
const COLOURS: readonly (readonly [pattern: RegExp, colour: string])[] = [
  [/^\$ /, '#ffffff'],
  [/^ +(\+|~) /, '#7ee787'],
  [/DRIFT: |HIGH \(|MEDIUM \(/, '#ff7b72'],
  [/IN SYNC/, '#7ee787'],
  [/^\S/, '#a5d6ff'],
];

/** A terminal that shows the lines. */
function pictureOf(lines: readonly string[]): string {
  const [width, height] = [Math.round(83 * COLUMN + 2 * MARGIN), (lines.length + 1) * LINE + MARGIN];
  const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>What npx pulumi-oneops demo prints</title>',
    '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>',
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">',
    ...lines.map((line, index) => {
      const colour = COLOURS.find(([pattern]) => pattern.test(line))?.[1] ?? '#c9d1d9';
      return `<text xml:space="preserve" x="${MARGIN}" y="${MARGIN + (index + 1) * LINE}" fill="${colour}">${escaped(line)}</text>`;
    }),
    '</g>',
    '</svg>\n',
  ].join('\n');
}

describe('the demo', () => {
  const PICTURE = join(REPOSITORY, 'docs', 'images', 'demo.svg');
  let engine: Engine;
  let folder: string;

  beforeAll(async () => {
    engine = await findEngine();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oneops-demo-story-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Starts the demo with a folder for everything that it makes. */
  const startDemo = () => {
    const child = spawn(process.execPath, [join(REPOSITORY, 'bin', 'pulumi-oneops'), 'demo', '--no-open'], {
      cwd: folder,
      env: {
        PATH: [join(engine.root, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
        TMPDIR: folder,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const heard = { output: '' };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (heard.output += String(bytes)));
    return { child, heard };
  };

  test('ends well, keeps nothing but its report, and prints what the picture in the README shows', async () => {
    const { child, heard } = startDemo();
    await once(child, 'close');
    expect({ code: child.exitCode, output: heard.output }).toExitWith(0);
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^pulumi-oneops-report-/)]);
    const picture = pictureOf(recordedLines(heard.output));
    // RECORD=1 make stories ONLY=readme writes the picture again.
    if (process.env['RECORD'] !== undefined) await writeFile(PICTURE, picture);
    expect(picture).toBe(await readFile(PICTURE, 'utf8'));
    expect(heard.output).not.toContain('warning: using');
    expect(heard.output.split('\n').filter((line) => line.length > 110)).toEqual([]);
  });

  const SAID = 'stopped; nothing is left behind';

  test.each<[string, string, (child: ReturnType<typeof startDemo>['child']) => void]>([
    ['stopped half-way', SAID, (child) => child.kill('SIGINT')],
    ['stopped by the end of its terminal', SAID, (child) => child.kill('SIGHUP')],
    ['not read any more', '', (child) => child.stdout.destroy()],
  ])('leaves nothing behind when it is %s', async (_, says, stop) => {
    const { child, heard } = startDemo();
    while (!heard.output.includes('$ pulumi up')) await once(child.stdout, 'data');
    let started: readonly number[] = [];
    await until(() => (started = descendantsOf(child.pid ?? -1)).length >= 3);
    stop(child);
    await once(child, 'close');
    expect([child.exitCode, heard.output]).toEqual([130, expect.stringContaining(says)]);
    expect(heard.output).not.toMatch(/^ +at /m);
    expect(await readdir(folder)).toEqual([]);
    await until(() => !started.some(isThere));
  });
});
