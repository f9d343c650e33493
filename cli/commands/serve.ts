// `pulumi-oneops serve`: the embedded API service on a port, until it is told to stop.
// It must not know what the service does with a request.
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { DIALECTS, type Dialect } from '../../api/contract';
import { createService, fastClock, listen, realClock } from '../../service';
import { parseWords, UsageError, type Command } from '../command';

const HELP = `usage: pulumi-oneops serve [options]

Serves the Assembly and Operations Management API from one SQLite file, with a small catalogue of packs, the organization "acme"
and its clouds "east" and "west". It listens on loopback and stops with Ctrl-C.

  --port N          port to listen on; 0 takes a free one (default 9090)
  --host ADDRESS    address to listen on (default 127.0.0.1)
  --db FILE         database file, made when missing; :memory: keeps nothing (default oneops.db)
  --user NAME:TOKEN a user and the API token it signs in with; may be given several times.
                    Without one: user "admin" with a new token, which is printed once
  --reader NAME:TOKEN  a user who may only read
  --dialect NAME    documented: as the API's documents say (default); classic: as the live service answers
  --speed N         how many times faster than real the service's own work goes: deployments, pulls (default 1)
  --packs DIR       a folder of further packs; may be given several times
  --journal FILE    append a JSON line for each request: user, method, path, status, milliseconds

example: pulumi-oneops serve --port 9090 --db oneops.db --user admin:demo-token`;

const OPTIONS = {
  port: { type: 'string', default: '9090' },
  host: { type: 'string', default: '127.0.0.1' },
  db: { type: 'string', default: 'oneops.db' },
  user: { type: 'string', multiple: true },
  reader: { type: 'string', multiple: true },
  dialect: { type: 'string', default: 'documented' },
  speed: { type: 'string', default: '1' },
  packs: { type: 'string', multiple: true },
  journal: { type: 'string' },
} as const;

/** The serve command. */
export const serveCommand: Command = {
  name: 'serve',
  summary: 'run the embedded API service',
  help: HELP,
  async run(words) {
    const { values } = parseWords(words, OPTIONS);
    const port = wholeNumber('--port', values.port, 0, 65_535);
    const speed = wholeNumber('--speed', values.speed, 1, 1_000_000);
    const given = [
      ...(values.user ?? []).map((text) => userOf(text, 'full')),
      ...(values.reader ?? []).map((text) => userOf(text, 'read')),
    ];
    const madeToken = given.length === 0 ? randomBytes(20).toString('hex') : undefined;
    const users = madeToken === undefined ? given : [{ name: 'admin', token: madeToken }];
    const journalFile = values.journal;
    const service = createService({
      database: values.db,
      dialect: dialectOf(values.dialect),
      clock: speed === 1 ? realClock : fastClock(speed),
      users,
      ...(values.packs ? { packs: values.packs } : {}),
      ...(journalFile === undefined
        ? {}
        : {
            journal: (entry) => {
              appendFileSync(journalFile, `${JSON.stringify(entry)}\n`);
            },
          }),
    });
    const listener = await listen(service, { port, host: values.host });
    process.stdout.write(`serving ${values.dialect} on ${listener.url} from ${values.db}\n`);
    if (madeToken !== undefined)
      process.stdout.write(`user admin signs in with the token ${madeToken} (shown only now)\n`);
    await stopAsked();
    await listener.close();
    service.close();
    return 0;
  },
};

function wholeNumber(option: string, text: string, minimum: number, maximum: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= minimum && number <= maximum) return number;
  throw new UsageError(`${option} takes a whole number from ${minimum} to ${maximum}, not "${text}"`);
}

function userOf(
  text: string,
  rights: 'full' | 'read',
): { readonly name: string; readonly token: string; readonly rights: 'full' | 'read' } {
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1) throw new UsageError('--user and --reader take NAME:TOKEN');
  return { name: text.slice(0, colon), token: text.slice(colon + 1), rights };
}

function dialectOf(text: string): Dialect {
  const dialect = DIALECTS.find((candidate) => candidate === text);
  if (dialect) return dialect;
  throw new UsageError(`--dialect takes ${DIALECTS.join(' or ')}, not "${text}"`);
}

/** Resolves at the first SIGINT or SIGTERM. */
function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      resolve();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}
