// `pulumi-oneops serve`: the embedded API service on a port, until it is told to stop.
import { randomBytes } from 'node:crypto';
import { existsSync, fchmodSync, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  CatalogueError,
  type ServiceClock,
  createService,
  fastClock,
  type JournalEntry,
  listen,
  type Listening,
  manualClock,
  readFaults,
  wallClock,
  type Service,
  type ServiceOptions,
  StorageFailure,
} from '../../../service';
import { messageOf } from '../../../api/errors';
import { type Command } from '../../command';
import { textFrom } from '../../here/project';
import { stopAsked } from '../../stop-asked';
import { hostWarning, readServeOptions, SERVE_OPTIONS, type ServeOptions, USERS_VARIABLE } from './serve-options';
import { EXIT } from '../../exit';

export const command: Command = {
  usage: ['serve [options]'],
  about: `Serves the whole Assembly and Operations Management API on this machine from one SQLite file, so that
people and pipelines can try stacks. A new database contains the organization "acme" with the clouds
"east" and "west". Packs (tomcat, apache, mysql, postgresql, redisio, custom and more), locations,
service templates and offerings are built in. It listens on loopback, prints its address, and stops
with Ctrl-C after it has answered the requests in progress.`,
  options: SERVE_OPTIONS,
  exits: {
    done: 'stopped by a signal',
    failed: 'it could not start: port in use, unreadable file, database of another version, unusable packs',
  },
  after: `examples
  pulumi-oneops serve --port 9090 --db oneops.db --users users.txt
  pulumi-oneops serve --port 0 --db :memory: --user ci:demo-token --speed 100`,
  async run(words) {
    const options = readServeOptions(words, { usersFile, environment: process.env[USERS_VARIABLE] });
    let madeToken: string | undefined;
    const service = makeService(options, () => {
      madeToken = randomBytes(20).toString('hex');
      return { name: 'admin', token: madeToken };
    });
    let listening: Listening;
    try {
      listening = await listen(service, { port: options.port, host: options.host });
    } catch (error) {
      service.close();
      throw cannotListen(error, options);
    }
    // Whoever reads the address may send a signal immediately.
    const stopped = stopAsked();
    tell(listening.url, options, service, madeToken);
    await stopped;
    await listening.close();
    service.close();
    process.stdout.write('stopped\n');
    return EXIT.done;
  },
};

function makeService(options: ServeOptions, firstUser: Required<ServiceOptions>['firstUser']): Service {
  const { faultsFile, journalFile, database } = options;
  const faults = faultsFile === undefined ? [] : readFaults(textFrom(`--faults ${faultsFile}`, faultsFile), faultsFile);
  const journal = journalFile === undefined ? undefined : appendTo(journalFile);
  const folder = dirname(database);
  if (database !== ':memory:' && !existsSync(folder))
    throw new Error(`--db ${database}: there is no folder ${folder}; make it first`);
  try {
    return createService({
      database,
      dialect: options.dialect,
      clock: clockOf(options.speed),
      packs: options.packs,
      users: options.users,
      firstUser,
      faults,
      administration: options.administration,
      hosts: [options.host, ...options.allowHosts],
      origins: options.allowOrigins,
      bug: (error) => {
        process.stderr.write(`${reportOf(error)}\n`);
      },
      ...(journal === undefined ? {} : { journal }),
    });
  } catch (error) {
    if (error instanceof CatalogueError) throw error;
    throw new Error(`--db ${database}: ${messageOf(error)}`, { cause: error });
  }
}

/** What the service's owner reads about a failed request, with the place of a mistake. */
function reportOf(error: unknown): string {
  if (error instanceof StorageFailure) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Text of a file of users; `-` is the standard input. Throws for a file that others can read. */
function usersFile(file: string): string {
  const text = textFrom(`--users ${file}`, file === '-' ? 0 : file);
  if (file === '-' || process.platform === 'win32') return text;
  const status = statSync(file);
  if (status.isFile() && (status.mode & 0o077) !== 0)
    throw new Error(`--users ${file}: other users of this machine can read it; close it with chmod 600 ${file}`);
  return text;
}

function clockOf(speed: number): ServiceClock {
  if (speed === 0) return manualClock(Date.now());
  return speed === 1 ? wallClock : fastClock(speed);
}

function tell(url: string, options: ServeOptions, service: Service, madeToken: string | undefined): void {
  const lines = [`serving ${options.dialect} on ${url} from ${options.database}`];
  if (madeToken !== undefined) lines.push(`user admin signs in with the token ${madeToken} (shown only now)`);
  else if (options.users.length === 0)
    lines.push('the users of this database keep their tokens; --user NAME:TOKEN gives a user a new one');
  if (service.faults.list().length > 0) lines.push(`${service.faults.list().length} faults are in force`);
  if (options.administration) lines.push(`administration is open below ${url}/_admin/`);
  process.stdout.write(`${lines.join('\n')}\n`);
  const warning = hostWarning(options.host);
  if (warning !== undefined) process.stderr.write(`warning: ${warning}\n`);
}

/** Appends journal entries to a file as lines of JSON. Throws when it cannot. */
function appendTo(file: string): (entry: JournalEntry) => void {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'a', 0o600);
    // It names users, records and times. A terminal, or another thing that is no file, stays as is.
    if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600);
  } catch (error) {
    throw new Error(`--journal ${file}: ${messageOf(error)}`, { cause: error });
  }
  return (entry) => {
    try {
      writeSync(descriptor, `${JSON.stringify(entry)}\n`);
    } catch (error) {
      // The request is carried out: its sender shall hear so, whatever becomes of the journal.
      process.stderr.write(`--journal ${file}: ${messageOf(error)}\n`);
    }
  };
}

/** Why a port cannot be listened on, with what to do. */
function cannotListen(error: unknown, { host, port }: ServeOptions): Error {
  const { code } = error as NodeJS.ErrnoException;
  const where = `port ${port} of ${host}`;
  if (code === 'EADDRINUSE') return new Error(`${where} is in use: give another one with --port; 0 takes a free one`);
  if (code === 'EACCES') return new Error(`${where} may not be used by this user: give one from 1024 on with --port`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Error(`--host ${host} is no address of this machine`);
  return new Error(`cannot listen on ${where}: ${messageOf(error)}`);
}
