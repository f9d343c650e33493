// Fleets for tests of reports: every outcome, causes in one stack and in many, every age, and names that try to break out.
import { bareReview } from '../../drift/report/shown-text';
import type { DriftFinding, Outcome } from '../../drift/review/review';
import { fleetOf, type Fleet, type FleetFacts, type FleetStack } from '../../drift/fleet/fleet';
import { fullReview, sampleFinding, sampleReview, STARTED, value } from './sample-review';

const DAY = 86_400_000;

/** A name that is markup, a mention and a workflow command at once. */
export const HOSTILE = 'stacks/<script>alert(1)</script>|@everyone/`dev`';

const finding = (number: number, of: Partial<DriftFinding>, days: number): DriftFinding =>
  sampleFinding(number, { ...of, author: { who: 'maria', when: STARTED - days * DAY, releaseId: 100 + number } });

const reviewed = (name: string, findings: readonly DriftFinding[], outcome: Outcome = 'drift'): FleetStack => ({
  name,
  stack: 'dev',
  folder: `stacks/${name}`,
  outcome,
  summary: `${findings.length} differences; all 36 records were read`,
  review: bareReview(sampleReview({ findings, outcome, stack: 'dev' })),
  declares: { service: 'https://oneops.acme.io', assemblies: [`acme/${name}`] },
});

/** A stack that breaks two policies, and has no other difference. */
function heldStack(): FleetStack {
  const stack = reviewed('stacks/held/dev', []);
  const policies = [
    {
      policy: 'costs',
      level: 'advisory',
      address: 'acme/held',
      message: 'Assembly held <b>costs</b> more than 300',
    },
    {
      policy: 'two-clouds',
      level: 'mandatory',
      address: 'acme/held/prod',
      message: 'Environment held/prod has 1 active cloud, and at least 2 are demanded in production by this policy',
    },
  ] as const;
  const summary = 'no differences; all 36 records were read; it breaks a mandatory policy';
  return { ...stack, summary, review: { ...bareReview(sampleReview({ findings: [], stack: 'dev' })), policies } };
}

/** A fleet of so many stacks, and one of each sort next to them. */
export function sampleFleet(count: number, of: Partial<FleetFacts> = {}): Fleet {
  const many = Array.from({ length: count }, (_, index): FleetStack => {
    const own = (number: number): Partial<DriftFinding> => ({ address: `acme/shop${index}/web/tomcat${number}` });
    const findings = [
      ...(index % 3 === 0 ? [finding(index, own(0), 0.2)] : []),
      ...(index % 5 === 0
        ? [finding(100 + index, { ...own(1), severity: 'high', attribute: 'attributes.port', live: value(8443) }, 3)]
        : []),
      ...(index % 7 === 0
        ? Array.from({ length: 4 + (index % 12) }, (_, each) =>
            finding(
              1000 + index * 50 + each,
              { ...own(2 + each), severity: 'low', attribute: 'description', live: value('by hand') },
              20 + index * 2,
            ),
          )
        : []),
    ];
    return reviewed(
      `stacks/shop-${String(index).padStart(3, '0')}/dev`,
      findings,
      findings.length === 0 ? 'in-sync' : 'drift',
    );
  });
  const beside: readonly FleetStack[] = [
    { ...reviewed('stacks/everything/prod', []), review: bareReview(fullReview()), outcome: 'drift' },
    {
      name: 'stacks/locked/dev',
      stack: 'dev',
      folder: 'stacks/locked',
      outcome: 'incomplete',
      authentication: true,
      summary: 'there is no token: set ONEOPS_TOKEN',
    },
    {
      name: 'stacks/late/dev',
      stack: 'dev',
      folder: 'stacks/late',
      outcome: 'incomplete',
      summary: 'it was not begun: the 500 requests of --max-calls are used up',
    },
    { ...reviewed(HOSTILE, []), outcome: 'in-sync' },
    heldStack(),
  ];
  return fleetOf({
    started: STARTED,
    took: 12_300,
    missing: [],
    stacks: [...many, ...beside],
    organizations: [],
    notes: ['stacks/empty: its project has no stack'],
    failOn: 'low',
    calls: 1234,
    ...of,
  });
}
