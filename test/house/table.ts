// The table of `make house`: what the repository weighs, against what it should weigh.
// It only reads.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import heldNumbers from './held.json';
import {
  entriesOfLargestFolder,
  exportedNames,
  holdsSection,
  importCycles,
  longFunctions,
  modulesPerTestFile,
  optionalMembers,
  smallFilesOfOneImporter,
  unresolvedCitations,
} from './measures';
import { readSources, ROOT, type Source, type Sources } from './sources';

/** A line of the table: a total, or the places that were found. */
interface Measure {
  readonly what: string;
  /** Undefined where the number only says where to look. */
  readonly target?: number;
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
export function measureHouse(sources: Sources = readSources()): readonly Measure[] {
  const { product, tests } = sources;
  const all = [...product, ...tests];
  const fileOf = (path: string): readonly Source[] => product.filter((each) => each.path === path);
  const has = (document: string, section: string): boolean => {
    const file = join(ROOT, 'docs', 'design', `${document}.md`);
    return existsSync(file) && holdsSection(readFileSync(file, 'utf8'), section);
  };
  return [
    { what: 'source files', target: 480, places: product.length },
    { what: 'lines of source', target: 71_000, places: sum(product) },
    { what: 'lines of tests', target: 55_000, places: sum(tests) },
    { what: 'import cycles', target: 0, places: importCycles(all) },
    { what: 'unused files and exports', target: 0, places: unused() },
    { what: 'citations that do not resolve', target: 0, places: unresolvedCitations(all, has) },
    { what: 'modules that a test file evaluates', target: 120, places: modulesPerTestFile(product, tests) },
    { what: 'entries of the largest folder', target: 16, places: entriesOfLargestFolder(product) },
    {
      what: 'names exported by provider/index.ts',
      target: 60,
      places: fileOf('provider/index.ts').flatMap(exportedNames),
    },
    {
      what: 'facets of a kind',
      target: 14,
      places: fileOf('provider/kind.ts').flatMap((file) => optionalMembers(file, ['Scope', 'Kind'])),
    },
    { what: 'small files with one importer', target: 40, places: smallFilesOfOneImporter(product) },
    { what: 'functions over 60 lines', places: longFunctions(product) },
  ];
}

/** The number of a measure. */
export const countOf = ({ places }: Measure): number => (typeof places === 'number' ? places : places.length);

/** The most that `test/house/held.json` allows of a measure: its number when it was last lowered, and room for work at the same time. */
export function mostOf({ what }: Measure): number | undefined {
  const held: { readonly [what: string]: { readonly measured: number; readonly room?: number } } = heldNumbers;
  const found = held[what];
  return found && found.measured + (found.room ?? 0);
}
