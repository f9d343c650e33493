// Lets one process at a time work in a folder that is the lock itself; what a killed one left is
// cleared away.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { showProgress } from './run.mjs';

const BEAT_MILLISECONDS = 2_000;
const DEAD_MILLISECONDS = 20_000;
const LOOK_MILLISECONDS = 300;

/**
 * Does work while holding a folder that nobody else holds; the folder and all in it are gone
 * afterwards. The holder touches it every 2 s; one untouched for 20 s belongs to nobody any more.
 * @template T
 * @param {string} folder made here; its parent exists
 * @param {object} person
 * @param {AbortSignal} person.stop ends the waiting
 * @param {(line: string) => void} person.say hears that another process has the folder
 * @param {(stop: AbortSignal) => Promise<T>} work its signal stops too when the folder is lost to
 * another process
 * @returns {Promise<T>}
 * @throws NodeJS.ErrnoException when the folder cannot be made
 */
export async function holdFolder(folder, { stop, say }, work) {
  await take(folder, stop, say);
  const lost = new AbortController();
  const beat = setInterval(() => {
    const now = new Date();
    utimes(folder, now, now).catch((error) => lost.abort(new Error(`${folder} was taken over: ${error.message}`)));
  }, BEAT_MILLISECONDS);
  try {
    return await work(AbortSignal.any([stop, lost.signal]));
  } finally {
    clearInterval(beat);
    if (!lost.signal.aborted) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function take(folder, stop, say) {
  let waiting;
  try {
    while (!(await made(folder))) {
      const touched = await lastTouch(folder);
      if (touched !== undefined && Date.now() - touched > DEAD_MILLISECONDS) await clearAway(folder);
      else {
        if (waiting === undefined) say('another run is getting the CLI: waiting for it');
        waiting ??= showProgress(() => 'waiting for another run');
        await delay(LOOK_MILLISECONDS, undefined, { signal: stop });
      }
    }
  } finally {
    waiting?.end();
  }
}

async function made(folder) {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

async function lastTouch(folder) {
  try {
    return (await stat(folder)).mtimeMs;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function clearAway(folder) {
  const aside = `${folder}-${randomUUID()}`;
  try {
    // The rename is what one of several waiting processes wins.
    await rename(folder, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  await rm(aside, { recursive: true, force: true, maxRetries: 5 });
}
