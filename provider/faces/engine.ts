// The engine of this process: its log, whether it lives, its request (engine-facts A §6 and §10).
import { connectivityState, credentials } from '@grpc/grpc-js';
import { Diagnostic, DiagnosticSeverity, Pos, Range } from '@pulumi/pulumi/proto/codegen/hcl_pb';
import { EngineClient } from '@pulumi/pulumi/proto/engine_grpc_pb';
import { LogRequest, LogSeverity } from '@pulumi/pulumi/proto/engine_pb';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface EngineMessage {
  readonly text: string;
  /** Resource it belongs to; without one it is the stack's. */
  readonly urn?: string;
  readonly severity: 'info' | 'warning' | 'error';
  /** Shown while the run lasts, and not kept among its diagnostics. */
  readonly ephemeral: boolean;
}

export interface Engine {
  /** Sends a message. One that cannot be sent is dropped: it must never fail a run. */
  log(message: EngineMessage): void;
  /** Calls back once, when nobody listens at the engine's address any more. */
  whenGone(callback: () => void): void;
  close(): void;
}

const SEVERITIES = { info: LogSeverity.INFO, warning: LogSeverity.WARNING, error: LogSeverity.ERROR } as const;

/** Connects to the engine at `127.0.0.1:40123`: the last argument of a plug-in. */
export function openEngine(address: string): Engine {
  const client = new EngineClient(address, credentials.createInsecure());
  return {
    log(message) {
      const request = new LogRequest();
      request.setSeverity(SEVERITIES[message.severity]);
      request.setMessage(message.text);
      request.setUrn(message.urn ?? '');
      request.setEphemeral(message.ephemeral);
      client.log(request, () => undefined);
    },
    whenGone(callback) {
      const channel = client.getChannel();
      const watch = (): void => {
        const state = channel.getConnectivityState(true);
        if (state === connectivityState.TRANSIENT_FAILURE) return callback();
        if (state === connectivityState.SHUTDOWN) return;
        channel.watchConnectivityState(state, Infinity, watch);
      };
      watch();
    },
    close: () => client.close(),
  };
}

// Provider processes that a killed engine left behind.

/** The SDK's host of dynamic providers, and the shell script that starts it. */
const HOST = /(^|\/)(pulumi-resource-pulumi-nodejs|dynamic-provider)(\/|$)/;

/**
 * Ends the hosts of dynamic providers that the engine at an address started, after that engine has
 * ended. A host watches its engine from its first call on; one that got no call would wait for
 * good.
 */
export function endOrphans(engineAddress: string): void {
  const orphans = runningProcesses().filter(
    ({ pid, words }) => pid !== process.pid && words.at(-1) === engineAddress && words.some((word) => HOST.test(word)),
  );
  for (const { pid } of orphans) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself, or belongs to another user.
    }
  }
}

interface Started {
  readonly pid: number;
  readonly parent: number;
  readonly words: readonly string[];
}

// Small images have no `ps`.
const runningProcesses = (): readonly Started[] =>
  existsSync('/proc/self/cmdline')
    ? readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (processInFiles(Number(name)) ?? []) : []))
    : listedProcesses('-A');

const startedProcess = (id: number): Started | undefined =>
  processInFiles(id) ?? listedProcesses('-p', String(id)).at(0);

/** A process by its files; undefined where there are none, or it has ended meanwhile. */
function processInFiles(pid: number): Started | undefined {
  try {
    // The name of the program is in parentheses and may contain any character.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').split('\0');
    return { pid, parent: Number(parent), words };
  } catch {
    return undefined;
  }
}

function listedProcesses(...wanted: readonly string[]): readonly Started[] {
  try {
    const lines = execFileSync('ps', ['-o', 'pid=,ppid=,args=', ...wanted], { encoding: 'utf8' })
      .trim()
      .split('\n');
    return lines.map((line) => {
      const [pid, parent, ...words] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), words };
    });
  } catch {
    return [];
  }
}

// Messages and findings with a place.

/** A place in a file; line and column from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

interface PlacedMessage {
  readonly isError: boolean;
  readonly summary: string;
  readonly detail: string;
  readonly at: { readonly file: string; readonly start: Place; readonly end: Place };
}

export function engineDiagnostic({ isError, summary, detail, at }: PlacedMessage): Diagnostic {
  const subject = new Range();
  subject.setFilename(at.file);
  subject.setStart(positionOf(at.start));
  subject.setEnd(positionOf(at.end));
  const diagnostic = new Diagnostic();
  diagnostic.setSeverity(isError ? DiagnosticSeverity.DIAG_ERROR : DiagnosticSeverity.DIAG_WARNING);
  diagnostic.setSummary(summary);
  diagnostic.setDetail(detail);
  diagnostic.setSubject(subject);
  return diagnostic;
}

function positionOf({ line, column, offset }: Place): Pos {
  const position = new Pos();
  position.setLine(line);
  position.setColumn(column);
  position.setByte(offset);
  return position;
}

// What a run of the engine is: limited by `--target` or `--exclude`, with `--replace`, or the destroy
// of a whole stack. Only the command line and the environment of the CLI, an ancestor process, say so.

type ProcessAt = (id: number) => Pick<Started, 'parent' | 'words'> | undefined;

/** Whether a run may have a flag: also where no CLI is found, as below a program with an engine. */
const mayHave =
  (flag: RegExp, variable: RegExp) =>
  (
    environment: { readonly [name: string]: string | undefined } = process.env,
    processAt: ProcessAt = startedProcess,
  ): boolean =>
    Object.entries(environment).some(([name, value]) => variable.test(name) && value !== '') ||
    (commandOf(process.pid, processAt)?.some((word) => flag.test(word)) ?? true);

/** Whether a run may be limited to some resources. */
export const mayBeTargeted = mayHave(
  /^--(target|exclude|target-replace|exclude-protected)(=|$)|^-[dfjry]*t/,
  /^PULUMI_OPTION_(TARGET|EXCLUDE)/,
);

/** Whether a run may replace resources whose difference it does not ask for. */
export const mayReplace = mayHave(/^--(target-)?replace(=|$)/, /^PULUMI_OPTION_(TARGET_)?REPLACE/);

/** Whether a run surely destroys the whole stack: `pulumi destroy` without limits. */
export function isWholeDestroy(
  environment: { readonly [name: string]: string | undefined } = process.env,
  processAt: ProcessAt = startedProcess,
): boolean {
  if (mayBeTargeted(environment, processAt)) return false;
  const words = commandOf(process.pid, processAt) ?? [];
  const command = words.slice(1).find((word) => COMMANDS.includes(word));
  return DESTROYS.includes(command ?? '');
}

const DESTROYS = ['destroy', 'down', 'dn'];
const COMMANDS = [...DESTROYS, 'up', 'update', 'preview', 'pre', 'refresh', 'import', 'watch', 'state', 'stack'];

/** The command line of the CLI above a process. */
function commandOf(id: number, processAt: ProcessAt): readonly string[] | undefined {
  for (let started = processAt(id); started !== undefined && started.parent > 1;) {
    started = processAt(started.parent);
    const [program = ''] = started?.words ?? [];
    if (/(^|[\\/])pulumi(\.exe)?$/.test(program)) return started?.words;
  }
  return undefined;
}
