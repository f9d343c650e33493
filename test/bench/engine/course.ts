// Runs a course: every contestant does every operation, by turns, so that what else the machine does falls on all of them.
import { median } from '../measure';
import { OPERATIONS, type Contestant, type Measurement, type Operation } from './contestant';

/** How often. */
export interface Turns {
  /** Whole lives of a stack, from create to destroy. */
  readonly turns: number;
  /** Of what can be done again in one life: unchanged and refresh. */
  readonly repeats: number;
}

const AGAIN: readonly Operation[] = ['unchanged', 'refresh'];

/** What was measured on a course. */
export interface Results {
  readonly names: readonly string[];
  /** The median of each figure, undefined where the contestant took no part. */
  of(name: string, operation: Operation): Measurement | undefined;
  /** Median over the turns of the wall of the one by that of the other in the same turn, with ms that are added to the other's. */
  ratio(of: string, to: string, operation: Operation, beside?: number): number;
}

/** Runs the course; `tell` hears of each measurement. */
export async function runCourse(
  contestants: readonly Contestant[],
  { turns, repeats }: Turns,
  tell: (line: string) => void,
): Promise<Results> {
  const seen = new Map<string, Measurement[]>();
  const keyOf = (name: string, operation: Operation): string => `${name} ${operation}`;
  const all = (name: string, operation: Operation): readonly Measurement[] => seen.get(keyOf(name, operation)) ?? [];
  let order = contestants;
  for (let turn = 0; turn < turns; turn += 1)
    for (const operation of OPERATIONS)
      for (let time = 0; time < (AGAIN.includes(operation) ? repeats : 1); time += 1) {
        for (const contestant of order) {
          const measurement = await contestant.run(operation);
          seen.set(keyOf(contestant.name, operation), [...all(contestant.name, operation), measurement]);
          tell(`${operation}, ${contestant.name}: ${JSON.stringify(measurement)}`);
        }
        order = [...order].reverse();
      }
  return {
    names: contestants.map(({ name }) => name),
    of(name, operation) {
      const found = all(name, operation);
      if (found.length === 0) return undefined;
      const middle = (figure: keyof Measurement): number => median(found.map((measurement) => measurement[figure]));
      return {
        wall: middle('wall'),
        cpu: middle('cpu'),
        calls: middle('calls'),
        connections: Math.max(...found.map(({ connections }) => connections)),
        state: middle('state'),
        memory: Math.max(...found.map(({ memory }) => memory)),
      };
    },
    ratio(of, to, operation, beside = 0) {
      const pairs = all(to, operation).flatMap(({ wall }, turn) => {
        const measurement = all(of, operation)[turn];
        return measurement === undefined ? [] : [measurement.wall / (wall + beside)];
      });
      return median(pairs);
    },
  };
}
