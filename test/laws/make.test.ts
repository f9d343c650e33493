// `make` installs the dependencies once: not again after `npm ci`, and again when the lock file changes. A release has the same bytes for every umask.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** What `npm ci` leaves behind, here as the only thing that it does. */
const NPM = '#!/bin/sh\necho "ran npm $*"\nmkdir -p node_modules\necho {} > node_modules/.package-lock.json\n';

/** A machine whose Node is new enough. */
const NODE = '#!/bin/sh\necho "$PATH"\n';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-make-'));
  copyFileSync(join(ROOT, 'Makefile'), join(folder, 'Makefile'));
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  utimesSync(join(folder, 'package-lock.json'), 1_700_000_000, 1_700_000_000);
  for (const [path, text] of Object.entries({ 'bin/npm': NPM, 'engine/node.sh': NODE })) {
    mkdirSync(dirname(join(folder, path)));
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), 0o755);
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Installs as every target of the Makefile does before it begins; returns what was run. */
const install = (): string =>
  execFileSync('make', ['--no-print-directory', 'node_modules/.installed'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`, MAKEFLAGS: '' },
  });

test('an empty checkout is installed once', () => {
  expect(install()).toContain('ran npm ci');
  expect(install()).not.toContain('ran npm');
});

test('what `npm ci` has installed is not installed again', () => {
  execFileSync(join(folder, 'bin', 'npm'), ['ci'], { cwd: folder });
  expect(install()).not.toContain('ran npm');
});

test('a changed lock file is installed', () => {
  install();
  const later = Date.now() / 1_000 + 10;
  utimesSync(join(folder, 'package-lock.json'), later, later);
  expect(install()).toContain('ran npm ci');
});

test('a tree whose packages are those of another one is refused, because `npm ci` would empty that', () => {
  mkdirSync(join(folder, 'other'));
  symlinkSync('other', join(folder, 'node_modules'));
  expect(install).toThrow();
  const { stderr, stdout } = spawnSync('make', ['--no-print-directory', 'build'], {
    ...{ cwd: folder, encoding: 'utf8' },
    env: { ...process.env, MAKEFLAGS: '' },
  });
  expect(stderr).toMatch(/node_modules is a link to the packages of another tree, .*: remove the link/);
  expect(stdout).toBe('');
});

/** What `make release` needs of npm: a tarball with the modes of the files, as npm packs it, and two lists of packages. */
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
    cwd: folder,
    env: { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`, MAKEFLAGS: '' },
  });
  return readFileSync(join(folder, 'release', 'SHA256SUMS'), 'utf8');
}

test('a release has the same bytes for every umask, and everybody can enter its folders', () => {
  writeFileSync(join(folder, 'bin', 'npm'), RELEASING);
  const open = releasedWith('022');
  expect(open.trim().split('\n')).toHaveLength(6);
  expect(releasedWith('077')).toBe(open);
  const listed = execFileSync('bash', ['-c', 'for each in release/*gz; do tar -tvzf $each; done'], { cwd: folder });
  const modes = listed
    .toString()
    .split('\n')
    .map((line) => line.slice(0, 10));
  expect([...new Set(modes)].sort()).toEqual(['', '-rw-r--r--', '-rwxr-xr-x', 'drwxr-xr-x']);
});
