// The language host behind `runtime: program`: registers what program.json of the project's folder lists, through the built package.
// It must not know any kind, nor what a test expects of it.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Server, ServerCredentials } = require('@grpc/grpc-js');
const { LanguageRuntimeService } = require('@pulumi/pulumi/proto/language_grpc_pb');
const { openEngine } = require('../../../dist/provider/engine');
const { declareResource } = require('../../../dist/sdk');
const { languageRuntime } = require('../../../dist/stack/language-host/language-runtime.js');
const { runProgram } = require('../../../dist/stack/language-host/sdk-run.js');

const FILE = 'program.json';

/** Resource objects in place of `{ "resource": "Platform::web" }`, at any depth. */
function withResources(value, resources) {
  if (Array.isArray(value)) return value.map((item) => withResources(item, resources));
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.resource === 'string') {
    const found = resources.get(value.resource);
    if (found === undefined) throw new Error(`${FILE} names ${value.resource} before it lists it`);
    return found;
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withResources(item, resources)]));
}

/** Functions in place of `transforms: [{ "props": { … }, "opts": { … } }]`: each lays these over what is registered. */
function withTransforms({ transforms, ...options }) {
  if (transforms === undefined) return options;
  const functions = transforms.map((over) => (args) => ({
    props: { ...args.props, ...over.props },
    opts: { ...args.opts, ...over.opts },
  }));
  return { ...options, transforms: functions };
}

function prepare({ directory }) {
  const file = join(directory, FILE);
  const declared = JSON.parse(readFileSync(file, 'utf8'));
  const program = async () => {
    const resources = new Map();
    for (const { token, name, args, options = {} } of declared) {
      const settled = withTransforms(withResources(options, resources));
      const made = declareResource(token, name, withResources(args, resources), settled);
      resources.set(`${token}::${name}`, made);
    }
    return {};
  };
  return { program, place: { file, line: 1, column: 1 } };
}

const engineAddress = process.argv.at(-1);
const engine = openEngine(engineAddress);
const server = new Server();
server.addService(
  LanguageRuntimeService,
  languageRuntime({
    version: '0.0.0',
    dependencies: {},
    prepare,
    run: (request, prepared) => runProgram(request, engineAddress, prepared),
    stop: () => server.tryShutdown(() => process.exit(0)),
  }),
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
  engine.whenGone(() => process.exit(1));
});
