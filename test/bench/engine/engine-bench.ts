// The chapter on stacks on the real engine: every course by turns, its figures and what they say.
import { findEngine } from '../../world/engine';
import { figuresOf } from '../measure';
import type { Chapter, Finding } from '../report';
import {
  FLOOR,
  openOnEngine,
  OPERATIONS,
  OURS,
  type Contestant,
  type Course,
  type Measurement,
  type Operation,
} from './contestant';
import { describe, SHAPES } from './stack-shape';

/** What is measured. */
interface Scope {
  /** Keys of SHAPES. */
  readonly sizes: readonly string[];
  /** ms. */
  readonly latencies: readonly number[];
}

const PARALLEL = 16;

/** How often. */
interface Turns {
  /** Whole lives of a stack, from create to destroy. */
  readonly turns: number;
  /** Of what can be done again in one life. */
  readonly repeats: number;
}

const AGAIN: readonly Operation[] = ['unchanged', 'change', 'refresh'];

/** The smaller stack lives twice. What can be repeated in one life is done three times. */
const turnsOf = (size: string): Turns => ({ turns: size === '100' ? 2 : 1, repeats: 3 });

/** Runs all courses of a scope. */
export async function benchEngine(scope: Scope, tell: (line: string) => void): Promise<Chapter> {
  const engine = await findEngine();
  const findings: Finding[] = [];
  for (const size of scope.sizes) {
    const shape = SHAPES[size];
    if (shape === undefined)
      throw new Error(`there is no stack of ${size} resources: ${Object.keys(SHAPES).join(', ')}`);
    for (const latency of scope.latencies) {
      const course = { engine, shape, latency, parallel: PARALLEL };
      const where = `${size} resources, ${latency} ms`;
      const results = await resultsOf(course, turnsOf(size), (line) => tell(`${where}: ${line}`));
      findings.push(...findingsOf(results, course, where));
    }
  }
  return {
    heading: 'Stacks on the real engine',
    about: aboutOf(scope),
    findings,
  };
}

type Results = ReturnType<typeof figuresOf<Measurement>>;

const NAMES = [OURS, FLOOR].map(({ name }) => name);

const keyOf = (name: string, operation: Operation): string => `${name} ${operation}`;

/** Every contestant does every operation, by turns; `tell` hears of each measurement. */
async function resultsOf(course: Course, { turns, repeats }: Turns, tell: (line: string) => void): Promise<Results> {
  const contestants: Contestant[] = [];
  const results = figuresOf<Measurement>();
  try {
    for (const which of [OURS, FLOOR]) contestants.push(await openOnEngine(course, which));
    let order: readonly Contestant[] = contestants;
    for (let turn = 0; turn < turns; turn += 1)
      for (const operation of OPERATIONS)
        for (let time = 0; time < (AGAIN.includes(operation) ? repeats : 1); time += 1) {
          for (const contestant of order) {
            const measurement = await contestant.run(operation);
            results.note(keyOf(contestant.name, operation), measurement);
            tell(`${operation}, ${contestant.name}: ${JSON.stringify(measurement)}`);
          }
          order = [...order].reverse();
        }
    return results;
  } finally {
    for (const contestant of contestants) await contestant.close();
  }
}

const mostOf = (results: Results, key: string, figure: keyof Measurement): number =>
  Math.max(0, ...results.all(key).map((measurement) => measurement[figure]));

/**
 * Requests that need each other's answers, so that no provider can send them at once.
 * Their latency is added to the floor. `pulumi up` begins with `clouds`: whether the service lets
 * this run in is known before anything is written. A creation asks what exists at the same time.
 */
const CHAINS: { readonly [operation in Operation]?: readonly string[] } = {
  create: ['clouds', 'assembly', 'platform', 'template', 'component', 'attachment', 'release', 'commit'],
  unchanged: ['clouds'],
  change: ['clouds', 'attachments', 'attachment', 'release', 'commit'],
  refresh: ['components', 'attachments'],
};

/** The most that the ratio to the floor and the latency of the chain may be. */
const TARGETS: { readonly [operation in Operation]?: number } = {
  create: 1.15,
  unchanged: 1.05,
  change: 1.1,
  refresh: 1.1,
};

/** One row for each comparison. The targets are for a service with a latency. */
function findingsOf(results: Results, { latency, parallel }: Course, where: string): readonly Finding[] {
  const target = (atMost: number | undefined) => (latency > 0 && atMost !== undefined ? { target: { atMost } } : {});
  const toFloor = OPERATIONS.map((operation): Finding => {
    const bound = (CHAINS[operation]?.length ?? 0) * latency;
    const [ours = '', floor = ''] = NAMES.map((name) => keyOf(name, operation));
    return {
      what: `${where}: ${bound === 0 ? operation : `${operation}, floor + ${bound} ms`}`,
      against: 'floor',
      figure: results.of(ours, 'wall'),
      reference: results.of(floor, 'wall'),
      unit: 'ms',
      ratio: results.ratio(ours, floor, 'wall', bound),
      ...target(TARGETS[operation]),
    };
  });
  const most = OPERATIONS.map((operation) => mostOf(results, keyOf(OURS.name, operation), 'connections'));
  const connections = Math.max(...most);
  const facts = { against: 'the limit', reference: parallel, unit: 'connections', ...target(1) } as const;
  const ratio = connections / parallel;
  return [...toFloor, { what: `${where}: connections at most`, figure: connections, ratio, ...facts }];
}

function aboutOf({ sizes }: Scope): string {
  const stacks = sizes.flatMap((size) => {
    const shape = SHAPES[size];
    return shape === undefined ? [] : [`- ${size} resources: ${describe(shape)}.`];
  });
  return [
    "Pulumi's own CLI with its file backend, `--skip-preview --parallel 16`, next to the embedded service in a separate process, " +
      'which waits for the latency before it carries a request out. By turns:',
    '',
    '- *ours*: this package. *floor*: the same program with providers that answer immediately and send nothing.',
    '',
    'Stacks; *change* edits one attachment:',
    '',
    ...stacks,
    '',
    "The latency of the requests that need each other's answers (service-facts §11) is added to the floor:",
    '',
    ...Object.entries(CHAINS).map(([operation, chain]) => `- ${operation}: ${chain.join(', ')}`),
  ].join('\n');
}
