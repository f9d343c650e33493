// What the figures of a course say: how we compare with the others, and whether the targets are met.
import type { Finding } from '../finding';
import { OPERATIONS, type Course, type Operation } from './contestant';
import type { Results } from './course';

/** Requests of a create that need each other's answers: assembly, platform, template, component, attachment, release, commit. */
const CHAIN = 7;

/** The most a ratio may be. */
const TARGETS = { create: 1.15, unchanged: 1.05, change: 1.1, refresh: 1.1, calls: 0.05, plainRefresh: 0.5 };

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
  const bound = CHAIN * course.latency;
  const toFloor = OPERATIONS.map((operation) => {
    const isCreate = operation === 'create' && bound > 0;
    const what = isCreate
      ? `create; to the floor, ${CHAIN} requests one after the other are added: ${bound} ms`
      : operation;
    const ratio = results.ratio('ours', 'floor', operation, isCreate ? bound : 0);
    return walls(operation, 'floor', what, ratio, operation === 'destroy' ? undefined : TARGETS[operation]);
  });
  const others = results.names.filter((name) => name === 'plain');
  const toOthers = others.flatMap((name) =>
    OPERATIONS.map((operation) => {
      const atMost = name === 'plain' && operation === 'refresh' ? TARGETS.plainRefresh : undefined;
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
