// The sentence a review is summed up in: what differs, from which severity on, and how much was read.
import { sampleFinding } from '../../test/world/sample-review';
import { summaryOf } from './outcome';
import type { Severity } from './review';

const facts = (severities: readonly Severity[], failOn: Severity, read = 36, managed = 36) => ({
  findings: severities.map((severity, number) => sampleFinding(number, { severity })),
  unread: [],
  problems: [],
  failOn,
  coverage: { managed, read, undeclared: 0 },
});

test.each([
  ['in-sync', facts([], 'low'), 'no difference; all 36 records were read'],
  ['in-sync', facts([], 'low', 0, 0), 'no difference; the stack has no records yet'],
  ['in-sync', facts(['low'], 'medium'), 'no difference of severity medium or higher; all 36 records were read'],
  ['drift', facts(['high', 'low'], 'low'), '2 differences; all 36 records were read'],
  ['drift', facts(['high', 'low'], 'high'), '1 difference of severity high; all 36 records were read'],
  ['drift', facts([], 'low'), 'no difference, but the rules have an error; all 36 records were read'],
  [
    'incomplete',
    facts(['high'], 'low', 30),
    'not everything could be read: 30 of 36 records were read; 1 difference so far',
  ],
] as const)('%s', (outcome, of, sentence) => {
  expect(summaryOf(outcome, of, 0)).toBe(sentence);
});
