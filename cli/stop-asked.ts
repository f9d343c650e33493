// The end that a person asks of a command that keeps running.

/** Milliseconds between two looks at the shell that npx started. */
const LOOK = 500;

/**
 * Resolves at the first SIGINT or SIGTERM; a second signal ends the process as usual. A command
 * that npx started also ends with npx: npx passes a signal on to a shell only, and the shell does
 * not pass it on.
 */
export function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    const shell = process.ppid;
    const looking =
      process.env['npm_command'] === 'exec'
        ? setInterval(() => {
            if (process.ppid !== shell) stop();
          }, LOOK).unref()
        : undefined;
    const stop = (): void => {
      clearInterval(looking);
      process.removeListener('SIGINT', stop);
      process.removeListener('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}
