// The chapter on stacks on the real engine: every course by turns, its figures and what they say.
import { findEngine } from '../../world/engine';
import type { Chapter, Finding, Table } from '../report';
import { FLOOR, openOnEngine, OPERATIONS, OURS, type Contestant, type Course } from './contestant';
import { runCourse, type Results, type Turns } from './course';
import { collectionsOf, describe, SHAPES } from './stack-shape';
import { CHAIN, findingsOf } from './targets';

/** What is measured. */
interface Scope {
  /** Keys of SHAPES. */
  readonly sizes: readonly string[];
  /** ms. */
  readonly latencies: readonly number[];
}

const PARALLEL = 16;

/** The smaller stack lives twice; of the larger one, what can be done again is. */
const turnsOf = (size: string): Turns => (size === '100' ? { turns: 2, repeats: 1 } : { turns: 1, repeats: 3 });

/** Runs all courses of a scope. */
export async function benchEngine(scope: Scope, tell: (line: string) => void): Promise<Chapter> {
  const engine = await findEngine();
  const findings: Finding[] = [];
  const rows: (readonly string[])[] = [];
  for (const size of scope.sizes) {
    const shape = SHAPES[size];
    if (shape === undefined)
      throw new Error(`there is no stack of ${size} resources: ${Object.keys(SHAPES).join(', ')}`);
    for (const latency of scope.latencies) {
      const course = { engine, shape, latency, parallel: PARALLEL };
      const where = `${size} resources, ${latency} ms`;
      const results = await resultsOf(course, turnsOf(size), (line) => tell(`${where}: ${line}`));
      findings.push(...findingsOf(results, course, where, latency > 0));
      rows.push(...rowsOf(results, size, latency));
    }
  }
  return {
    heading: 'Stacks on the real engine',
    about: aboutOf(scope),
    findings,
    tables: [{ head: TABLE_HEAD, rows }],
  };
}

async function resultsOf(course: Course, turns: Turns, tell: (line: string) => void): Promise<Results> {
  const contestants: Contestant[] = [];
  try {
    for (const which of [OURS, FLOOR]) contestants.push(await openOnEngine(course, which));
    return await runCourse(contestants, turns, tell);
  } finally {
    for (const contestant of contestants) await contestant.close();
  }
}

/** Of a table with a row for each operation of each contestant. */
const TABLE_HEAD: Table['head'] = [
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
];

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

/** The rows of one course. */
function rowsOf(results: Results, size: string, latency: number): Table['rows'] {
  return OPERATIONS.flatMap((operation) =>
    results.names.flatMap((name) => {
      const found = results.of(name, operation);
      if (found === undefined) return [];
      const { wall, cpu, calls, connections, state, memory } = found;
      const stored = state === 0 ? '' : `${(state / 1000).toFixed(0)} kB`;
      const figures = [seconds(wall), seconds(cpu), calls, connections, stored, `${(memory / 1e6).toFixed(0)} MB`];
      return [[size, `${latency} ms`, operation, name, ...figures].map(String)];
    }),
  );
}

function aboutOf({ sizes }: Scope): string {
  const stacks = sizes.flatMap((size) => {
    const shape = SHAPES[size];
    return shape === undefined
      ? []
      : [`- ${size} resources: ${describe(shape)}; they are in ${collectionsOf(shape)} lists.`];
  });
  return [
    "Pulumi's own CLI with its file backend, `--skip-preview --parallel 16`, next to the embedded service in a separate process, " +
      'which waits for the latency before it carries a request out. By turns:',
    '',
    '- *ours*: this package. *floor*: the same program with providers that answer immediately and send nothing.',
    '',
    'Stacks, of which *change* edits one attachment:',
    '',
    ...stacks,
    '',
    'The first write of a design goes alone, and all others side by side (service-facts §11). ' +
      `What no provider can avoid is added to the floor of a create: the latency of ${CHAIN.length} requests that need each other's answers (${CHAIN.join(', ')}).`,
  ].join('\n');
}
