// What the figures of a course say: how we compare with the others, and whether the targets are met.
import type { Finding } from '../report';
import { OPERATIONS, type Course, type Operation } from './contestant';
import type { Results } from './course';

/** Requests that need each other's answers, and follow one another whoever sends them. */
export const CHAINS = {
  create: ['assembly', 'platform', 'template', 'component', 'attachment', 'release', 'commit'],
  unchanged: ['who it is'],
  change: ['who it is', 'the record', 'its write', 'what others committed', 'what is open', 'commit'],
  refresh: ['a list', 'one record of it, as the proof that the list is complete'],
  destroy: ['the assembly', 'its environments', 'its delete'],
} as const satisfies { readonly [operation in Operation]: readonly string[] };

/** The most that the ratio to the floor, with the latency of the chain, may be. */
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
    const { length } = CHAINS[operation];
    const bound = length * course.latency;
    const what = `${operation}, floor + ${bound} ms`;
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
