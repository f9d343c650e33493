// What the figures of a course say: how we compare with the others, and whether the targets are met.
import type { Finding } from '../report';
import { OPERATIONS, type Course, type Operation } from './contestant';
import type { Results } from './course';

/** Requests of a create that need each other's answers, so that they follow one another. */
export const CHAIN = ['assembly', 'platform', 'template', 'component', 'attachment', 'release', 'commit'];

/** The most that the ratio to the floor may be; a create has the latency of its chain added to the floor. */
const TARGETS: { readonly [operation in Operation]?: number } = {
  create: 1.15,
  unchanged: 1.05,
  change: 1.1,
  refresh: 1.1,
};

/** One row for each comparison. `aimed`: whether the targets are for this course. */
export function findingsOf(results: Results, course: Course, where: string, aimed: boolean): readonly Finding[] {
  const target = (atMost: number | undefined) => (aimed && atMost !== undefined ? { target: { atMost } } : {});
  const walls = (operation: Operation, what: string, ratio: number, atMost?: number): Finding => ({
    what: `${where}: ${what}`,
    against: 'floor',
    figure: results.of('ours', operation)?.wall ?? Number.NaN,
    reference: results.of('floor', operation)?.wall ?? Number.NaN,
    unit: 'ms',
    ratio,
    ...target(atMost),
  });
  const toFloor = OPERATIONS.map((operation) => {
    const bound = operation === 'create' ? CHAIN.length * course.latency : 0;
    const what = bound === 0 ? operation : `${operation}, floor + ${bound} ms`;
    return walls(operation, what, results.ratio('ours', 'floor', operation, bound), TARGETS[operation]);
  });
  const connections = Math.max(...OPERATIONS.map((operation) => results.of('ours', operation)?.connections ?? 0));
  return [
    ...toFloor,
    {
      what: `${where}: connections at most`,
      against: 'the limit',
      figure: connections,
      reference: course.parallel,
      unit: 'connections',
      ratio: connections / course.parallel,
      ...target(1),
    },
  ];
}
