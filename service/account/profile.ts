// The profile of a user: who it is, tokens for a password, and how fast passwords can be tried
// (service-facts §5.1, §5.2).
import type * as z from 'zod';
import { routes } from '../../api/contract';
import { answer, handlersOf, type HandlerTable, type Preparations, refused, RefusedRequest } from '../runtime/handler';
import { tokenOfPassword, withNewToken } from '../runtime/secrets';
import { currentOrganization, locateOrganization, organizationAnswer } from './organizations';

/** Checks at one time. Each keeps a processor busy for some 50 ms. */
const AT_ONCE = 2;

/** Checks that wait, of one name and of all. */
const WAITING_OF_NAME = 4;
const WAITING = 32;

/** Delay after the first failure of a name in ms; it doubles with each further one. */
const FIRST_DELAY = 250;
const LONGEST_DELAY = 8000;

/** Names whose failures are remembered. */
const NAMES = 1000;

/** The delay before the next check of a name that failed so often since its last success, in ms. */
export const delayAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (failures - 1));

interface Tries {
  failures: number;
  waiting: number;
  /** Settles when the last check of the name so far is over. */
  last: Promise<unknown>;
}

/** A gate; `wait` resolves after so many ms. */
export function createPasswordGate(wait: (ms: number, signal?: AbortSignal) => Promise<void>) {
  const names = new Map<string, Tries>();
  const queue: (() => void)[] = [];
  let running = 0;
  let waiting = 0;
  const triesOf = (name: string): Tries => {
    const known = names.get(name) ?? { failures: 0, waiting: 0, last: Promise.resolve() };
    // The one that was tried last is last: the oldest idle ones go first.
    names.delete(name);
    names.set(name, known);
    for (const [other, tries] of names) {
      if (names.size <= NAMES) break;
      if (tries.waiting === 0 && other !== name) names.delete(other);
    }
    return known;
  };
  const slot = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => queue.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      queue.shift()?.();
    }
  };
  return {
    /**
     * Runs a check, which resolves to undefined for a wrong password, when its turn comes: checks
     * of one name one after another, delayed after its failures. Resolves to `busy`, without a
     * check, when too many wait. Rejects when the signal aborts the delay.
     */
    run: async <T>(
      name: string,
      check: () => Promise<T | undefined>,
      signal?: AbortSignal,
    ): Promise<T | 'busy' | undefined> => {
      const tries = triesOf(name);
      if (waiting >= WAITING || tries.waiting >= WAITING_OF_NAME) return 'busy';
      waiting += 1;
      tries.waiting += 1;
      const turn = tries.last.then(async () => {
        const ms = delayAfter(tries.failures);
        if (ms > 0) await wait(ms, signal);
        const found = await slot(check);
        tries.failures = found === undefined ? tries.failures + 1 : 0;
        return found;
      });
      tries.last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        waiting -= 1;
        tries.waiting -= 1;
      }
    },
  };
}

interface Checked {
  /** What was kept of the user's password then. */
  readonly sealed: string | undefined;
  /** Undefined: the password was wrong. `busy`: it was not looked at. */
  readonly token: string | undefined;
}

/** The check of a password takes long, so it runs before the handlers, beside other requests. */
export function profilePreparations(gate: ReturnType<typeof createPasswordGate>): Preparations {
  return {
    [routes.profile.token.name]: async ({ store, body, signal }): Promise<Checked> => {
      const { username, password } = (body as z.output<typeof routes.profile.token.body>).user;
      const sealed = store.users.password(username);
      const token = await gate.run(username, () => tokenOfPassword(sealed, password), signal);
      return { sealed, token };
    },
  };
}

const isoTime = (time: number | null | undefined): string | null =>
  time === null || time === undefined ? null : new Date(time).toISOString();

export const profileHandlers: HandlerTable = handlersOf(routes.profile, {
  read: (context) => {
    const { account, user, rules } = context;
    const organization = currentOrganization(context);
    const made = isoTime(account?.created ?? organization?.created);
    return {
      id: account?.id ?? 0,
      email: user.includes('@') ? user : `${user}@localhost`,
      username: user,
      name: user,
      created_at: made,
      updated_at: isoTime(account?.updated) ?? made,
      eula_accepted_at: made,
      sign_in_count: account?.signIns ?? 0,
      current_sign_in_at: isoTime(account?.signedIn),
      organization_id: organization?.id ?? null,
      ...(rules.profileShowsRights ? { rights: account?.rights ?? 'read' } : {}),
      organization: organization === undefined ? null : organizationAnswer(organization),
    };
  },
  changeOrganization: (context) => {
    const record = locateOrganization(context, String(context.body.org_id));
    context.store.users.setCurrent(context.user, record.name);
    return organizationAnswer(record);
  },
  token: (context) => {
    const { username } = context.body.user;
    const { users } = context.store;
    const { sealed, token } = context.prepared as Checked;
    if (token === 'busy')
      throw new RefusedRequest(429, [`too many passwords are tried at once; try again in a few seconds`]);
    // The password may have changed meanwhile.
    if (token === undefined || sealed !== users.password(username))
      return answer(401, { error: 'user name or password is not valid' });
    users.issueToken(username, token, context.now);
    return { token };
  },
  resetToken: (context) => {
    const { users } = context.store;
    const sealed = users.password(context.user);
    // A new token comes by password only: without one the user would be locked out.
    if (sealed === undefined) throw refused(`${context.user} has no password to get another token with`);
    users.removeTokens(context.user);
    users.setPassword(context.user, withNewToken(sealed));
    return undefined;
  },
});
