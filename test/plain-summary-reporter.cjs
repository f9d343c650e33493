// Ends a jest run with one plain line, `N passed, N failed`, that a build machine can read.
// Must not know any test or folder.

/**
 * Sums jest's results. A test file that could not run at all (a syntax error, a missing import) counts as one failure,
 * so a broken file never looks like a run without failures. Tests that were not run (`skip`, `todo`) are named only
 * when there are some.
 *
 * @param {import('@jest/reporters').AggregatedResult} results what jest found, over all projects
 * @returns {string} the line, without a line break
 */
function plainSummary(results) {
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  const skipped = results.numPendingTests + results.numTodoTests;
  return `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Prints when the process ends: jest puts its own summary after every other reporter, and this line comes last. */
class PlainSummaryReporter {
  onRunComplete(_contexts, results) {
    process.once('exit', () => process.stdout.write(`\n${plainSummary(results)}\n`));
  }
}

module.exports = PlainSummaryReporter;
