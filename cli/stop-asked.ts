// The end that a person asks of a command that keeps running: a signal, or the end of the npx that started it.
// It must not know what ends.
import { whenNpxEnds } from './commands/npx-watch';

/** Resolves at the first SIGINT or SIGTERM, or when the npx that started this process has ended; a second signal ends the process as usual. */
export function stopAsked(what: 'service' | 'demo'): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.removeListener('SIGINT', stop);
      process.removeListener('SIGTERM', stop);
      endWatch();
      resolve();
    };
    const endWatch = whenNpxEnds(process.env, () => {
      process.stderr.write(`npx, which started this ${what}, has ended: the ${what} stops\n`);
      stop();
    });
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}
