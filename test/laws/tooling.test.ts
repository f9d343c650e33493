// `make` installs the dependencies once: not again after `npm ci`, and again when the lock file
// changes. A release has the same bytes for every umask.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { patternOf, PLATFORMS, ROOT, TIERS } from '../tiers/tiers.cjs';
import { ofNamed } from '../tiers/totals.cjs';
import { cronJob, exampleText } from '../engine/pipeline-scripts';
import { dynamicType } from '../../provider';
import { kinds } from '../../provider/kinds';
import { eachFolder } from '../folder';
import { textOf } from '../docs/page-blocks';

describe('make', () => {
  /** What `npm ci` leaves behind, here as the only thing that it does. */
  const NPM = '#!/bin/sh\necho "ran npm $*"\nmkdir -p node_modules\necho {} > node_modules/.package-lock.json\n';

  /** A machine whose Node is new enough. */
  const NODE = '#!/bin/sh\necho "$PATH"\n';

  const folder = eachFolder();

  beforeEach(() => {
    copyFileSync(join(ROOT, 'Makefile'), join(folder.path, 'Makefile'));
    writeFileSync(join(folder.path, 'package-lock.json'), '{}');
    utimesSync(join(folder.path, 'package-lock.json'), 1_700_000_000, 1_700_000_000);
    for (const [path, text] of Object.entries({ 'bin/npm': NPM, 'engine/node.sh': NODE })) {
      mkdirSync(dirname(join(folder.path, path)));
      writeFileSync(join(folder.path, path), text);
      chmodSync(join(folder.path, path), 0o755);
    }
  });

  /** Installs as every target of the Makefile does before it begins; returns what was run. */
  const install = (): string =>
    execFileSync('make', ['--no-print-directory', 'node_modules/.installed'], {
      cwd: folder.path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, PATH: `${join(folder.path, 'bin')}${delimiter}${process.env['PATH']}`, MAKEFLAGS: '' },
    });

  test('an empty checkout is installed once', () => {
    expect(install()).toContain('ran npm ci');
    expect(install()).not.toContain('ran npm');
  });

  test('what `npm ci` has installed is not installed again', () => {
    execFileSync(join(folder.path, 'bin', 'npm'), ['ci'], { cwd: folder.path });
    expect(install()).not.toContain('ran npm');
  });

  test('a changed lock file is installed', () => {
    install();
    const later = Date.now() / 1_000 + 10;
    utimesSync(join(folder.path, 'package-lock.json'), later, later);
    expect(install()).toContain('ran npm ci');
  });

  test('a tree whose packages are those of another one is refused, because `npm ci` would empty that', () => {
    mkdirSync(join(folder.path, 'other'));
    symlinkSync('other', join(folder.path, 'node_modules'));
    expect(install).toThrow();
    const { stderr, stdout } = spawnSync('make', ['--no-print-directory', 'build'], {
      ...{ cwd: folder.path, encoding: 'utf8' },
      env: { ...process.env, MAKEFLAGS: '' },
    });
    expect(stderr).toMatch(/node_modules is a link to the packages of another tree, .*: remove the link/);
    expect(stdout).toBe('');
  });

  /** What `make release` needs of npm: a tarball with the modes of the files, and two lists. */
  const RELEASING = `#!/bin/bash
if [ "$1" = pack ]; then exec tar -czf "\${@: -1}/it-1.0.0.tgz" --transform 's,^,package/,' package.json bin/run dist/main.js; fi
echo '{"components":[],"dependencies":[],"metadata":{"component":{"bom-ref":"it"}}}'
`;

  /** The checksums of a release of a tree that was checked out and built with a umask. */
  function releasedWith(umask: string): string {
    const files = ['dist/main.js', 'dist/.built', 'dist/plugins/language/templates/one/Pulumi.yaml'];
    const plugins = ['language', 'resource', 'converter'].map((kind) => `dist/plugins/${kind}/pulumi-${kind}-oneops`);
    const written = [
      `umask ${umask}; rm -rf dist node_modules bin/run package.json; mkdir -p node_modules/.cache`,
      ...[...files, ...plugins].map((file) => `mkdir -p $(dirname ${file}); echo content > ${file}`),
      // Without a letter for whom, chmod leaves out what the umask forbids, as a checkout does.
      `echo run > bin/run; chmod +x bin/run ${plugins.join(' ')}`,
      `echo '{ "name": "it", "version": "1.0.0" }' > package.json`,
      `for kind in language resource converter; do echo '{ "inputs": {} }' > node_modules/.cache/bundled-$kind.json; done`,
      'make --no-print-directory -o dist/.built release > /dev/null',
    ];
    execFileSync('bash', ['-ec', written.join('\n')], {
      cwd: folder.path,
      env: { ...process.env, PATH: `${join(folder.path, 'bin')}${delimiter}${process.env['PATH']}`, MAKEFLAGS: '' },
    });
    return readFileSync(join(folder.path, 'release', 'SHA256SUMS'), 'utf8');
  }

  test('a release has the same bytes for every umask, and everybody can enter its folders', () => {
    writeFileSync(join(folder.path, 'bin', 'npm'), RELEASING);
    const open = releasedWith('022');
    expect(open.trim().split('\n')).toHaveLength(6);
    expect(releasedWith('077')).toBe(open);
    const listed = execFileSync('bash', ['-c', 'for each in release/*gz; do tar -tvzf $each; done'], {
      cwd: folder.path,
    });
    const modes = listed
      .toString()
      .split('\n')
      .map((line) => line.slice(0, 10));
    expect([...new Set(modes)].sort()).toEqual(['', '-rw-r--r--', '-rwxr-xr-x', 'drwxr-xr-x']);
  });
});

// Every test file belongs to `make test` or `make verify`, and every suite of a tier exists.

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'], {
  ...{ cwd: ROOT, encoding: 'utf8' },
});
const testFiles = listed
  .split('\n')
  .map((file) => join(ROOT, file))
  .filter((file) => file.endsWith('.test.ts') && existsSync(file));

const filesOf = (suites: readonly string[]): readonly string[] => {
  const pattern = new RegExp(patternOf(suites));
  return testFiles.filter((file) => pattern.test(file));
};

test('every test file runs in `make test` or in `make verify`', () => {
  const suites = ['test', 'verify'].flatMap((tier) => TIERS[tier]!.flatMap((run) => run.suites));
  const run = filesOf(suites);
  expect(run.length).toBeGreaterThan(150);
  expect(testFiles.filter((file) => !run.includes(file))).toEqual([]);
});

test.each(Object.entries(TIERS))('%s names suites that exist', (_, runs) => {
  for (const { suites } of runs) expect(suites.filter((suite) => filesOf([suite]).length === 0)).toEqual([]);
});

test('no run names a suite twice', () => {
  for (const { suites } of Object.values(TIERS).flat()) expect([...new Set(suites)]).toEqual(suites);
});

test('every tier has a command of its name', () => {
  const makefile = readFileSync(join(ROOT, 'Makefile'), 'utf8');
  expect(Object.keys(TIERS).filter((tier) => !new RegExp(`^${tier}:.* ## `, 'm').test(makefile))).toEqual([]);
});

test('a count of a tier is read by one of its suites', () => {
  const readsOf = (file: string): string =>
    readFileSync(file, 'utf8').replace(/dialectsInTurn|rowsInTurn|testInTurn|eachDialect/g, "'DIALECTS'");
  for (const { suites, counts = {} } of Object.values(TIERS).flat()) {
    const text = filesOf(suites).map(readsOf).join('\n');
    expect(Object.keys(counts).filter((name) => !text.includes(`'${name}'`))).toEqual([]);
  }
});

/** Counts that a suite reads, each with what it plays where nothing is said. */
const countsOf = (file: string): readonly (readonly [name: string, least: number])[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:process\.env\['|countOf\(')([A-Z_]+)'(?:\] \?\? '?|, )?([\d_]*)/g)]
    .map(([, name = '', least = '']) => [name, Number(least.replaceAll('_', ''))] as const)
    .filter(([name, least]) => name !== 'SEED' && (least > 0 || name === 'CRASH_POINTS'));

test('a suite of make test plays more in make verify or in a soak, for each count that it reads', () => {
  const longer = Object.entries(TIERS).flatMap(([name, runs]) => (/^verify$|^soak-/.test(name) ? runs : []));
  const plays = longer.map(({ suites, counts = {} }) => ({ files: filesOf(suites), counts }));
  /** A share is what a suite divides by. */
  const isMore = (name: string, least: number, given = ''): boolean =>
    given === 'all' || (given !== '' && (name.startsWith('SHARE') ? Number(given) < least : Number(given) > least));
  const read = filesOf(TIERS['test']!.flatMap(({ suites }) => suites)).flatMap((file) =>
    countsOf(file).map(([name, least]) => ({ file, name, least })),
  );
  expect(read.length).toBeGreaterThan(20);
  const short = read.filter(
    ({ file, name, least }) =>
      !plays.some(({ files, counts }) => files.includes(file) && isMore(name, least, counts[name])),
  );
  expect(short.map(({ file, name }) => `${relative(ROOT, file)} ${name}`)).toEqual([]);
});

test('a soak plays both dialects of suites that make test and make verify play in turn', () => {
  const soaks = Object.entries(TIERS).flatMap(([name, runs]) => (name.startsWith('soak-') ? runs : []));
  const single = soaks
    .filter(({ counts = {} }) => counts['DIALECTS'] !== 'all')
    .flatMap(({ suites }) => filesOf(suites));
  expect(single.filter((file) => readFileSync(file, 'utf8').includes("dialects-in-turn';"))).toEqual([]);
});

test('a run for one kind leaves out the others, and fails if it judged nothing', () => {
  const totals = { suites: 5, passed: 37, failed: 0, skipped: 814 };
  expect(ofNamed(totals)).toEqual({ ...totals, skipped: 0 });
  expect(ofNamed({ ...totals, failed: 2 }).failed).toBe(2);
  expect(ofNamed({ ...totals, passed: 0 }).failed).toBe(1);
});

test('the newest platform of the matrix is the one that everything else runs on, and the oldest what package.json promises', () => {
  const manifest = JSON.parse(textOf('package.json')) as {
    readonly engines: { readonly node: string };
    readonly [of: string]: { readonly [name: string]: string };
  };
  const { NODE, SDK, CLI } = PLATFORMS;
  expect(`${manifest.engines.node}.0`).toBe(`>=${NODE[0]}`);
  expect(textOf('engine/node.sh')).toContain(`VERSION=\${1:-${NODE[1]}}`);
  expect(manifest['peerDependencies']?.['@pulumi/pulumi']).toBe(`>=${SDK[0]} <4`);
  expect(manifest['devDependencies']?.['@pulumi/pulumi']).toBe(SDK.at(-1));
  expect(textOf('engine/go.mod')).toContain(`pulumi/pkg/v3 v${CLI.at(-1)}\n`);
  expect(textOf('engine/versions.mjs')).toContain(`OLDEST_USED = '${CLI[0]}'`);
  expect(textOf('cli/pulumi-cli.ts')).toContain(`[${CLI[0]?.split('.').slice(0, 2).join(', ')}] as const`);
});

// The files of examples/pipelines: what they need is said, what they use is pinned, and nothing of
// theirs holds up anything else. test/engine/pipelines.test.ts runs the scripts.

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

// What Pulumi's registry demands of a package: two pages, and a schema for every language.
describe('registry', () => {
  interface Property {
    readonly description?: string;
    readonly secret?: boolean;
    readonly defaultInfo?: { readonly environment: readonly string[] };
  }

  interface Resource {
    readonly description: string;
    readonly aliases: readonly { readonly type: string }[];
    readonly properties: { readonly [name: string]: Property };
    readonly inputProperties: { readonly [name: string]: Property };
  }

  const schema = JSON.parse(textOf('schema.json')) as {
    readonly [fact: string]: unknown;
    readonly keywords: readonly string[];
    readonly config: { readonly variables: { readonly [name: string]: Property } };
    readonly resources: { readonly [token: string]: Resource };
    readonly types: { readonly [token: string]: object };
    readonly functions: { readonly [token: string]: object };
    readonly language: { readonly [language: string]: { readonly [setting: string]: unknown } };
  };
  const variables = Object.entries(schema.config.variables);

  test.each(['docs/_index.md', 'docs/installation-configuration.md'])('%s is a page of the registry', (path) => {
    const [, matter = '', text = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(textOf(path)) ?? [];
    expect(matter.split('\n').map((line) => line.split(': ')[0])).toEqual(['title', 'meta_desc', 'layout']);
    expect(matter).toMatch(/^layout: package$/m);
    expect(text).not.toMatch(/!\[[^\]]*\]\((?!https:)|<img/);
    expect(text).not.toMatch(/\]\([^)]*\.md[)#]/);
    // Pulumi's registry writes the title of the page.
    expect(text.replace(/^```[^]*?^```$/gm, '')).not.toMatch(/^# /m);
  });

  test('the first page shows the program that runs in test/engine/plugin.test.ts', () => {
    const [, block = 'no block'] = /```yaml\n([^]*?)```/.exec(textOf('docs/_index.md')) ?? [];
    expect(textOf('docs/plugin.md')).toContain(block);
  });

  test('the second page lists every setting with its environment variable', () => {
    const page = textOf('docs/installation-configuration.md');
    for (const [name, { defaultInfo, description }] of variables) {
      const variable = (defaultInfo?.environment ?? []).map((word) => `\`${word}\``).join(', ');
      expect(page).toContain(`| \`oneops:${name}\` | ${variable} | ${description ?? 'nothing'} |`);
    }
  });

  test('the package says who publishes it, where it is and what it is', () => {
    const placeholder = 'https://github.com/pulumi-oneops/pulumi-oneops';
    const { publisher, repository, homepage, logoUrl, displayName, license, keywords } = schema;
    expect({ publisher, repository, homepage }).toEqual({
      publisher: 'pulumi-oneops',
      repository: placeholder,
      homepage: `${placeholder}#readme`,
    });
    expect([displayName, license]).toEqual(['OneOps', 'Apache-2.0']);
    const logo = /^https:\/\/raw\.githubusercontent\.com\/pulumi-oneops\/pulumi-oneops\/main\/(.*)$/.exec(
      String(logoUrl),
    );
    expect(existsSync(join(ROOT, logo?.[1] ?? 'no logo'))).toBe(true);
    expect(keywords).toEqual(expect.arrayContaining(['category/infrastructure', 'kind/native']));
  });

  test('settings that the environment may give have it as default, and the token is a secret', () => {
    const fromEnvironment = variables.flatMap(([name, { defaultInfo }]) => (defaultInfo ? [name] : []));
    expect(fromEnvironment.sort()).toEqual(['audit', 'offlinePreview', 'organization', 'readOnly', 'token', 'url']);
    for (const [name, { defaultInfo }] of variables)
      if (defaultInfo)
        expect(defaultInfo.environment).toEqual([
          `ONEOPS_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
        ]);
    expect(variables.flatMap(([name, { secret }]) => (secret ? [name] : []))).toEqual(['token']);
  });

  test.each(kinds.map(({ token }) => token))('%s has an example, an import line and its dynamic type', (token) => {
    const { description, aliases } = schema.resources[`oneops:index:${token}`] as Resource;
    expect(description).toMatch(
      new RegExp(`\n## Example Usage\n\n\`\`\`yaml\nresources:\n[^]*type: oneops:${token}\n[^]*\n\`\`\`\n`),
    );
    expect(description).toMatch(
      new RegExp(`\n## Import\n\n\`\`\`sh\npulumi import oneops:index:${token} \\S+ \\S+\n\`\`\`$`),
    );
    expect(aliases).toEqual([{ type: dynamicType(token) }]);
  });

  test('no two names are the same in a language: classes, their arguments and states, functions, and members of a class', () => {
    const classes = Object.keys(schema.resources).flatMap((token) => [token, `${token}Args`, `${token}State`]);
    const all = [...classes, ...Object.keys(schema.types), ...Object.keys(schema.functions)].map((each) =>
      each.toLowerCase(),
    );
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
    for (const [token, { properties, inputProperties }] of Object.entries(schema.resources)) {
      // In C#, a member has not the name of its class.
      const own = token.replace(/^.*:/, '').toLowerCase();
      const names = Object.keys({ ...properties, ...inputProperties }).map((name) => name.toLowerCase());
      expect(names.filter((name, index) => names.indexOf(name) !== index || name === own)).toEqual([]);
    }
  });

  test('each language has the name of its package', () => {
    const { nodejs, python, go, csharp, java } = schema.language;
    expect([
      nodejs?.['packageName'],
      python?.['packageName'],
      csharp?.['rootNamespace'],
      java?.['basePackage'],
    ]).toEqual(['@pulumi-oneops/plugin-sdk', 'pulumi_oneops', 'PulumiOneOps', 'com.pulumioneops']);
    expect(go?.['importBasePath']).toBe('github.com/pulumi-oneops/pulumi-oneops/sdk/go/oneops');
  });
});
