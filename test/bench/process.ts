// What is measured from outside: the service, and a handler that does nothing, each in a process.
import { execFileSync } from 'node:child_process';
import { type ListeningProcess, startListening } from '../listening-process';

/** Token of the service's administrator in every bench. */
export const TOKEN = 'token-of-bench';

/** Resident memory of a process in bytes. */
export const memoryOf = ({ pid }: ListeningProcess): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;

/** The built service on a database file, as a user starts it. */
export function startService(database: string): Promise<ListeningProcess> {
  const words = ['serve', '--port', '0', '--db', database, '--user', `admin:${TOKEN}`];
  return startListening(['bin/pulumi-oneops', ...words]);
}

/** An answer to send again and again: headers, names and values by turns, and a body. */
interface Constant {
  readonly head: readonly string[];
  readonly body: string;
}

/** What a service answers to a request, to be sent by a handler that does nothing else. */
export async function answerOf(url: string, headers: { readonly [name: string]: string }): Promise<Constant> {
  const response = await fetch(url, { headers });
  const body = await response.text();
  // Those that every server of node's adds by itself are left out.
  const own = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  return { head: own.flat(), body };
}

/** A listener of node's own HTTP server that answers every request with the same. */
export function startEmptyHandler(constant: Constant): Promise<ListeningProcess> {
  return startListening([
    '--require',
    './test/run-source.cjs',
    'test/bench/empty-handler.ts',
    JSON.stringify(constant),
  ]);
}
