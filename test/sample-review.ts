// Reviews for tests of decisions.
import type { DriftFinding, Review } from '../drift';

/** A finding that changed `attributes.size` of a component, with whatever a test wants to be otherwise. */
export const sampleFinding = (with_: Partial<DriftFinding> = {}): DriftFinding => ({
  id: '0000000001',
  classification: 'changed',
  severity: 'medium',
  kind: 'Component',
  address: 'acme/shop/web/compute',
  logicalName: 'web/compute',
  attribute: 'attributes.size',
  code: { is: 'value', value: 'M' },
  applied: { is: 'value', value: 'M' },
  live: { is: 'value', value: 'L' },
  author: { who: 'maria', when: 1_760_000_000_000 },
  advice: {},
  ...with_,
});

/** A review that found these. */
export const sampleReview = (findings: readonly DriftFinding[], with_: Partial<Review> = {}): Review => ({
  version: 1,
  started: Date.UTC(2026, 10, 1),
  took: 10,
  service: 'http://127.0.0.1:9090',
  organization: 'acme',
  compared: ['code', 'live'],
  notes: [],
  failOn: 'low',
  outcome: findings.length > 0 ? 'drift' : 'in-sync',
  summary: '',
  findings,
  ignored: [],
  unread: [],
  problems: [],
  coverage: { managed: 1, read: 1, undeclared: 0 },
  calls: 1,
  ...with_,
});
