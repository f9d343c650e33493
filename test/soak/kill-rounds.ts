// Rounds of writing and killing: a service is killed under load, opened again, and compared with a
// twin that got what was acknowledged.
import { callerOf, ADMIN_TOKEN, basic } from '../service-caller';
import { randomOf, type Random } from './random';
import { startListening, type ListeningProcess } from '../listening-process';
import { readingOf, viewOf, type View } from './view';
import { makeAssembly, nextWrite, settled, SHARED, type Ask, type Write, type Writer } from './writes';

interface KillOptions {
  /** Folder for the databases; empty. */
  readonly folder: string;
  readonly rounds: number;
  readonly seed: number;
}

/** The longest wait of a kill after its request, in ms: most requests take less. */
const AIM = 4;

/** Requests of a round at most. */
const MOST = 160;

/** The speed of the service's own work: pulls and deployments are over within milliseconds. */
const SPEED = 2000;

/** Serves a database file. `start`: when the service's time begins, in milliseconds since 1970. */
const serve = (file: string, start: number): Promise<ListeningProcess> =>
  startListening(['--require', './test/run-source.cjs', 'test/soak/serve.ts', file, String(start), String(SPEED)]);

type Twin = ReturnType<typeof twinIn>;

/** What the service acknowledged is carried out here too, by a service that is never killed. */
function twinIn(file: string) {
  const caller = callerOf('documented', { database: file });
  const reading = readingOf(file);
  const ask: Ask = (method, path, body) => caller.send(method, path, body);
  return {
    ask,
    lines: () => reading.lines(),
    /** Carries out all that is due. */
    settle: (writer: Writer) => settled(ask, writer),
    close: () => {
      reading.close();
      caller.close();
      if (caller.bugs.length > 0) throw new Error(`the twin failed: ${caller.bugs.map(String).join('; ')}`);
    },
  };
}

/** There was no answer: the service is gone. */
class Gone extends Error {}

/** Asks over HTTP, once. Rejects with Gone when there is no answer, or not all of it. */
function askOver(served: ListeningProcess): Ask {
  const exchange = async (
    method: string,
    path: string,
    body: unknown,
  ): Promise<{ readonly status: number; readonly text: string }> => {
    try {
      const response = await fetch(`${served.url}${path}`, {
        method,
        headers: { authorization: basic(ADMIN_TOKEN), accept: 'application/json', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      throw new Gone(`${method} ${path}`, { cause: error });
    }
  };
  return async (method, path, body) => {
    const { status, text } = await exchange(method, path, body);
    return { status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
}

/** What was acknowledged to a writer, in order, and what was not. */
interface Acknowledged {
  readonly answered: readonly { readonly write: Write; readonly status: number }[];
  readonly unanswered: Write | undefined;
}

/** Writes until the service is gone. */
async function writeOn(ask: Ask, writer: Writer, sent: () => void): Promise<Acknowledged> {
  const answered: { readonly write: Write; readonly status: number }[] = [];
  for (;;) {
    const write = nextWrite(writer);
    const status = await unlessGone(() =>
      write.on((method, path, body) => {
        sent();
        return ask(method, path, body);
      }),
    );
    if (status === undefined) return { answered, unanswered: write };
    answered.push({ write, status });
    if (!write.starts) continue;
    const waited = await unlessGone(() => settled(ask, writer).then(() => true));
    if (waited === undefined) return { answered, unanswered: undefined };
  }
}

/** Undefined when the service is gone. */
async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Gone) return undefined;
    throw error;
  }
}

/** Lets all writers write, and kills the service shortly after a request that chance drew. */
async function writeAndKill(
  served: ListeningProcess,
  writers: readonly Writer[],
  random: Random,
): Promise<readonly Acknowledged[]> {
  const fatal = 1 + Math.floor(random() * MOST);
  const moment = random() * AIM;
  let count = 0;
  let killed: Promise<unknown> | undefined;
  const sent = (): void => {
    count += 1;
    if (count !== fatal) return;
    setTimeout(() => {
      killed = served.end('SIGKILL');
    }, moment);
  };
  const acknowledged = await Promise.all(writers.map((writer) => writeOn(askOver(served), writer, sent)));
  if (killed === undefined) throw new Error('the service ended without being killed');
  await killed;
  return acknowledged;
}

/** Repeats on the twin what was acknowledged; answers where it disagrees. */
async function repeat(twin: Twin, writer: Writer, acknowledged: Acknowledged): Promise<string[]> {
  const findings: string[] = [];
  for (const { write, status } of acknowledged.answered) {
    const same = await write.on(twin.ask);
    if (same !== status) findings.push(`${writer.name}: ${write.name} was answered ${status}, by the twin ${same}`);
    if (write.starts) await twin.settle(writer);
  }
  return findings;
}

/** Lines of one view that the other lacks, as often as it lacks them. */
function lacking(view: View, other: View): readonly string[] {
  const left = [...other];
  return view.filter((line) => {
    const at = left.indexOf(line);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

/** What distinguishes two views: `-` is missing, `+` should not be there. */
export const difference = (actual: View, expected: View): readonly string[] => [
  ...lacking(expected, actual).map((line) => `- ${line}`),
  ...lacking(actual, expected).map((line) => `+ ${line}`),
];

/**
 * Compares what a writer finds after the kill with what was acknowledged: all of it is there, and a
 * write without an answer is whole or not there. Such a write is done on the twin when it is found.
 */
async function compare(
  twin: Twin,
  writer: Writer,
  acknowledged: Acknowledged,
  lines: View,
): Promise<{ readonly wrong: readonly string[]; readonly done: boolean }> {
  const actual = viewOf(lines, writer.name);
  const without = difference(actual, viewOf(twin.lines(), writer.name));
  if (acknowledged.unanswered === undefined || without.length === 0) return { wrong: without, done: false };
  await acknowledged.unanswered.on(twin.ask);
  await twin.settle(writer);
  const withIt = difference(actual, viewOf(twin.lines(), writer.name));
  return { wrong: withIt.length < without.length ? withIt : without, done: true };
}

/**
 * Runs the rounds until one finds something: what follows would be judged by a wrong twin. Counts
 * writes that were answered with success, that both services refused, that a kill left without an
 * answer, and those of these that were found done. `findings`: whatever the services do not agree
 * on, and what SQLite finds wrong with a file. Starts are in ms.
 */
export async function killRounds(options: KillOptions) {
  const file = `${options.folder}/killed.db`;
  const start = Date.now();
  const random = randomOf(options.seed);
  const writers = ['writer-a', 'writer-b', 'writer-c', 'writer-d'].map((name, index) => ({
    name,
    random: randomOf(options.seed + 1 + index),
    made: 0,
  }));
  const twin = twinIn(`${options.folder}/twin.db`);
  const total = { acknowledged: 0, refused: 0, unanswered: 0, done: 0 };
  const findings: string[] = [];
  const restarts: number[] = [];
  let served = await serve(file, start);
  const firstStart = served.startedIn;
  let rounds = 0;
  try {
    const names = [SHARED, ...writers.map(({ name }) => name)];
    for (const ask of [askOver(served), twin.ask]) for (const name of names) await makeAssembly(name).on(ask);
    while (rounds < options.rounds && findings.length === 0) {
      rounds += 1;
      const acknowledged = await writeAndKill(served, writers, random);
      served = await serve(file, start);
      restarts.push(served.startedIn);
      for (const writer of writers) await settled(askOver(served), writer);
      const reading = readingOf(file);
      const integrity = reading.integrity();
      const lines = reading.lines();
      reading.close();
      if (integrity !== 'ok') findings.push(`integrity_check: ${integrity}`);
      for (const [index, writer] of writers.entries()) {
        const each = acknowledged[index] as Acknowledged;
        findings.push(...(await repeat(twin, writer, each)));
        const { wrong, done } = await compare(twin, writer, each, lines);
        const succeeded = each.answered.filter(({ status }) => status < 300).length;
        total.acknowledged += succeeded;
        total.refused += each.answered.length - succeeded;
        total.unanswered += each.unanswered === undefined ? 0 : 1;
        total.done += done ? 1 : 0;
        findings.push(...wrong.map((line) => `${writer.name} (${each.unanswered?.name}): ${line}`));
      }
    }
  } finally {
    await served.end('SIGKILL');
    twin.close();
  }
  return { rounds, ...total, findings, firstStart, restarts };
}
