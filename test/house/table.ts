// The table of `make house`: what the repository weighs, against what it should weigh.
// It only reads.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as kindList from '../../provider/kinds';
import {
  foreignMentions,
  holdsSection,
  importCycles,
  largeFunctions,
  namesExportedTwice,
  unresolvedCitations,
} from './measures';
import { readSources, ROOT, type Source } from './sources';

/** A line of the table: a total, or the places that were found. */
interface Measure {
  readonly what: string;
  readonly target: number;
  readonly places: readonly string[] | number;
}

/** Files, exports and types that nothing uses, as knip finds them. */
function unused(): readonly string[] {
  let report: string;
  try {
    report = execFileSync('node_modules/.bin/knip', ['--reporter', 'json', '--no-exit-code'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
  } catch (error) {
    throw new Error('knip did not run, so unused exports cannot be counted', { cause: error });
  }
  interface Named {
    readonly name: string;
  }
  interface Row {
    readonly file: string;
    readonly exports?: readonly Named[];
    readonly types?: readonly Named[];
  }
  const { files, issues } = JSON.parse(report) as {
    readonly files: readonly string[];
    readonly issues: readonly Row[];
  };
  return [
    ...files.map((file) => `${file} is used by nothing`),
    ...issues.flatMap(({ file, exports = [], types = [] }) =>
      [...exports, ...types].map(({ name }) => `${file} ${name}`),
    ),
  ];
}

const sum = (sources: readonly Source[]): number => sources.reduce((total, { lines }) => total + lines, 0);

/** Measures the working tree. Takes a few seconds. */
export function measureHouse(): readonly Measure[] {
  const { product, tests } = readSources();
  const tokens = kindList.kinds.map(({ token }) => token);
  const constants = Object.keys(kindList).filter((name) => name !== 'kinds' && name !== 'kindOf');
  const has = (document: string, section: string): boolean => {
    const file = join(ROOT, 'docs', 'design', `${document}.md`);
    return existsSync(file) && holdsSection(readFileSync(file, 'utf8'), section);
  };
  return [
    { what: 'source files', target: 400, places: product.length },
    { what: 'lines of source', target: 40_000, places: sum(product) },
    { what: 'lines of tests', target: 36_500, places: sum(tests) },
    { what: 'import cycles', target: 0, places: importCycles([...product, ...tests]) },
    { what: 'unused files and exports', target: 0, places: unused() },
    { what: 'functions over 60 lines or 4 parameters', target: 0, places: largeFunctions(product) },
    { what: 'mentions of a kind outside the kinds', target: 0, places: foreignMentions(product, tokens, constants) },
    {
      what: 'citations that do not resolve',
      target: 0,
      places: unresolvedCitations([...product, ...tests], has),
    },
    { what: 'names exported twice', target: 0, places: namesExportedTwice(product) },
  ];
}

/** The number of a measure. */
export const countOf = ({ places }: Measure): number => (typeof places === 'number' ? places : places.length);
