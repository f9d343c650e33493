// Runs one test file after the other in one process, with jest's own circus, matchers and mocks.
// Modules stay loaded between files; a file itself and the matchers are loaded anew, and what a file
// did to the folder, the environment or with spies is undone after it.
require('../run-source.cjs');
const circus = require('jest-circus');
const { jestExpect } = require('@jest/expect');
const { ModuleMocker } = require('jest-mock');
const { createEmptyTestResult } = require('@jest/test-result');
const { formatExecError, formatResultsErrors } = require('jest-message-util');

process.setSourceMapsEnabled(true);

/** Where circus looks for the limit of a test. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

const mocker = new ModuleMocker(globalThis);
for (const name of ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'it', 'test'])
  globalThis[name] = circus[name];
globalThis.expect = jestExpect;
globalThis.jest = {
  spyOn: mocker.spyOn.bind(mocker),
  isMockFunction: mocker.isMockFunction.bind(mocker),
  mocked: (source) => source,
  requireActual: require,
  setTimeout: (milliseconds) => {
    globalThis[TIMEOUT] = milliseconds;
  },
};

/** The result of one test of circus, as reporters read it. */
function reported({ testPath, errors, status, duration, failing, invocations, numPassingAsserts }) {
  const [, ...ancestorTitles] = testPath;
  const title = ancestorTitles.pop() ?? '';
  const ended = status === 'done' ? 'passed' : status === 'skip' ? 'pending' : 'todo';
  return {
    ancestorTitles,
    duration: duration ?? null,
    failing: failing ?? false,
    failureDetails: [],
    failureMessages: errors,
    fullName: [...ancestorTitles, title].join(' '),
    invocations,
    location: null,
    numPassingAsserts: numPassingAsserts ?? 0,
    retryReasons: [],
    status: errors.length > 0 ? 'failed' : ended,
    title,
  };
}

async function outcomes(path, config, globalConfig) {
  const start = Date.now();
  for (const file of [...config.setupFilesAfterEnv, path]) {
    delete require.cache[file];
    require(file);
  }
  const { testResults, unhandledErrors } = await circus.run();
  const results = testResults.map(reported);
  const count = (status) => results.filter((each) => each.status === status).length;
  const failures = [
    formatResultsErrors(results, config, globalConfig, path) ?? '',
    ...unhandledErrors.map((error) => formatExecError(error, config, globalConfig, path)),
  ].join('\n');
  const empty = createEmptyTestResult();
  return {
    ...empty,
    displayName: config.displayName,
    failureMessage: failures.trim() === '' ? null : failures,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    perfStats: { ...empty.perfStats, start, end: Date.now(), runtime: Date.now() - start },
    testExecError: unhandledErrors.length > 0 ? { message: '', stack: unhandledErrors.join('\n') } : undefined,
    testFilePath: path,
    testResults: results,
  };
}

/** Runs a file; rejects if it cannot be loaded. */
exports.runFile = async ({ path, config, globalConfig }) => {
  const folder = process.cwd();
  const environment = { ...process.env };
  circus.resetState();
  globalThis[TIMEOUT] = globalConfig.testTimeout;
  circus.getState().testNamePattern = globalConfig.testNamePattern
    ? new RegExp(globalConfig.testNamePattern, 'i')
    : null;
  jestExpect.setState({ testPath: path, expand: globalConfig.expand });
  try {
    return await outcomes(path, config, globalConfig);
  } finally {
    mocker.restoreAllMocks();
    delete require.cache[path];
    process.chdir(folder);
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
  }
};
