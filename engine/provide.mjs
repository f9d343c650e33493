// `node engine/provide.mjs`: finds or makes a Pulumi CLI and shows where it is; plain Node, works
// before `npm ci`.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findKept, findOnPath } from './find.mjs';
import { makeCli } from './make.mjs';
import { OLDEST_USED, parseVersion, readToolsModule } from './versions.mjs';

const USAGE = `node engine/provide.mjs [--json] [--exactly VERSION] [--patience SECONDS]

Finds or makes a Pulumi CLI and prints its path, its version and the way it took. Ways, in this order: a pulumi on
PATH; one kept in Pulumi's versions folder (~/.pulumi/versions, PULUMI_HOME respected); the download of Pulumi's npm
launcher; a build with Go.

  --json              print {"root", "pulumi", "version", "way"} on one line; root is a folder with bin/pulumi
  --exactly VERSION   this version and no other, kept in Pulumi's versions folder or downloaded
  --patience SECONDS  how long the download may bring no data before it is given up (default 20)
  --help              print this
`;

const WAYS = {
  path: 'PATH',
  versions: "Pulumi's versions folder",
  download: "a download of Pulumi's npm launcher",
  build: 'a build with Go',
};

const EXIT_OF_SIGNAL = { SIGINT: 130, SIGTERM: 143 };

/** Runs the ways in order and prints the first CLI that comes of one. */
async function main() {
  const options = readOptions(process.argv.slice(2));
  if ('wrong' in options) return fail(`${options.wrong}\n\n${USAGE}`, 2);
  if (options.help) return void process.stdout.write(USAGE);
  if (process.platform === 'win32') return fail('Windows is not served; inside WSL this works as on Linux.', 1);

  const stop = new AbortController();
  for (const signal of Object.keys(EXIT_OF_SIGNAL)) process.once(signal, () => stop.abort(signal));
  const folder = dirname(fileURLToPath(import.meta.url));
  const module = readToolsModule(await readFile(join(folder, 'go.mod'), 'utf8'));
  const search = {
    ...module,
    wanted: options.exactly ?? module.wanted,
    built: module.wanted,
    isExact: options.exactly !== undefined,
    folder,
    versions: join(process.env.PULUMI_HOME || join(homedir(), '.pulumi'), 'versions'),
    path: process.env.PATH ?? '',
    patience: options.patience * 1_000,
    stop: stop.signal,
    say: (line) => process.stderr.write(`engine: ${line}\n`),
  };
  try {
    const { cli, tried } = await provide(search);
    if (cli === undefined) return fail(describeFailure(tried, search), 1);
    if (cli.untried) search.say(`${cli.version.text} is untried here: ${search.wanted.text} is what the tests use`);
    process.stdout.write(options.json ? `${JSON.stringify(publish(cli))}\n` : describe(cli));
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    fail('stopped; what was half done is cleared away', EXIT_OF_SIGNAL[stop.signal.reason]);
  }
}

async function provide(search) {
  const tried = [];
  for (const [title, way] of [
    ...(search.isExact ? [] : [['on PATH', findOnPath]]),
    [`kept in ${search.versions}`, findKept],
  ]) {
    const outcome = await way(search);
    if ('cli' in outcome) return { cli: outcome.cli, tried };
    tried.push([title, outcome.reason]);
  }
  const made = await makeCli(search);
  return { cli: made.cli, tried: [...tried, ...made.tried] };
}

function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        json: { type: 'boolean' },
        exactly: { type: 'string' },
        patience: { type: 'string', default: '20' },
        help: { type: 'boolean' },
      },
    });
    const patience = Number(values.patience);
    if (!(patience > 0)) return { wrong: `--patience takes a number of seconds, not "${values.patience}"` };
    const exactly = parseVersion(values.exactly ?? '');
    if (values.exactly !== undefined && exactly === undefined)
      return { wrong: `--exactly takes a version such as 3.259.0, not "${values.exactly}"` };
    return { json: values.json ?? false, help: values.help ?? false, patience, exactly };
  } catch (error) {
    return { wrong: error.message };
  }
}

function publish({ root, version, way }) {
  return { root, pulumi: join(root, 'bin', 'pulumi'), version: version.text, way };
}

function describe(cli) {
  const { pulumi, version, way } = publish(cli);
  return `pulumi   ${pulumi}\nversion  ${version}${cli.untried ? ' (untried)' : ''}\nfrom     ${WAYS[way]}\n`;
}

function describeFailure(tried, { wanted, go }) {
  return [
    'no Pulumi CLI could be found or made:',
    ...tried.map(([title, reason]) => `  ${title}: ${reason}`),
    'Do one of these, then run it again:',
    `  install Pulumi ${wanted.text} or newer (at least ${OLDEST_USED}) as its site says, pulumi.com, under Install; its folder on PATH`,
    `  install Go ${go.text} or newer from go.dev: Pulumi is then built with it in about 4 minutes`,
  ].join('\n');
}

function fail(message, code) {
  process.stderr.write(`engine: ${message}\n`);
  process.exitCode = code;
}

await main();
