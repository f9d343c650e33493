// What the figures of a course say: how we compare with the others, and whether the targets are met.
import type { Finding } from '../report';
import { OPERATIONS, type Course, type Operation } from './contestant';
import type { Results } from './course';

/** Requests of a create that need each other's answers: assembly, platform, template, component, attachment, release, commit. */
const CHAIN = 7;

/** The most a ratio may be. */
const TARGETS = { create: 1.15, unchanged: 1.05, change: 1.1, refresh: 1.1 };

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
  const bound = CHAIN * course.latency;
  const toFloor = OPERATIONS.map((operation) => {
    const isCreate = operation === 'create' && bound > 0;
    const what = isCreate
      ? `create; to the floor, ${CHAIN} requests one after the other are added: ${bound} ms`
      : operation;
    const ratio = results.ratio('ours', 'floor', operation, isCreate ? bound : 0);
    return walls(operation, what, ratio, operation === 'destroy' ? undefined : TARGETS[operation]);
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
