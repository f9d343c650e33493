// `pulumi-oneops serve`: the embedded API service on a port, until a signal stops it.
import { randomBytes } from 'node:crypto';
import { existsSync, fchmodSync, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import { isIP } from 'node:net';
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
  type UserOption,
} from '../../../service';
import { DIALECTS } from '../../../api/contract';
import { messageOf } from '../../../api/errors';
import { type Command, knownWord, parseWords } from '../../command';
import { textFrom } from '../../here/project';
import { stopAsked } from '../../stop-asked';
import { EXIT, UsageError } from '../../exit';
import { flag, text, texts } from '../../options';

const SERVE_OPTIONS = {
  port: { heading: 'where', ...text('N', 'port to listen on; 0 takes a free one (default 9090)'), default: '9090' },
  host: {
    ...text(
      'ADDRESS',
      `address to listen on (default 127.0.0.1: only this machine). It speaks plain http: put it behind a
        proxy with TLS if other machines are to reach it`,
    ),
    default: '127.0.0.1',
  },
  'allow-host': texts(
    'NAME',
    `another name under which this service is reached, such as that of a proxy; can be repeated. Requests
      for any name other than localhost and --host are refused: they could come from a web page`,
  ),
  'allow-origin': texts(
    'ORIGIN',
    `an origin (https://shop.example) whose web pages may send requests; can be repeated. "*" admits every
      page, as the live service does. Never below /_admin/. Default: pages of other origins are refused`,
  ),
  db: {
    ...text(
      'FILE',
      `database file, created if missing (default oneops.db); :memory: stores nothing. Every acknowledged
        write survives a crash and a power loss`,
    ),
    default: 'oneops.db',
  },
  users: {
    heading: 'who',
    ...text(
      'FILE',
      `a file of users that only you can read (chmod 600); "-": the standard input. Each line begins with
        user, reader, member or password, followed by the value of the option of that name: "user
        admin:TOKEN", "reader eve:TOKEN". The variable ONEOPS_SERVE_USERS can hold the same lines. Every
        user of this machine can read the options below in the list of processes: use them only for tokens
        that are not secret`,
    ),
  },
  user: texts(
    'NAME:TOKEN',
    `a user with this API token; can be repeated. Users stay in the database; naming one again gives it the
      new token. NAME:TOKEN:ORGANIZATION,ORGANIZATION limits it to these organizations. If the database has
      no user either: user "admin" with a new token, which is printed`,
  ),
  reader: texts('NAME:TOKEN', 'the same, for a user who may only read'),
  member: texts(
    'NAME:TOKEN:TEAM,TEAM',
    `the same, for a user with only the rights of these teams. A team has the rights that POST
      /acme/organization/teams gives it, on the assemblies and clouds it is attached to (PUT …/update_teams)`,
  ),
  password: texts(
    'NAME:PASSWORD',
    `allows this user to fetch a token over HTTP: POST /account/profile/authentication_token. A request
      carries its token as user name: curl -u TOKEN: http://127.0.0.1:9090/acme/assemblies`,
  ),
  dialect: {
    heading: 'how',
    ...text(
      'NAME',
      `documented: as the API's documents say (default); classic: as the live service answers. Every answer
        names its dialect in the header oneops-dialect`,
    ),
    default: 'documented',
  },
  speed: {
    ...text(
      'N',
      `how many times faster than usual pulls, plans, deployments and procedures go (default 1); times stay
        those of this machine. 0: its clock does not move until POST /_admin/clock/advance (needs --admin)`,
    ),
    default: '1',
  },
  packs: texts('DIR', 'a folder with your own packs, classes or locations (JSON); can be repeated'),
  faults: {
    heading: 'failures on purpose',
    ...text(
      'FILE',
      `JSON: delays, statuses, lost, truncated and dripping answers, pages of HTML, 429 with Retry-After,
        deployments that fail: by route, method, record, nth request. Example: {"faults": [{"effect":
        "drop", "applied": true, "route": "environments.commit", "nth": 1}, {"effect": "fail-deployment",
        "record": "prod/web/compute", "message": "no capacity", "times": 1}]}`,
    ),
  },
  journal: {
    heading: 'logs and administration',
    ...text('FILE', 'append one line of JSON for each request: n, at, user, method, path, route, status, ms'),
  },
  admin: flag(
    `open the paths below /_admin/ to users who may write and are not limited to some organizations: GET,
      PUT, DELETE faults; GET journal (?since=N), journal.jsonl, outages, clock; POST clock/advance`,
  ),
} as const;

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
    // A reader of the address may send a signal immediately.
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
  const { faultsFile, journalFile, speed, ...served } = options;
  const faults = faultsFile === undefined ? [] : readFaults(textFrom(`--faults ${faultsFile}`, faultsFile), faultsFile);
  const journal = journalFile === undefined ? undefined : appendTo(journalFile);
  const { database } = served;
  const folder = dirname(database);
  if (database !== ':memory:' && !existsSync(folder))
    throw new Error(`--db ${database}: there is no folder ${folder}; make it first`);
  try {
    return createService({
      ...served,
      clock: clockOf(speed),
      firstUser,
      faults,
      bug: (error) => void process.stderr.write(`${reportOf(error)}\n`),
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

/** The options of one call. Files are named, not read; with speed 0, time does not move. */
export type ServeOptions = ReturnType<typeof readServeOptions>;

/** A warning for hosts that other machines reach; undefined for loopback. */
export function hostWarning(host: string): string | undefined {
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return undefined;
  return (
    `--host ${host} lets other machines reach this service, and it speaks plain http: tokens can be read on the way. ` +
    'Use 127.0.0.1 behind a proxy with TLS, unless this network is trusted'
  );
}

/** Variable of the environment with lines as in a file of users. */
const USERS_VARIABLE = 'ONEOPS_SERVE_USERS';

/** Where users come from besides the command line, which every user of the machine can read. */
interface UserSources {
  /** Text of a file of users. Throws when it cannot be read, or others can read it. */
  readonly usersFile: (file: string) => string;
  /** Value of ONEOPS_SERVE_USERS. */
  readonly environment: string | undefined;
}

/** Reads the words after `serve`. Throws UsageError, and what `sources` throws. */
export function readServeOptions(words: readonly string[], sources: UserSources) {
  const { values } = parseWords(words, SERVE_OPTIONS, 0);
  const host = present('--host', values.host);
  const speed = wholeNumber('--speed', values.speed, 1_000_000);
  if (speed === 0 && !values.admin)
    throw new UsageError('--speed 0 needs --admin: without it nothing could ever move the clock');
  const lines = [
    ...USER_KINDS.flatMap((kind) => values[kind].map((text) => ({ kind, text, place: `--${kind}` }))),
    ...(values.users === undefined ? [] : userLinesIn(sources.usersFile(values.users), `--users ${values.users}`)),
    ...(sources.environment === undefined ? [] : userLinesIn(sources.environment, USERS_VARIABLE)),
  ];
  return {
    port: wholeNumber('--port', values.port, 65_535),
    host,
    hosts: [host, ...values['allow-host'].map(hostNameOf)],
    origins: values['allow-origin'].map(originOf),
    database: present('--db', values.db),
    users: servedUsers(lines),
    dialect: knownWord('--dialect', DIALECTS, values.dialect),
    speed,
    packs: values.packs,
    faultsFile: values.faults,
    journalFile: values.journal,
    administration: values.admin,
  };
}

function wholeNumber(option: string, text: string, maximum: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= maximum) return number;
  throw new UsageError(`${option} takes a whole number from 0 to ${maximum}, not "${text}"`);
}

/** A host name or address without a port, as a Host header has it. */
function hostNameOf(text: string): string {
  const name = /^\[(.+)\]$/.exec(text)?.[1] ?? text;
  if (isIP(name) !== 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(name)) return name.toLowerCase();
  throw new UsageError(`--allow-host takes a name such as oneops.example, without scheme and port, not "${text}"`);
}

/** An origin as browsers write it: scheme, host, and a port that is not the scheme's own. */
function originOf(text: string): string {
  const isOrigin = text === '*' || (URL.canParse(text) && new URL(text).origin === text.toLowerCase());
  if (isOrigin) return text.toLowerCase();
  throw new UsageError(
    `--allow-origin takes an origin such as https://shop.example, without a path, or *, not "${text}"`,
  );
}

function present(option: string, text: string): string {
  if (text === '') throw new UsageError(`${option} must not be empty`);
  return text;
}

/** A user who writes, reads or has rights of teams; or the password of a user. */
const USER_KINDS = ['user', 'reader', 'member', 'password'] as const;
type UserKind = (typeof USER_KINDS)[number];

/** One user, or one password, as it was written. */
interface UserLine {
  readonly kind: UserKind;
  /** Holds a token or password: no error repeats it. */
  readonly text: string;
  /** Where it was written, for errors. */
  readonly place: string;
}

/** Lines of a text, `user NAME:TOKEN` each, without comments. Throws UsageError. */
function userLinesIn(text: string, source: string): readonly UserLine[] {
  return text.split(/\r?\n/).flatMap((line, index): UserLine[] => {
    if (line.trim() === '' || line.trimStart().startsWith('#')) return [];
    const place = `${source}, line ${index + 1}`;
    const [, word, rest = ''] = /^\s*(\S+)\s+(.*)$/s.exec(line) ?? [];
    const kind = USER_KINDS.find((each) => each === word);
    if (kind === undefined)
      throw new UsageError(`${place}: a line begins with one of the words ${USER_KINDS.join(', ')}`);
    return [{ kind, text: kind === 'password' ? rest : rest.trim(), place }];
  });
}

/** The users of lines. Throws UsageError for doubles, and for a password of nobody. */
function servedUsers(lines: readonly UserLine[]): readonly UserOption[] {
  const users = lines.filter(({ kind }) => kind !== 'password').map(userOf);
  users.forEach((user, index) => {
    const earlier = users.slice(0, index);
    if (earlier.some(({ name }) => name === user.name)) throw new UsageError(`user "${user.name}" is given twice`);
    const same = earlier.find(({ token }) => token === user.token);
    if (same !== undefined)
      throw new UsageError(`users "${same.name}" and "${user.name}" have the same token: give each a different one`);
  });
  const passwords = new Map(lines.filter(({ kind }) => kind === 'password').map((line) => passwordOf(line, users)));
  return users.map((user) => {
    const password = passwords.get(user.name);
    return password === undefined ? user : { ...user, password };
  });
}

/** `NAME:PASSWORD` as name and password; a password may hold colons. */
function passwordOf({ text, place }: UserLine, users: readonly UserOption[]): readonly [string, string] {
  const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (name === '' || password === '') throw new UsageError(`${place} takes NAME:PASSWORD`);
  if (!users.some((user) => user.name === name)) throw new UsageError(`${place} names "${name}", who is no user here`);
  return [name, password];
}

/** `NAME:TOKEN`, `NAME:TOKEN:ORGANIZATION,…` or, of a member, `NAME:TOKEN:TEAM,…`. */
function userOf({ kind, text, place }: UserLine): UserOption {
  const [name = '', token = '', list, ...more] = text.split(':');
  const names = list?.split(',');
  const isMember = kind === 'member';
  // A token ends at its first colon when it is sent, so it cannot contain one.
  if (
    name === '' ||
    token === '' ||
    more.length > 0 ||
    names?.includes('') === true ||
    (isMember && names === undefined)
  ) {
    const forms = isMember ? 'NAME:TOKEN:TEAM,TEAM' : 'NAME:TOKEN or NAME:TOKEN:ORGANIZATION,ORGANIZATION';
    throw new UsageError(`${place} takes ${forms}; a token contains no colon`);
  }
  const rights = kind === 'reader' ? 'read' : 'full';
  if (names === undefined) return { name, token, rights };
  return isMember ? { name, token, rights, teams: names } : { name, token, rights, organizations: names };
}
