// `make` installs the dependencies once: not again after `npm ci`, and again when the lock file changes.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** What `npm ci` leaves behind, here as the only thing that it does. */
const NPM = '#!/bin/sh\necho "ran npm $*"\nmkdir -p node_modules\necho {} > node_modules/.package-lock.json\n';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-make-'));
  copyFileSync(join(ROOT, 'Makefile'), join(folder, 'Makefile'));
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  utimesSync(join(folder, 'package-lock.json'), 1_700_000_000, 1_700_000_000);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'npm'), NPM);
  chmodSync(join(folder, 'bin', 'npm'), 0o755);
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
