// Runs test files of jest in processes that keep loaded modules from one file to the next: jest's own
// runner evaluates every module again for every file, which takes a third of a run. The product has no
// module state (ESLint sees to that), so a file finds the modules as they are after a start.
const { Worker } = require('jest-worker');

class SharedModulesRunner {
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const { globalConfig } = this;
    const workers = new Worker(require.resolve('./shared-modules-worker.cjs'), {
      exposedMethods: ['runFile'],
      forkOptions: { stdio: 'inherit' },
      numWorkers: globalConfig.maxWorkers,
    });
    const run = async (test) => {
      await onStart(test);
      const { path, context } = test;
      await workers.runFile({ path, config: context.config, globalConfig }).then(
        (result) => onResult(test, result),
        (error) => onFailure(test, error),
      );
    };
    const waiting = [...tests];
    const lane = async () => {
      for (let test = waiting.shift(); test && !watcher.isInterrupted(); test = waiting.shift()) await run(test);
    };
    try {
      await Promise.all(Array.from({ length: globalConfig.maxWorkers }, lane));
    } finally {
      await workers.end();
    }
  }
}

module.exports = SharedModulesRunner;
