// The end that a person asks of a command that keeps running.

/** Resolves at the first SIGINT or SIGTERM; a second signal ends the process as usual. */
export function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.removeListener('SIGINT', stop);
      process.removeListener('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}
