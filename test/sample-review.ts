// Reviews for tests of decisions: what is not said is that of the samples for reports.
import type { DriftFinding, Review } from '../drift';
import { sampleFinding as findingOfReports, sampleReview as reviewOfReports, value } from './world/sample-review';

/** A finding that changed `attributes.size` of a component, with whatever a test wants to be otherwise. */
export const sampleFinding = (with_: Partial<DriftFinding> = {}): DriftFinding => {
  const {
    urn: _,
    at: __,
    ...finding
  } = findingOfReports(0, {
    ...{ id: '0000000001', address: 'acme/shop/web/compute', logicalName: 'web/compute', attribute: 'attributes.size' },
    ...{ code: value('M'), applied: value('M'), live: value('L') },
    ...{ author: { who: 'maria', when: 1_760_000_000_000 }, advice: {} },
  });
  return { ...finding, ...with_ };
};

/** A review that found these. */
export const sampleReview = (findings: readonly DriftFinding[], with_: Partial<Review> = {}): Review =>
  reviewOfReports({ findings, ...with_ });
