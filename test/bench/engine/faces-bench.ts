// The chapter on both faces, compared: the dynamic provider and the resource plugin carry the same stack out, by turns.
import { findEngine, type Engine } from '../../engine';
import type { Chapter, Finding } from '../finding';
import { openOnEngine, OPERATIONS, OURS, PLUGIN, type Contestant } from './contestant';
import { runCourse, type Results, type Turns } from './course';
import { rowsOf, TABLE_HEAD } from './engine-bench';
import { benchFaceStart } from './face-start';
import { describe, SHAPES, type Shape } from './stack-shape';

const DYNAMIC = { ...OURS, name: 'dynamic' };

const PARALLEL = 16;

/** A stack that costs little more than the start of a run: an assembly and its design release. */
const SMALLEST: Shape = {
  assemblies: 1,
  platforms: 0,
  components: 0,
  variables: 0,
  holders: 0,
  attachments: 0,
  globals: 0,
};

interface Scope {
  /** Key of SHAPES. */
  readonly size: string;
  /** Of what can be done again in the life of the large stack. */
  readonly repeats: number;
}

/** Measures both faces: their starts, a stack of two resources, and one of the size. */
export async function benchFaces({ size, repeats }: Scope, tell: (line: string) => void): Promise<Chapter> {
  const shape = SHAPES[size];
  if (shape === undefined) throw new Error(`there is no stack of ${size} resources: ${Object.keys(SHAPES).join(', ')}`);
  const starts = await benchFaceStart();
  const engine = await findEngine();
  const small = await resultsOf(engine, SMALLEST, { turns: 3, repeats: 1 }, (line) => tell(`2: ${line}`));
  const once = { turns: 1, repeats, operations: ['create', 'unchanged', 'refresh'] } as const;
  const large = await resultsOf(engine, shape, once, (line) => tell(`${size}: ${line}`));
  const findings = [...starts, ...findingsOf(small, '2'), ...findingsOf(large, size)];
  return {
    heading: 'Both faces compared',
    about: `${aboutOf(shape, size)}\n\n${saidOf(findings)}`,
    findings,
    tables: [{ head: TABLE_HEAD, rows: [...rowsOf(small, '2', 0), ...rowsOf(large, size, 0)] }],
  };
}

async function resultsOf(engine: Engine, shape: Shape, turns: Turns, tell: (line: string) => void): Promise<Results> {
  const contestants: Contestant[] = [];
  try {
    const course = { engine, shape, latency: 0, parallel: PARALLEL, checkpoints: true };
    for (const which of [DYNAMIC, PLUGIN]) contestants.push(await openOnEngine(course, which));
    return await runCourse(contestants, turns, tell);
  } finally {
    for (const contestant of contestants) await contestant.close();
  }
}

/** Wall and processor time of each operation that was measured. */
function findingsOf(results: Results, size: string): readonly Finding[] {
  return OPERATIONS.flatMap((operation) => {
    const [plugin, dynamic] = [results.of('plugin', operation), results.of('dynamic', operation)];
    if (plugin === undefined || dynamic === undefined) return [];
    const row = (what: string, figure: 'wall' | 'cpu', ratio: number): Finding => ({
      what: `${size} resources: ${operation}${what}`,
      against: 'dynamic',
      figure: plugin[figure],
      reference: dynamic[figure],
      unit: 'ms',
      ratio,
    });
    return [
      row('', 'wall', results.ratio('plugin', 'dynamic', operation)),
      row(', CPU', 'cpu', plugin.cpu / dynamic.cpu),
    ];
  });
}

/** What the ratios of one run say, in a sentence for each kind of figure. */
function saidOf(findings: readonly Finding[]): string {
  const told = (isTold: (finding: Finding) => boolean, without: string): string =>
    findings
      .filter(isTold)
      .map(({ what, ratio }) => `${what.replace(without, '')} ${ratio.toFixed(2)}`)
      .join('; ');
  const starts = told(({ what }) => what.startsWith('start'), 'start of the process ');
  const cpu = told(({ what }) => what.endsWith(', CPU'), ', CPU');
  return `What the plugin takes in this run, where the dynamic provider takes 1. Start of the process: ${starts}. CPU: ${cpu}.`;
}

function aboutOf(shape: Shape, size: string): string {
  return [
    'The same stack carried out by the dynamic provider (*dynamic*) and by the bundled resource plugin (*plugin*), on the engine as above, without latency. ' +
      'The figure is that of the plugin; a ratio below 1 says that the plugin takes less. CPU is that of the CLI and all it started: unlike the wall it hardly depends on what else the machine does.',
    '',
    "- The start of the process is measured without an engine: to the answer to its first question, and until it has checked its first resource, for which it loads the package. Pulumi's dynamic host answers the first question before it knows of this package.",
    '- 2 resources, an assembly and its design release, show what every run costs.',
    `- ${size} resources: ${describe(shape)}.`,
  ].join('\n');
}
