// Which suites each tier runs, and with which counts. A submission has to pass `test` and `verify`.
// A suite is a path without `.test.ts`; a path that ends in a slash is a folder. A run is one start of jest.
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '..', '..');

const story = (name) => `test/engine/${name}`;
const kinds = (name) => `test/kinds/${name}`;
const laws = (name) => `test/laws/${name}`;
const runs = (name) => `test/runs/${name}`;
const reviews = (name) => `test/reviews/${name}`;

/** Folders of `test/` whose suites need no engine, by the noun that they judge. */
const NOUNS = ['decisions', 'docs', 'kinds', 'laws', 'matrix', 'plans', 'reviews', 'runs', 'soak'];

/** Everything that needs no engine: the tests next to the code, and the folders of `test/` without the stories on the engine. */
const IN_PROCESS = [
  ...[
    'api/',
    'cli/',
    'drift/',
    'editors/',
    'engine/',
    'policy/',
    'preview/',
    'provider/',
    'sdk/',
    'service/',
    'stack/',
  ],
  ...NOUNS.map((folder) => `test/${folder}/`),
];

/** Stories on the engine that show what a change usually breaks. */
const FIRST_STORIES = ['conformance', 'typed-program'].map(story);

/** Every other story. */
const FURTHER_STORIES = readdirSync(join(ROOT, 'test', 'engine'))
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => story(file.replace('.test.ts', '')))
  .filter((name) => !FIRST_STORIES.includes(name));

/** Suites in process of which `test` plays each test in one dialect; `verify` plays it in the other. */
const IN_TURN = IN_PROCESS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true }).map((file) => `${folder}${file}`),
)
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) =>
    /from '[./]+(test\/)?(dialects-in-turn|world\/each-dialect)';$/m.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  .map((file) => file.replace('.test.ts', ''));

/** Suites that `test` samples; `verify` continues with the other dialects, seeds and boundaries. */
const SAMPLED = [
  ...IN_TURN,
  runs('random-stacks'),
  story('conformance'),
  'cli/commands/drift/fleet-processes',
  'stack/yaml/format',
  'test/docs/findings',
  'test/soak/kill-rounds',
];

/** Suites whose titles name the kind that is judged. */
const BY_KIND = ['budgets', 'lifecycle', 'plugin', 'values'].map(kinds);

/** Stories that play the same rows in one dialect or in both. */
const IN_BOTH_DIALECTS = ['interrupted', 'old-files', 'options', 'plugin', 'simulated', 'values'].map(story);

/** Where the package runs: the oldest and the newest of each that are tried. */
const PLATFORMS = {
  NODE: ['22.13.0', '24.21.0', '26.12.1'],
  SDK: ['3.248.0', '3.276.0'],
  CLI: ['3.259.0', '3.274.1'],
};

/** The package as a user gets it, on each combination of them. */
const MATRIX = PLATFORMS.NODE.flatMap((NODE) =>
  PLATFORMS.SDK.flatMap((SDK) =>
    PLATFORMS.CLI.map((CLI) => ({ suites: [story('package')], platform: { NODE, SDK, CLI } })),
  ),
);

/**
 * The tiers. `counts` are environment variables that the suites read; one that is set already is kept, so that
 * `make soak-stacks STACKS=1000` does more. `named` limits a run to tests whose titles contain the word NAME.
 * `platform` names the Node and the CLI that a run uses, and the SDK that its suites install.
 *
 * @type {{ readonly [tier: string]: readonly import('./tiers.cjs').Run[] }}
 */
const TIERS = {
  test: [{ suites: [...FIRST_STORIES, ...IN_PROCESS] }],
  verify: [
    {
      suites: [...FURTHER_STORIES, ...SAMPLED],
      counts: {
        COMPONENTS: '10',
        DIALECTS: 'other',
        EDITED: '16',
        ENVIRONMENTS: '10',
        FINDING_CASES: '2000',
        FLEET_PROCESSES: '16',
        HISTORIES: '40',
        HISTORIES_ON_ENGINE: '4',
        MUTATED: '40',
        OUTAGES: '200',
        PLANS: '200',
        PLATFORMS: '20',
        ROUNDS: '20',
        ROUND_TRIPS: '10',
        RUNS: '30',
        SEED: '20261131',
        SHARE_OF_ANSWERS: '1',
        STACKS: '4',
        VERDICTS: '20',
      },
    },
    // Its rows in the first dialect, which no other tier plays.
    { suites: [story('crashes')], counts: { DIALECTS: 'first' } },
  ],
  matrix: MATRIX,
  // What every submission passes of it: what is oldest, for users of the newest CLI.
  'matrix-oldest': MATRIX.slice(PLATFORMS.CLI.length - 1, PLATFORMS.CLI.length),
  'soak-crashes': [
    // Every boundary in process; on the engine a sample.
    {
      suites: ['crashes', 'edits', 'pack-changes', 'relations', 'repairs'].map(runs),
      counts: { CRASH_POINTS: 'all', DIALECTS: 'all', PACK_VERSIONS: '4' },
    },
    { suites: [story('crashes'), story('orphans')], counts: { CRASH_POINTS: '160', DIALECTS: 'all', KILLS: '30' } },
  ],
  'soak-stories': [{ suites: [...IN_BOTH_DIALECTS, runs('edits'), kinds('given-back')], counts: { DIALECTS: 'all' } }],
  'soak-stacks': [
    {
      suites: [runs('random-stacks'), story('random-stacks')],
      counts: { PLANS_APPLIED: '40', RUNS: '600', STACKS: '120' },
    },
    { suites: ['test/decisions/laws'], counts: { DIALECTS: 'all', ROUND_TRIPS: '120' } },
    { suites: ['test/docs/findings'], counts: { FINDING_CASES: '100000' } },
    { suites: ['stack/compose/', laws('contract')], counts: { RUNS: '3000' } },
    { suites: ['test/plans/plan-laws'], counts: { DIALECTS: 'all', EDITED: '80', PLANS: '600' } },
  ],
  'soak-service': [
    {
      suites: ['test/soak/', 'service/extras/extras', 'service/http/fuzz'],
      counts: { DESIGNS: '200', DIALECTS: 'all', FUZZ: '20000', ROUNDS: '200' },
    },
    { suites: [laws('answers')], counts: { DIALECTS: 'all', SHARE_OF_ANSWERS: '1' } },
  ],
  'soak-drift': [
    {
      suites: ['test/decisions/laws', reviews('laws')],
      counts: { DIALECTS: 'all', RUNS: '1000', VERDICTS: '60' },
    },
  ],
  'soak-outages': [{ suites: [reviews('laws')], counts: { DIALECTS: 'all', OUTAGES: '5000' } }],
  'soak-ownership': [
    { suites: [runs('ownership')], counts: { DIALECTS: 'all', HISTORIES: '500' } },
    { suites: [story('ownership-histories')], counts: { HISTORIES_ON_ENGINE: '60' } },
  ],
  'kind-test': [
    { suites: ['provider/kinds/', 'provider/faces/dynamic/', 'sdk/', 'test/laws/'] },
    { suites: BY_KIND, named: true, counts: { DIALECTS: 'all' } },
  ],
};

/**
 * A pattern that jest compares with the absolute path of each test file.
 *
 * @param {readonly string[]} suites
 */
function patternOf(suites) {
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const paths = suites.map((suite) => escaped(suite) + (suite.endsWith('/') ? '' : '\\.test\\.ts$'));
  return `^${escaped(ROOT)}/(${paths.join('|')})`;
}

module.exports = { PLATFORMS, ROOT, TIERS, patternOf };
