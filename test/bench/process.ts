// The service in a process, which is measured from outside.
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
