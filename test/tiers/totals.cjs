// The numbers of one or several jest runs, and the line that a build machine reads from them.

/** @typedef {{ suites: number, passed: number, failed: number, skipped: number }} Totals */

/** @type {Totals} */
const NOTHING = { suites: 0, passed: 0, failed: 0, skipped: 0 };

/**
 * The numbers of a run. A test file that could not run at all (a syntax error, a missing import) counts as one failure,
 * so that a broken file never looks like a run without failures.
 *
 * @param {import('@jest/reporters').AggregatedResult} results what jest found, over all projects
 * @returns {Totals}
 */
const totalsOf = (results) => ({
  suites: results.numTotalTestSuites,
  passed: results.numPassedTests,
  failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
  skipped: results.numPendingTests + results.numTodoTests,
});

/**
 * @param {Totals} one
 * @param {Totals} other
 * @returns {Totals}
 */
const sum = (one, other) => ({
  suites: one.suites + other.suites,
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
});

/**
 * The numbers of a run that is limited to tests with a word in their titles. What it left out counts as nothing; a run
 * that judged nothing counts as one failure.
 *
 * @param {Totals} totals
 * @returns {Totals}
 */
const ofNamed = (totals) => ({
  ...totals,
  skipped: 0,
  failed: totals.passed + totals.failed === 0 ? 1 : totals.failed,
});

/**
 * Tests that were not run (`skip`, `todo`) are named only when there are some.
 *
 * @param {Totals} totals
 * @returns {string} the line, without a line break
 */
const plainLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

module.exports = { NOTHING, ofNamed, plainLine, sum, totalsOf };
