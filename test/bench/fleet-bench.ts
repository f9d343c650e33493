// What the review of a fleet costs: time, requests for each collection, and memory.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { REPOSITORY } from '../world/engine';
import { type Chapter } from './finding';
import type { FleetCourse, FleetFigures } from './fleet-process';

const COURSE: FleetCourse = { stacks: 200, latency: 20 };

/** The review of 200 stacks, in a separate process. */
export async function benchFleet(): Promise<Chapter> {
  const child = fork(join(__dirname, 'fleet-process.ts'), {
    cwd: REPOSITORY,
    execArgv: ['--require', './test/run-source.cjs'],
  });
  const answer = once(child, 'message') as Promise<[FleetFigures]>;
  child.send(COURSE);
  const [{ outcome, records, seconds, requests, most, before, memory }] = await answer;
  child.disconnect();
  if (!outcome.includes(`${COURSE.stacks} in sync`)) throw new Error(`the review of the fleet ended with: ${outcome}`);
  const target = { atMost: 1 };
  const row = { target, against: 'the most that is allowed' };
  return {
    heading: 'Reviews of a fleet',
    about:
      `${COURSE.stacks} stacks of ${records} records each, in sync, ${COURSE.latency} ms for each request; 4 stacks at a time, ${requests.toLocaleString('en-US')} requests in all. ` +
      `The answers are generated in the same process, from those of one assembly, so its memory holds both, ${before.toFixed(0)} MB of it before the first review; the states are at hand, and Pulumi’s CLI is not called.`,
    findings: [
      { ...row, what: 'fleet, wall', figure: seconds * 1000, reference: 30_000, unit: 'ms', ratio: seconds / 30 },
      { ...row, what: 'fleet, GETs of one collection', figure: most, reference: 1, unit: 'calls', ratio: most },
      { ...row, what: 'fleet, memory', figure: memory, reference: 400, unit: 'MB', ratio: memory / 400 },
    ],
  };
}
