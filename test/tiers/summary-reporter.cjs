// Ends a jest run with one plain line, `N passed, N failed`, that a build machine can read.
// A run that belongs to a tier writes its numbers to a file instead, and the tier prints the line.
const { writeFileSync } = require('node:fs');
const { plainLine, totalsOf } = require('./totals.cjs');

/** Prints when the process ends: jest prints its own summary after every other reporter, and this line has to come last. */
class SummaryReporter {
  onRunComplete(_contexts, results) {
    const totals = totalsOf(results);
    const file = process.env['TIER_TOTALS'];
    if (file) writeFileSync(file, JSON.stringify(totals));
    else process.once('exit', () => process.stdout.write(`\n${plainLine(totals)}\n`));
  }
}

module.exports = SummaryReporter;
