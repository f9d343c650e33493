// Checks of an environment: requests that a run sends after its deployment is complete, from where
// it runs, and without any token.
import { plural } from '../../api/errors';
import { masked } from '../secrets/mask';
import type { Clock } from '../session';
import { base, int, membersOf, text, textLike, type ObjectOf } from '../values/field';
import { asMap } from '../values/plain';

/** A request, and what it has to bring back. */
const CHECK_FIELDS = {
  url: text().describe("Address to read. It can contain the addresses of the environment's own platforms."),
  status: base('200', int(100, 599)).describe('Status of the answer. Default 200.'),
  contains: text().describe('Text that the answer contains.'),
  within: base('1m', textLike(/^\d+[sm]$/, 'seconds or minutes, such as 30s or 2m')).describe(
    'How long the check is repeated until it passes: `30s`, `2m`. Default `1m`.',
  ),
};

export type EnvironmentCheck = ObjectOf<typeof CHECK_FIELDS>;

export const CHECK = membersOf(CHECK_FIELDS);

/** A placeholder for an address of a platform that is known only after the deployment. */
export const addressToCome = (platform: string, index: number): string => `<address ${index} of ${platform}>`;

const TO_COME = /<address (\d+) of ([^>]+)>/g;

const PAUSE = 2_000;
const ANSWER = 10_000;

type Addresses = { readonly [platform: string]: readonly string[] };

/** The clock that repeats checks, and what is reported while they run. */
interface Checking {
  readonly clock: Clock;
  readonly progress: (line: string) => void;
  /** Takes the secrets of the stack out of a text. */
  readonly hide: (text: string) => string;
}

/** The fault of each check that does not pass in its time, by name. */
export async function failedChecks(
  checks: unknown,
  addresses: Addresses,
  checking: Checking,
): Promise<ReadonlyMap<string, string>> {
  const asked = Object.entries(asMap(checks)).map(async ([name, check]) => {
    const found = await outcomeOf(check as EnvironmentCheck, addresses, checking);
    return found === undefined ? [] : [[name, found] as const];
  });
  return new Map((await Promise.all(asked)).flat());
}

/** The notice in place of checks where machines are simulated: nothing answers there. */
export const notRun = (count: number): string =>
  `${plural(count, 'check')} ${count === 1 ? 'was' : 'were'} not run: the machines are simulated`;

/** The fault of the last answer; undefined when the check passes. */
async function outcomeOf(
  { url: written = '', within = '1m', ...wanted }: EnvironmentCheck,
  addresses: Addresses,
  { clock, progress, hide }: Checking,
): Promise<string | undefined> {
  const missing = [...written.matchAll(TO_COME)].find(
    ([, at, name]) => addresses[name ?? '']?.[Number(at)] === undefined,
  );
  if (missing) return `platform ${missing[2]} has no address ${missing[1]}`;
  const url = written.replace(TO_COME, (_, at: string, name: string) => addresses[name]?.[Number(at)] ?? '');
  const end = clock.now() + Number.parseInt(within, 10) * (within.endsWith('m') ? 60_000 : 1_000);
  for (;;) {
    progress(`checks ${shownUrl(url)}`);
    const wrong = await ask(url, wanted, hide);
    if (wrong === undefined) return undefined;
    if (clock.now() + PAUSE > end) return `${wrong} (GET ${shownUrl(url)}, repeated for ${within})`;
    await clock.sleep(PAUSE);
  }
}

/** An address without user, password, path, query and fragment: these can be secrets. */
function shownUrl(url: string): string {
  if (!URL.canParse(url)) return 'its address, which is none';
  const { host, protocol } = new URL(url);
  return `${protocol}//${host}`;
}

/** The secret parts of an address: its query, and longer parts with a digit, such as keys. */
function secretsIn(url: string): readonly string[] {
  const { pathname, searchParams } = new URL(url);
  const parts = pathname.split('/').filter((part) => part.length >= 8 && /\d/.test(part));
  return [...searchParams.values(), ...parts, ...parts.map(decoded)];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const SHOWN = 200;
/** Most characters of an answer that are looked at. */
const LOOKED_AT = 1_000_000;

async function ask(
  url: string,
  { status = 200, contains = '' }: Omit<EnvironmentCheck, 'url'>,
  hide: Checking['hide'],
): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER) });
    const text = await beginningOf(answer);
    if (answer.status === status && text.includes(contains)) return undefined;
    const what =
      answer.status === status ? `the answer does not contain "${contains}"` : `status ${answer.status}, not ${status}`;
    const shown = hide(masked(text, secretsIn(url)))
      .slice(0, SHOWN)
      .replace(/\s+/g, ' ');
    return text === '' ? what : `${what}: ${shown}`;
  } catch (error) {
    const { message, cause } = error as { readonly message: string; readonly cause?: { readonly code?: string } };
    return `no answer: ${cause?.code ?? message.replaceAll(url, shownUrl(url))}`;
  }
}

/** The first characters of an answer: it may never end. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (text.length > LOOKED_AT) break;
  }
  return text;
}
