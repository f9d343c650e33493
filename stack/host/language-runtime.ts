// Pulumi's language protocol for `runtime: oneops` (engine-facts C), and the installation of packages
// that it asks for.
import {
  status,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import * as language from '@pulumi/pulumi/proto/language_pb';
import { PluginInfo } from '@pulumi/pulumi/proto/plugin_pb';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../api/errors';
import { answering } from '../../provider/faces/served';
import type { FilePlace } from '../yaml/source';
import { STANDARD_FILE } from '../yaml/text-file';

export interface ProgramRequest {
  /** Folder of `Pulumi.yaml`, or its `main`. */
  readonly directory: string;
  /** `runtime.options` of `Pulumi.yaml`. */
  readonly options: { readonly [name: string]: unknown };
  /** Configuration by full key (`storefront:owner`), secrets in clear. */
  readonly config: { readonly [key: string]: string };
  /** Full keys of the secrets among them. */
  readonly secretKeys: readonly string[];
  readonly project: string;
  readonly stack: string;
}

/** A stack that can be registered. */
export interface Prepared {
  /** Registers everything and returns the outputs. */
  readonly program: () => Promise<object>;
  readonly place: FilePlace;
}

/** The word that makes a language host serve one component. */
export const COMPONENT = 'component';

export type PluginRequest = Pick<ProgramRequest, 'directory' | 'options'>;

export interface RunningPlugin {
  readonly port: number;
  /** Ends it immediately. */
  stop(): void;
}

/** The end of a run: an answer for the engine, or a message that was not shown yet. */
export type RunResult = { readonly response: language.RunResponse } | { readonly failure: string };

interface Runtime {
  readonly version: string;
  /** Packages that a program depends on, with versions. */
  readonly dependencies: { readonly [name: string]: string };
  /** Reads the stack. Returns a function that registers everything, or the problem. */
  prepare(request: ProgramRequest): Promise<Prepared | { readonly problem: string }>;
  /** Runs a prepared program. Resolves to an answer, or to a failure that nobody saw yet. */
  run(request: language.RunRequest, prepared: Prepared): Promise<RunResult>;
  /** Installs the packages of a folder. Resolves to the reason of a failure. */
  install(folder: string, show: Show): Promise<string | undefined>;
  /** Serves a folder as a plugin. Resolves to its port, or to a reason. */
  plugin(request: PluginRequest): Promise<RunningPlugin | { readonly problem: string }>;
  /** The engine asks this process to end. */
  stop(): void;
}

/** Returns the implementation for a gRPC server. */
export function languageRuntime(runtime: Runtime): UntypedServiceImplementation {
  const run = (
    { request }: ServerUnaryCall<language.RunRequest, language.RunResponse>,
    callback: sendUnaryData<language.RunResponse>,
  ): void => {
    // The engine shows the text of a status once, without a prefix or a stack trace, and changes
    // nothing.
    const fail = (message: string): void => callback({ code: status.UNKNOWN, details: message });
    const result = async (): Promise<RunResult> => {
      const prepared = await runtime.prepare(programRequest(request));
      return 'problem' in prepared ? { failure: prepared.problem } : runtime.run(request, prepared);
    };
    result().then(
      (ended) => ('failure' in ended ? fail(ended.failure) : callback(null, ended.response)),
      (error: unknown) => fail(messageOf(error)),
    );
  };

  return {
    run,
    getPluginInfo: answering(() => new PluginInfo().setVersion(runtime.version)),
    about: answering(() => new language.AboutResponse().setExecutable(process.execPath).setVersion(process.version)),
    getProgramDependencies: answering(() =>
      new language.GetProgramDependenciesResponse().setDependenciesList(
        Object.entries(runtime.dependencies).map(([name, version]) =>
          new language.DependencyInfo().setName(name).setVersion(version),
        ),
      ),
    ),
    ...NOTHING_TO_SAY,
    installDependencies: installDependencies(runtime),
    runPlugin: runPlugin(runtime),
    ...generation,
    cancel: (_call: unknown, callback: sendUnaryData<Empty>) => {
      callback(null, new Empty());
      runtime.stop();
    },
  };
}

/** The shortest answers. Without them, the engine takes the host for an old one. */
const NOTHING_TO_SAY = {
  // The address of the engine is in the arguments of the process, and folders are in each request.
  handshake: answering(() => new language.LanguageHandshakeResponse()),
  // A version here would give the default provider another name.
  getRequiredPackages: answering(() => new language.GetRequiredPackagesResponse()),
  getRequiredPlugins: answering(() => new language.GetRequiredPluginsResponse()),
  // `runtime: oneops` needs no option: the folder decides which provider is used.
  runtimeOptionsPrompts: answering(() => new language.RuntimeOptionsResponse()),
  // The engine fills in the name of the project itself.
  template: answering(() => new language.TemplateResponse()),
};

/** Installs packages, and streams what the package manager prints. */
const installDependencies =
  (runtime: Runtime) =>
  (call: ServerWritableStream<language.InstallDependenciesRequest, language.InstallDependenciesResponse>): void => {
    const { request } = call;
    const show: Show = (stream, bytes) => {
      const answer = new language.InstallDependenciesResponse();
      call.write(stream === 'stdout' ? answer.setStdout(bytes) : answer.setStderr(bytes));
    };
    runtime.install(request.getInfo()?.getProgramDirectory() || request.getDirectory(), show).then(
      (problem) => (problem === undefined ? call.end() : call.emit('error', failure(problem))),
      (error: unknown) => call.emit('error', failure(String(error))),
    );
  };

/** Serves a plugin until the call ends. The engine reads the port from its output. */
const runPlugin =
  (runtime: Runtime) =>
  (call: ServerWritableStream<language.RunPluginRequest, language.RunPluginResponse>): void => {
    const { request } = call;
    const info = request.getInfo();
    const directory = info?.getProgramDirectory() || request.getPwd();
    const fail = (reason: string): void => void call.emit('error', failure(reason));
    runtime.plugin({ directory, options: info?.getOptions()?.toJavaScript() ?? {} }).then(
      (plugin) => {
        if ('problem' in plugin) return fail(plugin.problem);
        if (call.cancelled) return plugin.stop();
        call.on('cancelled', () => plugin.stop());
        call.write(new language.RunPluginResponse().setStdout(Buffer.from(`${plugin.port}\n`)));
      },
      (error: unknown) => fail(String(error)),
    );
  };

/** An error for the engine. Emitted: a destroyed stream sends no status. */
const failure = (details: string): Error => Object.assign(new Error(details), { code: status.UNKNOWN, details });

function programRequest(request: language.RunRequest): ProgramRequest {
  const info = request.getInfo();
  return {
    directory: info?.getProgramDirectory() || request.getPwd() || process.cwd(),
    options: info?.getOptions()?.toJavaScript() ?? {},
    config: Object.fromEntries(request.getConfigMap().entries() as unknown as Iterable<[string, string]>),
    secretKeys: request.getConfigsecretkeysList(),
    project: request.getProject(),
    stack: request.getStack(),
  };
}

/** The code of `pulumi import`, and the stack file of `pulumi convert --language oneops`. */
const COMMENT =
  '# pulumi-oneops export --assembly NAME --environments writes the stack file of an assembly that exists\n';

/** The questions for code. */
const generation: UntypedServiceImplementation = {
  generateProgram: answering(() => {
    const answer = new language.GenerateProgramResponse();
    answer.getSourceMap().set(STANDARD_FILE, Buffer.from(COMMENT));
    return answer;
  }),
  generateProject: answering((request: language.GenerateProjectRequest) => {
    const folder = request.getTargetDirectory();
    const { name } = JSON.parse(request.getProject()) as { readonly name?: unknown };
    mkdirSync(folder, { recursive: true });
    // The CLI reads the project that it asked for.
    writeFileSync(join(folder, 'Pulumi.yaml'), `name: ${JSON.stringify(name)}\nruntime: oneops\n`);
    writeFileSync(join(folder, STANDARD_FILE), COMMENT);
    return new language.GenerateProjectResponse();
  }),
  generatePackage: answering((request: language.GeneratePackageRequest) => {
    const { name } = JSON.parse(request.getSchema()) as { readonly name?: unknown };
    if (name !== 'oneops') throw new Error(OTHER_PACKAGE);
    // A stack file has the resources of OneOps without an SDK.
    return new language.GeneratePackageResponse();
  }),
  link: answering(() =>
    new language.LinkResponse().setImportInstructions(
      'A stack file has the resources of OneOps already: there is nothing to import.',
    ),
  ),
};

const OTHER_PACKAGE = [
  'a project of the language oneops takes no packages: a stack file declares resources of OneOps alone',
  '  a program in another language takes any package in addition to pulumi-oneops',
].join('\n');

/** The command for each lock file; the first one that exists decides. */
const BY_LOCK_FILE: readonly (readonly [file: string, ...command: readonly string[]])[] = [
  ['package-lock.json', 'npm', 'ci'],
  ['npm-shrinkwrap.json', 'npm', 'ci'],
  ['pnpm-lock.yaml', 'pnpm', 'install', '--frozen-lockfile'],
  ['yarn.lock', 'yarn', 'install'],
  ['package.json', 'npm', 'install'],
];

/** Gets what a package manager prints. */
type Show = (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;

/**
 * Installs the packages of a project that has a package.json, with the package manager whose lock
 * file is next to it. Resolves to a failure's reason.
 */
export async function installPackages(folder: string, show: Show): Promise<string | undefined> {
  const found = BY_LOCK_FILE.find(([file]) => existsSync(join(folder, file)));
  if (found === undefined || !existsSync(join(folder, 'package.json'))) return undefined;
  const [, program = '', ...words] = found;
  const command = [program, ...words].join(' ');
  return new Promise((resolve) => {
    // On Windows, package managers are scripts, which only a shell starts.
    const child = spawn(program, words, {
      cwd: folder,
      env: process.env,
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (bytes: Buffer) => show('stdout', bytes));
    child.stderr.on('data', (bytes: Buffer) => show('stderr', bytes));
    child.on('error', ({ message }) =>
      resolve(`${command} in ${folder} cannot be started: ${message}; install ${program}`),
    );
    child.on('close', (code) => resolve(code === 0 ? undefined : `${command} in ${folder} ended with ${code}`));
  });
}
