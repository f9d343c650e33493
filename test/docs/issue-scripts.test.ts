// The scripts that keep one issue for the drift of a stack, with `gh` and `glab`: run against a command that stands in
// for both, keeps the issues in a file and records each call.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { renderReview } from '../../drift';
import { sampleFinding, sampleReview } from '../world/sample-review';

const ROOT = join(__dirname, '..', '..');
const STUB = join(ROOT, 'test', 'engine', 'platform-stub.cjs');
const TOKEN = 'canary-issue-token-57';
const DRIFT = renderReview('markdown', sampleReview());
const OTHER_DRIFT = renderReview('markdown', sampleReview({ findings: [sampleFinding(1)] }));
const IN_SYNC = renderReview('markdown', sampleReview({ findings: [], outcome: 'in-sync', summary: 'in sync' }));

describe.each([
  ['github-issue.sh', 'gh', { GH_TOKEN: TOKEN, GH_REPO: 'acme/shop' }],
  ['gitlab-issue.sh', 'glab', { GITLAB_TOKEN: TOKEN, CI_PROJECT_URL: 'https://gitlab.example.com/acme/shop' }],
])('%s', (script, program, settings) => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'oneops-issue-'));
    writeFileSync(join(folder, program), `#!/bin/sh\nexec '${process.execPath}' '${STUB}' ${program} "$@"\n`);
    chmodSync(join(folder, program), 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs the script after a review with this report and exit code. */
  const after = (report: string, status: number, { stack = 'dev', given = settings } = {}): number | null => {
    writeFileSync(join(folder, 'drift.md'), report);
    const path = join(ROOT, 'examples', 'pipelines', 'shell', script);
    return spawnSync('sh', [path, stack, 'drift.md', String(status)], {
      cwd: folder,
      env: { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`, PLATFORM_FOLDER: folder, ...given },
    }).status;
  };
  const textOf = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  const issues = (): unknown => JSON.parse(textOf('issues.json') || '[]');
  /** The verbs that were called since the last look. */
  let seen = 0;
  const verbs = (): readonly string[] => {
    const all = textOf('calls.jsonl').split('\n').slice(0, -1);
    const fresh = all.slice(seen).map((line) => (JSON.parse(line) as readonly string[]).slice(1, 3).join(' '));
    seen = all.length;
    return fresh.filter((verb) => verb !== 'issue list');
  };
  beforeEach(() => {
    seen = 0;
  });

  const body = (report: string): string => (program === 'glab' ? report.trimEnd() : report);
  const edit = program === 'gh' ? 'issue edit' : 'issue update';
  const title = 'Drift in dev';
  const label = 'oneops-drift-dev';

  test('one issue is opened, updated, closed, and opened again', () => {
    expect(after(DRIFT, 2)).toBe(0);
    expect(issues()).toEqual([{ number: 1, title, label, state: 'OPEN', body: body(DRIFT) }]);
    expect(after(OTHER_DRIFT, 2)).toBe(0);
    expect(issues()).toEqual([{ number: 1, title, label, state: 'OPEN', body: body(OTHER_DRIFT) }]);
    verbs();
    expect(after(IN_SYNC, 0)).toBe(0);
    expect(issues()).toEqual([{ number: 1, title, label, state: 'CLOSED', body: body(IN_SYNC) }]);
    expect(verbs()).toEqual([edit, 'issue close']);
    expect(after(IN_SYNC, 0)).toBe(0);
    expect(verbs()).toEqual([]);
    expect(after(DRIFT, 2)).toBe(0);
    expect(issues()).toEqual([{ number: 1, title, label, state: 'OPEN', body: body(DRIFT) }]);
    expect([...verbs()].sort()).toEqual([edit, 'issue reopen'].sort());
    expect(textOf('calls.jsonl')).not.toContain(TOKEN);
  });

  test('a stack in sync has no issue, and each stack has its own', () => {
    expect(after(IN_SYNC, 0)).toBe(0);
    expect(issues()).toEqual([]);
    for (const stack of ['dev', 'dev2', 'dev']) expect(after(DRIFT, 2, { stack })).toBe(0);
    expect(issues()).toMatchObject([{ label: 'oneops-drift-dev' }, { label: 'oneops-drift-dev2' }]);
  });

  test('a review that was not completed calls nothing, and the script ends with its exit code', () => {
    for (const status of [1, 3, 4, 6]) expect(after(IN_SYNC, status)).toBe(status);
    expect(textOf('calls.jsonl')).toBe('');
  });

  test('an issue that cannot be looked for is not opened twice: the script fails', () => {
    expect(after(DRIFT, 2, { given: { ...settings, GH_TOKEN: '', GITLAB_TOKEN: '' } })).not.toBe(0);
    expect([verbs(), issues()]).toEqual([[], []]);
  });
});
