// The files of examples/pipelines: what they need is said, what they use is pinned, and nothing of theirs holds up anything else.
// It must not run a script: test/engine/pipelines.test.ts does.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { cronJob, exampleText } from '../engine/pipeline-scripts';

const files = readdirSync(join(__dirname, '..', '..', 'examples', 'pipelines'), {
  recursive: true,
  encoding: 'utf8',
  withFileTypes: true,
})
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) =>
    relative(join(__dirname, '..', '..', 'examples', 'pipelines'), join(parentPath, name)),
  );

test.each(files.filter((file) => /\.ya?ml$/.test(file)))('%s is YAML', (file) => {
  for (const { errors, warnings } of parseAllDocuments(exampleText(file))) expect([...errors, ...warnings]).toEqual([]);
});

test('every action is pinned by its commit, every image and the CLI by a version', () => {
  for (const file of files.filter((each) => /\.ya?ml$|Jenkinsfile$/.test(each))) {
    const text = exampleText(file);
    // What comes with the package is pinned by package-lock.json.
    for (const [, action = ''] of text.matchAll(/^ +(?:- )?uses: (\S+)/gm))
      if (!action.startsWith('./node_modules/pulumi-oneops/')) expect(action).toMatch(/@[0-9a-f]{40}$/);
    for (const [, image] of text.matchAll(
      /(?:image:|image|reference:|container:|FROM) '?([\w.]+\/[\w./-]+\S*?)'?(?:\s|$)/g,
    ))
      expect(image).toMatch(/:v?\d+\.\d+\.\d+/);
    for (const [, version] of text.matchAll(/--version (\S+)/g)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

test('every preview for a comment lists unchanged records, too, which policies judge', () => {
  const previews = files.flatMap((file) => exampleText(file).match(/pulumi preview [^\n]*--json[^\n]*/g) ?? []);
  expect(previews.length).toBeGreaterThanOrEqual(4);
  expect(previews.filter((each) => !each.includes(' --show-sames '))).toEqual([]);
});

test('no script is fetched and run', () => {
  for (const file of files)
    expect([file, exampleText(file)]).toEqual([file, expect.not.stringMatching(/curl[^\n]*\|\s*(?:ba)?sh\b/)]);
});

interface GithubJob {
  readonly environment?: string;
  readonly needs?: string;
  readonly steps: readonly { readonly uses?: string; readonly with?: { readonly [name: string]: string } }[];
}
const githubJobs = (file: string): readonly (readonly [string, GithubJob])[] =>
  Object.entries((parseAllDocuments(exampleText(file))[0]?.toJS() as { jobs: { [name: string]: GithubJob } }).jobs);
const workflows = files.filter((file) => /^github-actions\/[^/]+$/.test(file));
const header = (text: string): string => /^(?:(?:#|\/\/).*\n)+/.exec(text)?.[0] ?? '';

test.each(workflows)('%s begins with every secret, variable and environment it needs', (file) => {
  const text = exampleText(file);
  const needed = [...text.matchAll(/\$\{\{ (?:secrets|vars)\.(\w+) \}\}|environment: (\w+)/g)].map(
    ([, name, environment]) => name ?? `"${environment}"`,
  );
  expect(needed.length).toBeGreaterThan(3);
  expect(needed.filter((name) => !header(text).includes(name))).toEqual([]);
});

test.each(workflows)('%s: the token that may write exists only in an environment that contains it', (file) => {
  const writing = githubJobs(file).filter(([, job]) => JSON.stringify(job).includes('secrets.ONEOPS_TOKEN'));
  expect(writing.map(([, { environment }]) => environment)).toEqual(writing.map(() => 'dev'));
});

test('a repair on GitHub waits for approval in a job that holds up nothing', () => {
  const jobs = Object.fromEntries(githubJobs('github-actions/drift.yaml'));
  expect(jobs['repair']?.needs).toBe('approve');
  expect(Object.keys(jobs['approve'] ?? {}).sort()).toEqual(['environment', 'if', 'needs', 'runs-on', 'steps']);
});

test("GitLab's and Jenkins's repairs hold up nothing either", () => {
  const jobs = Object.values(
    parseAllDocuments(exampleText('gitlab-ci/.gitlab-ci.yml'))[0]?.toJS() as { [name: string]: unknown },
  ).flatMap((job) => (job as { readonly rules?: readonly { readonly [key: string]: unknown }[] }).rules ?? []);
  const manual = jobs.filter(({ when }) => when === 'manual');
  expect(manual.map((rule) => rule['allow_failure'])).toEqual([true]);
  expect(exampleText('jenkins/Jenkinsfile')).not.toMatch(/^\s*input\b/m);
});

test('what opens the state is given and named wherever the state is', () => {
  const withState = files
    .filter((file) => /\.(?:ya?ml|sh)$|Jenkinsfile$/.test(file))
    .filter((file) => /PULUMI_BACKEND_URL|^ +backend:/m.test(exampleText(file)));
  expect(withState.length).toBeGreaterThan(6);
  for (const file of withState)
    expect([file, exampleText(file)]).toEqual([file, expect.stringContaining('AWS_SECRET_ACCESS_KEY')]);
  for (const file of workflows)
    for (const [name, job] of githubJobs(file).filter(([, each]) => JSON.stringify(each).includes('BACKEND_URL')))
      expect([file, name, job]).toEqual([
        file,
        name,
        expect.objectContaining({
          env: expect.objectContaining({
            AWS_ACCESS_KEY_ID: '${{ secrets.AWS_ACCESS_KEY_ID }}',
            AWS_SECRET_ACCESS_KEY: '${{ secrets.AWS_SECRET_ACCESS_KEY }}',
          }) as unknown,
        }),
      ]);
});

test('every report for a machine reaches one', () => {
  const steps = githubJobs('github-actions/drift.yaml').flatMap(([, { steps: all }]) => all);
  const sarif = steps.find(({ uses }) => uses?.includes('/upload-sarif@'));
  expect(exampleText('github-actions/drift.yaml')).toContain(`--report sarif=${sarif?.with?.['sarif_file']}`);
  expect(exampleText('gitlab-ci/.gitlab-ci.yml')).toMatch(/junit=drift\.xml[^]*junit: drift\.xml/);
  expect(exampleText('jenkins/Jenkinsfile')).toMatch(/junit=drift\.xml[^]*junit testResults: 'drift\.xml'/);
});

test('the CronJob never runs twice at a time', () => {
  expect(cronJob().concurrencyPolicy).toBe('Forbid');
});

test.each(['Jenkinsfile', 'approved-plan/Jenkinsfile'])('%s: brackets and quotes are in pairs', (file) => {
  const code = exampleText(`jenkins/${file}`).replace(
    /'''[^]*?'''|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\/\/.*$/gm,
    '',
  );
  const open: string[] = [];
  for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(bracket)) open.push(bracket);
    else expect(`${open.pop()}${bracket}`).toMatch(/^(?:\(\)|\[\]|\{\})$/);
  }
  expect([open, code.includes("'"), code.includes('"')]).toEqual([[], false, false]);
});
