// The chapter on stacks on the real engine: every course, its figures, and the targets with whether they are met.
// It must not know how anything is measured.
import { findEngine } from '../../engine';
import type { Chapter, Finding } from '../finding';
import { FLOOR, openOnEngine, openScript, OPERATIONS, OURS, PLAIN, type Contestant } from './contestant';
import { runCourse, type Results, type Turns } from './course';
import { collectionsOf, describe, SHAPES, type Shape } from './stack-shape';

/** What is measured. */
export interface Scope {
  /** Keys of SHAPES. */
  readonly sizes: readonly string[];
  /** ms. */
  readonly latencies: readonly number[];
  readonly turns: (size: string) => Turns;
}

const PARALLEL = 16;

/** The size and latency the targets are for. */
const AIMED = { size: '1000', latency: 20 };

/** Requests that need each other's answers in a create: assembly, platform, template, component, attachment, release, commit. */
const CHAIN = 7;

/** Runs all courses of a scope. */
export async function benchEngine(scope: Scope, tell: (line: string) => void): Promise<Chapter> {
  const engine = await findEngine();
  const findings: Finding[] = [];
  const tables: string[][][] = [];
  for (const size of scope.sizes) {
    const shape = SHAPES[size];
    if (shape === undefined)
      throw new Error(`there is no stack of ${size} resources: ${Object.keys(SHAPES).join(', ')}`);
    for (const latency of scope.latencies) {
      const course = { engine, shape, latency, parallel: PARALLEL };
      const contestants: Contestant[] = [];
      try {
        for (const which of [OURS, FLOOR, PLAIN]) contestants.push(await openOnEngine(course, which));
        contestants.push(await openScript(course));
        const results = await runCourse(contestants, scope.turns(size), (line) =>
          tell(`${size} resources, ${latency} ms: ${line}`),
        );
        findings.push(...findingsOf(results, `${size} resources, ${latency} ms`, latency, aimed(size, latency)));
        tables.push(rowsOf(results, size, latency));
      } finally {
        for (const contestant of contestants) await contestant.close();
      }
    }
  }
  return {
    heading: 'Stacks on the real engine',
    about: aboutOf(scope.sizes.flatMap((size) => SHAPES[size] ?? [])),
    findings,
    tables: [
      {
        head: [
          'Resources',
          'Latency',
          'Operation',
          'Who',
          'Wall',
          'CPU',
          'Calls',
          'Connections',
          'State',
          'Peak memory',
        ],
        rows: tables.flat(),
      },
    ],
  };
}

const aimed = (size: string, latency: number): boolean => size === AIMED.size && latency === AIMED.latency;

function findingsOf(results: Results, where: string, latency: number, isAimed: boolean): readonly Finding[] {
  const ours = results.of('ours', 'create');
  const bound = latency * (CHAIN + Math.ceil((ours?.calls ?? 0) / PARALLEL));
  const row = (
    operation: (typeof OPERATIONS)[number],
    what: string,
    against: string,
    ratio: number,
    target?: number,
  ): Finding => ({
    what: `${where}: ${what}`,
    against,
    figure: results.of('ours', operation)?.wall ?? Number.NaN,
    reference: results.of(against, operation)?.wall ?? Number.NaN,
    unit: 'ms',
    ratio,
    ...(isAimed && target !== undefined ? { target: { atMost: target } } : {}),
  });
  return OPERATIONS.map((operation) => {
    if (operation === 'create') {
      const ratio = results.ratio('ours', 'floor', operation, ({ wall }) => wall - bound);
      return row(operation, bound === 0 ? 'create' : `create, less ${bound} ms of latency`, 'floor', ratio, 1.3);
    }
    const ratio = results.ratio('ours', 'floor', operation);
    return row(operation, operation, 'floor', ratio, operation === 'unchanged' ? 1.1 : undefined);
  });
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

function rowsOf(results: Results, size: string, latency: number): string[][] {
  return OPERATIONS.flatMap((operation) =>
    results.names.flatMap((name) => {
      const found = results.of(name, operation);
      if (found === undefined) return [];
      const { wall, cpu, calls, connections, state, memory } = found;
      const figures = [seconds(wall), seconds(cpu), calls, connections, `${(state / 1000).toFixed(0)} kB`];
      const cells = [
        size,
        `${latency} ms`,
        operation,
        name,
        ...figures,
        memory === 0 ? '' : `${(memory / 1e6).toFixed(0)} MB`,
      ];
      return [cells.map(String)];
    }),
  );
}

function aboutOf(shapes: readonly Shape[]): string {
  const stacks = shapes.map((shape) => `${describe(shape)} (its records stand in ${collectionsOf(shape)} lists)`);
  return `Stacks: ${stacks.join('; or ')}.`;
}
