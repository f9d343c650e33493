// What the figures of a course say: how we compare with the others, and whether the targets are met.
import type { Finding } from '../finding';
import { OPERATIONS, type Course, type Operation } from './contestant';
import type { Results } from './course';

/** Requests of a create that need each other's answers: assembly, platform, template, component, attachment, release, commit. */
const CHAIN = 7;

/**
 * ms that a create must wait for the service whatever the provider does: as many requests at the same time as are allowed, and those that need each
 * other's answers.
 */
const latencyBound = (calls: number, { latency, parallel }: Course): number =>
  latency * (CHAIN + Math.ceil(calls / parallel));

/** The most a ratio may be, where the course is the one that targets are for. */
const TARGETS = { create: 1.3, unchanged: 1.1, refresh: 0.5, calls: 0.05 };

/** One row for each comparison. `aimed`: whether the targets are for this course. */
export function findingsOf(results: Results, course: Course, where: string, aimed: boolean): readonly Finding[] {
  const target = (atMost: number | undefined) => (aimed && atMost !== undefined ? { target: { atMost } } : {});
  const walls = (operation: Operation, against: string, what: string, ratio: number, atMost?: number): Finding => ({
    what: `${where}: ${what}`,
    against,
    figure: results.of('ours', operation)?.wall ?? Number.NaN,
    reference: results.of(against, operation)?.wall ?? Number.NaN,
    unit: 'ms',
    ratio,
    ...target(atMost),
  });
  const bound = latencyBound(results.of('ours', 'create')?.calls ?? 0, course);
  const toFloor = OPERATIONS.map((operation) => {
    if (operation === 'create' && bound > 0) {
      const ratio = results.ratio('ours', 'floor', operation, ({ wall }) => wall - bound);
      return walls(operation, 'floor', `create, in the ratio less ${bound} ms of latency`, ratio, TARGETS.create);
    }
    const ratio = results.ratio('ours', 'floor', operation);
    return walls(operation, 'floor', operation, ratio, operation === 'unchanged' ? TARGETS.unchanged : undefined);
  });
  const others = results.names.filter((name) => name === 'plain');
  const toOthers = others.flatMap((name) =>
    OPERATIONS.map((operation) => {
      const atMost = name === 'plain' && operation === 'refresh' ? TARGETS.refresh : undefined;
      return walls(operation, name, operation, results.ratio('ours', name, operation), atMost);
    }),
  );
  return [...toFloor, ...toOthers, ...countsOf(results, course, where, target)];
}

/** Calls of a refresh, and connections. */
function countsOf(
  results: Results,
  { parallel }: Course,
  where: string,
  target: (atMost: number) => Pick<Finding, 'target'>,
): readonly Finding[] {
  const ours = results.of('ours', 'refresh')?.calls ?? Number.NaN;
  const plain = results.of('plain', 'refresh')?.calls;
  const connections = Math.max(...OPERATIONS.map((operation) => results.of('ours', operation)?.connections ?? 0));
  const calls: Finding = {
    what: `${where}: calls of a refresh`,
    against: 'plain',
    figure: ours,
    reference: plain ?? Number.NaN,
    unit: 'calls',
    ratio: ours / (plain ?? Number.NaN),
    ...target(TARGETS.calls),
  };
  return [
    ...(plain === undefined ? [] : [calls]),
    {
      what: `${where}: connections at most`,
      against: 'the limit',
      figure: connections,
      reference: parallel,
      unit: 'connections',
      ratio: connections / parallel,
      ...target(1),
    },
  ];
}
