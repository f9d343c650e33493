// Gets a Pulumi CLI that this machine has not: by the download of Pulumi's npm launcher, else built
// with Go. A CLI comes into the versions folder whole or not at all.
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findKept, judgeProgram, supplyDynamicHost } from './find.mjs';
import { holdFolder } from './lock.mjs';
import { run, showProgress } from './run.mjs';
import { compareVersions, parseGoVersion } from './versions.mjs';

const LOOK_MILLISECONDS = 250;

/** @typedef {import('./find.mjs').Search} Search */

/**
 * Makes the wanted CLI, one process at a time; one that another process made meanwhile is taken.
 * @param {Search} search
 * @returns {Promise<{ cli?: import('./find.mjs').Cli, tried: readonly (readonly string[])[] }>}
 *   `tried` has title and reason of each way that did not work; no `cli` when none did
 */
export async function makeCli(search) {
  const workshop = join(search.versions, `.making-${search.wanted.text}`);
  try {
    await mkdir(search.versions, { recursive: true });
    return await holdFolder(workshop, search, (stop) => tryWays({ ...search, stop }, workshop));
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST'].includes(error.code)) throw error;
    const reason = `${error.message}; PULUMI_HOME can name another folder`;
    return { tried: [[`made in ${search.versions}`, reason]] };
  }
}

async function tryWays(search, workshop) {
  const kept = await findKept(search);
  if ('cli' in kept) return { cli: kept.cli, tried: [] };
  const tried = [];
  for (const [title, way] of [
    ["downloaded by Pulumi's npm launcher", download],
    ['built with Go', build],
  ]) {
    const outcome = await way(search, workshop);
    if ('cli' in outcome) return { cli: outcome.cli, tried };
    tried.push([title, outcome.reason]);
    search.say(`not ${title}: ${outcome.reason}`);
  }
  return { tried };
}

/** Lets Pulumi's npm launcher download into the workshop; bytes on disk are what counts as data. */
async function download(search, workshop) {
  const home = join(workshop, 'download');
  const scratch = join(home, 'scratch');
  await mkdir(scratch, { recursive: true });
  const silence = watchSilence(home, search.patience);
  const wanted = search.wanted.text;
  const env = {
    ...process.env,
    PULUMI_HOME: home,
    PULUMI_VERSION: wanted,
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    TMPDIR: scratch,
  };
  const progress = showProgress(() => `downloading Pulumi ${wanted}, ${megabytes(silence.bytes())}`);
  try {
    const stop = AbortSignal.any([search.stop, silence.signal]);
    const ended = await run('npx', ['--yes', `pulumi@${wanted}`, 'version'], { cwd: scratch, env, stop });
    if (ended.code !== 0) return { reason: lastWords(ended) };
  } catch (error) {
    if (search.stop.aborted) throw error;
    if (silence.signal.aborted) return { reason: `given up after ${search.patience / 1_000} s without data` };
    return { reason: error.code === 'ENOENT' ? 'no npx on PATH' : error.message };
  } finally {
    silence.end();
    progress.end();
  }
  return moveIntoPlace(join(home, 'versions', wanted), 'download', search);
}

/** Builds the tools module of this folder into the workshop. */
async function build(search, workshop) {
  const wanted = search.wanted.text;
  if (wanted !== search.built.text) return { reason: `engine/go.mod builds ${search.built.text}` };
  const root = join(workshop, 'build');
  const env = { ...process.env, GOBIN: join(root, 'bin'), GOWORK: 'off', GO111MODULE: 'on' };
  const unable = await whyGoCannot(search, env);
  if (unable !== undefined) return { reason: unable };

  search.say(`building Pulumi ${wanted} with Go: about 4 minutes on two cores, once per machine`);
  let downloads = 0;
  let packages = 0;
  const onLine = (line) => {
    if (line.startsWith('go: downloading')) downloads += 1;
    else packages += 1;
  };
  const args = [
    ...['install', '-v', '-mod=readonly', '-buildvcs=false', '-trimpath', '-tags', 'osusergo,grpcnotrace'],
    // Without this variable `pulumi version` is empty and the Automation API refuses the CLI.
    ...['-ldflags', `-w -s -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${wanted}`],
    'tool',
  ];
  const progress = showProgress(
    () => `building Pulumi ${wanted}: ${downloads} modules downloaded, ${packages} packages compiled`,
  );
  let time;
  try {
    const ended = await run('go', args, { cwd: search.folder, env, stop: search.stop, onLine });
    if (ended.code !== 0) return { reason: `go install failed: ${ended.lines.slice(-5).join(' / ')}` };
  } finally {
    time = progress.end();
  }
  search.say(`built in ${time}`);
  return moveIntoPlace(root, 'build', search);
}

/** @returns {Promise<string | undefined>} why Go cannot build it, or undefined when it can */
async function whyGoCannot({ go: oldest, folder, stop }, env) {
  try {
    // Asked in this folder: a Go that may fetch the toolchain go.mod asks for answers with that
    // one.
    const ended = await run('go', ['env', 'GOVERSION'], { cwd: folder, env, stop });
    if (ended.code !== 0) return lastWords(ended);
    const version = parseGoVersion(ended.stdout);
    const enough = version === undefined || compareVersions(version, oldest) >= 0;
    return enough ? undefined : `go is ${version.text}: too old, ${oldest.text} is the least`;
  } catch (error) {
    if (error.code === 'ENOENT') return 'no go on PATH';
    throw error;
  }
}

/** Checks what was made, then moves it to its name among the versions. */
async function moveIntoPlace(made, way, search) {
  const answer = await judgeProgram(join(made, 'bin', 'pulumi'), search);
  if ('reason' in answer) return { reason: `what it made ${answer.reason}` };
  // Nothing to report: a build never brings it, a download always does.
  await supplyDynamicHost(join(made, 'bin'), { folder: search.folder, say: () => undefined });
  const root = join(search.versions, search.wanted.text);
  try {
    await rename(made, root);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
    // Something that did not work was there when the work began; it goes away with the workshop
    // unless it works now.
    const standing = await judgeProgram(join(root, 'bin', 'pulumi'), search);
    if ('reason' in standing) {
      await rename(root, join(dirname(made), `replaced-${way}`));
      await rename(made, root);
    }
  }
  return { cli: { ...answer, root, way } };
}

function watchSilence(folder, patience) {
  const silent = new AbortController();
  let bytes = 0;
  let changed = Date.now();
  const look = async () => {
    const now = await bytesBelow(folder);
    if (now !== bytes) changed = Date.now();
    bytes = now;
    if (Date.now() - changed > patience) silent.abort(new Error('no data'));
  };
  const timer = setInterval(() => {
    look().catch((error) => silent.abort(error));
  }, LOOK_MILLISECONDS);
  return { signal: silent.signal, bytes: () => bytes, end: () => clearInterval(timer) };
}

async function bytesBelow(folder) {
  let bytes = 0;
  try {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) bytes += await bytesBelow(path);
      else if (entry.isFile()) bytes += (await stat(path)).size;
    }
  } catch (error) {
    // What is being unpacked comes and goes.
    if (error.code !== 'ENOENT') throw error;
  }
  return bytes;
}

function megabytes(bytes) {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function lastWords({ lines, code }) {
  const said = lines.filter((line) => line.trim() !== '' && !/^npm (warn|notice)/i.test(line));
  return said.at(-1) ?? `exit ${code}`;
}
