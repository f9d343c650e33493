// Looks for a Pulumi CLI that this machine already has, and sees that dynamic resources find their
// host next to it.
import { constants } from 'node:fs';
import { access, chmod, mkdir, readdir, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { symlink, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { run } from './run.mjs';
import { compareVersions, judge, OLDEST_USED, parseVersion } from './versions.mjs';

/**
 * The program the engine starts for dynamic resources; every ordinary installation has it next to
 * `pulumi`.
 */
const DYNAMIC_HOST = 'pulumi-resource-pulumi-nodejs';

/** How long a CLI may take to print its version; a cold disk and two busy cores included. */
const ANSWER_MILLISECONDS = 30_000;

/**
 * Stands in for the script that npm's @pulumi/pulumi ships, for as long as that is not installed.
 */
const DYNAMIC_HOST_SCRIPT = `#!/bin/sh
# The engine starts this in the project's folder: the host comes from the @pulumi/pulumi installed there.
host=$(node -p "require.resolve('@pulumi/pulumi/cmd/dynamic-provider')") || exit 1
exec node "$host" "$@"
`;

/**
 * A CLI that will do.
 * @typedef {object} Cli
 * @property {string} root folder with bin/pulumi, as Pulumi's Automation API takes it
 * @property {import('./versions.mjs').Version} version
 * @property {'path' | 'versions' | 'download' | 'build'} way how it was come by
 * @property {boolean} untried older than the version this repository is tried with
 */

/**
 * What every way is given.
 * @typedef {object} Search
 * @property {import('./versions.mjs').Version} wanted
 * @property {import('./versions.mjs').Version} built the version that the tools module builds
 * @property {boolean} isExact whether only the wanted version will do
 * @property {import('./versions.mjs').Version} go the oldest Go that builds it
 * @property {string} folder this folder, with the tools module
 * @property {string} versions where Pulumi's npm launcher keeps its downloads, a folder for each
 * version
 * @property {string} path the list of folders to search
 * @property {number} patience milliseconds that a download may bring no data
 * @property {AbortSignal} stop
 * @property {(line: string) => void} say shows a line to the person who waits
 */

/**
 * What a way came to.
 * @typedef {{ readonly cli: Cli } | { readonly reason: string }} Outcome
 */

/**
 * Takes the first `pulumi` on PATH that is new enough. Relative folders on PATH are not looked
 * into.
 * @param {Search} search
 * @returns {Promise<Outcome>}
 */
export async function findOnPath(search) {
  const reasons = [];
  for (const folder of new Set(search.path.split(delimiter).filter(isAbsolute))) {
    const pulumi = join(folder, 'pulumi');
    if (!(await isProgram(pulumi))) continue;
    const real = await realpath(pulumi);
    const answer = real.includes('/node_modules/pulumi/')
      ? { reason: "is Pulumi's npm launcher, whose downloads are looked at next" }
      : await judgeProgram(pulumi, search);
    if ('version' in answer) {
      const root = ordinaryRoot(pulumi, real, await isProgram(join(dirname(real), DYNAMIC_HOST)));
      return { cli: { ...answer, root: root ?? (await makeRoot(pulumi, real, answer.version, search)), way: 'path' } };
    }
    reasons.push(`${pulumi} ${answer.reason}`);
    search.say(`skipped: ${reasons.at(-1)}`);
  }
  return { reason: reasons.join('; ') || 'none there' };
}

/**
 * Takes what is kept in Pulumi's own folder of versions: the wanted version, else the newest. An
 * older one is not taken, because the wanted one can be made.
 * @param {Search} search
 * @returns {Promise<Outcome>}
 */
export async function findKept(search) {
  const reasons = [];
  for (const version of sortKept(await listFolder(search.versions), search)) {
    const root = join(search.versions, version.text);
    const pulumi = join(root, 'bin', 'pulumi');
    const answer = (await isProgram(pulumi))
      ? await judgeProgram(pulumi, search)
      : { reason: 'is not there or not executable' };
    if ('version' in answer) {
      await supplyDynamicHost(join(root, 'bin'), search);
      return { cli: { ...answer, root, way: 'versions' } };
    }
    reasons.push(`${pulumi} ${answer.reason}`);
  }
  return { reason: reasons.join('; ') || 'none there' };
}

/**
 * Asks a CLI for its version and judges it.
 * @param {string} pulumi path
 * @param {Pick<Search, 'wanted' | 'stop'>} search
 * @returns {Promise<{ version: import('./versions.mjs').Version, untried: boolean }
 *   | { reason: string }>}
 */
export async function judgeProgram(pulumi, { wanted, stop }) {
  const late = AbortSignal.timeout(ANSWER_MILLISECONDS);
  let ended;
  try {
    const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: 'true' };
    ended = await run(pulumi, ['version'], { env, stop: AbortSignal.any([stop, late]) });
  } catch (error) {
    if (stop.aborted) throw error;
    return { reason: late.aborted ? 'does not answer' : `does not run: ${error.message}` };
  }
  const version = parseVersion(ended.stdout);
  if (ended.code !== 0) return { reason: `fails: ${ended.lines.at(-1) ?? `exit ${ended.code}`}` };
  if (version === undefined) return { reason: `shows no version but "${ended.stdout.trim().slice(0, 80)}"` };
  const verdict = judge(version, wanted);
  if (verdict === 'too old') return { reason: `is ${version.text}: too old, ${OLDEST_USED} is the least` };
  if (verdict === 'unknown major') return { reason: `is ${version.text}: of a major version that is not known here` };
  return { version, untried: verdict === 'untried' };
}

/**
 * Puts the dynamic resources' host next to a CLI that came without it; leaves one that exists
 * alone.
 * @param {string} bin folder of the CLI
 * @param {Pick<Search, 'folder' | 'say'>} search
 */
export async function supplyDynamicHost(bin, { folder, say }) {
  const host = join(bin, DYNAMIC_HOST);
  if (await isProgram(host)) return;
  const shipped = join(folder, '..', 'node_modules', '@pulumi', 'pulumi', DYNAMIC_HOST);
  const script = (await isProgram(shipped)) ? await readFile(shipped, 'utf8') : DYNAMIC_HOST_SCRIPT;
  const fresh = `${host}.${process.pid}`;
  await writeFile(fresh, script);
  await chmod(fresh, 0o755);
  await rename(fresh, host);
  say(`${DYNAMIC_HOST}, which dynamic resources need, was missing: put into ${bin}`);
}

/** @returns {string | undefined} the root of an installation that needs nothing added */
function ordinaryRoot(pulumi, real, hasHost) {
  if (!hasHost) return undefined;
  const inBin = [pulumi, real].find((path) => basename(path) === 'pulumi' && basename(dirname(path)) === 'bin');
  return inBin === undefined ? undefined : dirname(dirname(inBin));
}

/**
 * A root of our own whose bin/pulumi leads to a CLI that is elsewhere, with what it lacks next to
 * it.
 */
async function makeRoot(pulumi, real, version, search) {
  const root = join(search.versions, `.path-${version.text}`);
  const bin = join(root, 'bin');
  const link = join(bin, 'pulumi');
  await mkdir(bin, { recursive: true });
  if ((await linkTarget(link)) !== pulumi) {
    const fresh = `${link}.${process.pid}`;
    await symlink(pulumi, fresh);
    await rename(fresh, link);
  }
  // The engine looks next to the real program first and warns of a second one.
  if (await isProgram(join(dirname(real), DYNAMIC_HOST))) await rm(join(bin, DYNAMIC_HOST), { force: true });
  else await supplyDynamicHost(bin, search);
  return root;
}

function sortKept(names, { wanted, isExact }) {
  const rank = (version) => Number(version.text === wanted.text);
  return names
    .map(parseVersion)
    .filter((version) => version !== undefined && judge(version, wanted) === 'tried')
    .filter((version) => !isExact || version.text === wanted.text)
    .sort((a, b) => rank(b) - rank(a) || compareVersions(b, a));
}

async function isProgram(path) {
  return (await orMissing(access(path, constants.X_OK).then(() => stat(path))))?.isFile() ?? false;
}

async function listFolder(path) {
  return (await orMissing(readdir(path))) ?? [];
}

async function linkTarget(path) {
  return orMissing(readlink(path));
}

async function orMissing(promise) {
  try {
    return await promise;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EINVAL', 'ELOOP'].includes(error.code)) return undefined;
    throw error;
  }
}
