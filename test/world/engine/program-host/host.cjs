// The language host behind `runtime: program`: registers what program.json of the project's folder
// lists, through the built package. Like the product's host, it loads what a run needs for a run.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Server, ServerCredentials } = require('@grpc/grpc-js');
const { LanguageRuntimeService } = require('@pulumi/pulumi/proto/language_grpc_pb');
const { openEngine } = require('../../../../dist/provider/faces/engine');
const { languageRuntime } = require('../../../../dist/stack/host/language-runtime.js');

const FILE = 'program.json';

const pulumi = () => require('@pulumi/pulumi');

/** What a value of the file stands for, by the member that says so; `at` resolves what is inside of it. */
const STANDING_FOR = {
  /** `{ "resource": "Platform::web" }`: the resource object. */
  resource: ({ resource }, at, find) => find(resource),
  /** `{ "output": "Platform::web", "name": "ciId" }`: an output of it; `"gives": …`: a value made of that output, of any form. */
  output: ({ output, name, ...more }, at, find) => {
    const source = find(output)[name];
    return 'gives' in more ? source.apply(() => at(more.gives)) : source;
  },
  /** `{ "secret": … }`: the value as a secret. */
  secret: (value, at) => pulumi().secret(at(value.secret)),
  /** `{ "config": "key" }`: a secret of the stack's configuration. */
  config: ({ config }) => new (pulumi().Config)().requireSecret(config),
  /** `{ "promise": … }`: the value as a promise. */
  promise: (value, at) => Promise.resolve(at(value.promise)),
};

/** A value of the file with everything in place that something stands for, at any depth. */
function settled(value, resources) {
  if (Array.isArray(value)) return value.map((item) => settled(item, resources));
  if (typeof value !== 'object' || value === null) return value;
  const [first, ...more] = Object.keys(value);
  // An argument may be called as a member here.
  const isAlone = more.every((name) => ['name', 'gives'].includes(name));
  const stands = isAlone ? STANDING_FOR[first] : undefined;
  if (stands === undefined)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, settled(item, resources)]));
  const find = (key) => {
    const found = resources.get(key);
    if (found === undefined) throw new Error(`the program names ${key} before it lists it`);
    return found;
  };
  return stands(value, (inner) => settled(inner, resources), find);
}

/** Registers what a file lists. */
function register(declared) {
  const { declareResource } = require('../../../../dist/sdk');
  const resources = new Map();
  for (const { token, name, args, options = {} } of declared) {
    const made = declareResource(token, name, settled(args, resources), settled(options, resources));
    resources.set(`${token}::${name}`, made);
  }
  return {};
}

async function prepare({ directory }) {
  const file = join(directory, FILE);
  const declared = JSON.parse(readFileSync(file, 'utf8'));
  return { program: async () => register(declared), place: { file, line: 1, column: 1 } };
}

function run(request, prepared) {
  const { runProgram } = require('../../../../dist/stack/host/sdk-run.js');
  return runProgram(request, engineAddress, prepared);
}

const engineAddress = process.argv.at(-1);
const engine = openEngine(engineAddress);
const server = new Server();
const stop = () => server.tryShutdown(() => process.exit(0));
const install = async () => undefined;
server.addService(
  LanguageRuntimeService,
  languageRuntime({ version: '0.0.0', dependencies: {}, prepare, run, install, stop }),
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
  engine.whenGone(() => process.exit(1));
});
