// A language host for programs that are data: program.json of the project's folder, registered by whoever serves it.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Server, ServerCredentials } = require('@grpc/grpc-js');
const { LanguageRuntimeService } = require('@pulumi/pulumi/proto/language_grpc_pb');
const { openEngine } = require('../../../../dist/provider/faces/engine');
const { languageRuntime } = require('../../../../dist/stack/host/language-runtime.js');
const { runProgram } = require('../../../../dist/stack/host/sdk-run.js');

const FILE = 'program.json';

/** Serves the engine at the process's last argument. `register` gets the resources as they are in the file. */
exports.serveProgram = (register) => {
  const engineAddress = process.argv.at(-1);
  const engine = openEngine(engineAddress);
  const server = new Server();
  const prepare = ({ directory }) => {
    const file = join(directory, FILE);
    const declared = JSON.parse(readFileSync(file, 'utf8'));
    const program = async () => {
      register(declared);
      return {};
    };
    return { program, place: { file, line: 1, column: 1 } };
  };
  server.addService(
    LanguageRuntimeService,
    languageRuntime({
      version: '0.0.0',
      dependencies: {},
      prepare,
      run: (request, prepared) => runProgram(request, engineAddress, prepared),
      install: async () => undefined,
      stop: () => server.tryShutdown(() => process.exit(0)),
    }),
  );
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
    engine.whenGone(() => process.exit(1));
  });
};
