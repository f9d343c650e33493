// The law of the memory of answers: after any write, an answer that a run would still use equals a fresh one. What was asked before is asked again before
// each write of a life that calls every route: a third of it, another one at each write, in one dialect in `make test`; all of it in the other dialect
// in `make verify`, and in both in `make soak-service`.
import { OneOps } from '../../api/client';
import { fillPath, routes, type Dialect, type Route } from '../../api/contract';
import { Answers, remembering } from '../../provider/session/answers';
import { dialectsInTurn } from '../dialects-in-turn';
import { callerOf } from '../service-caller';
import { type Call, exercise, type Sent, USERS } from './exercise';

/** Members of answers on which nobody may rely: writes that leave the rest as it is change them. */
const UNRELIED: { readonly [route: string]: readonly string[] } = { 'platforms.componentTypes': ['current'] };

const SHARE = Number(process.env['SHARE_OF_ANSWERS'] ?? 3);

const without = (value: unknown, members: readonly string[]): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member: unknown) => (members.includes(name) ? undefined : member)),
  ) as unknown;

/** Calls through a memory. After each write, what is kept is compared with what the service answers: `different` names what differs. */
function comparing(dialect: Dialect, caller: ReturnType<typeof callerOf>, different: Set<string>) {
  const asked = new Map<string, { readonly route: Route; readonly sent: Sent }>();
  let kept = 0;
  let writes = 0;
  const as = (token: string): Call => {
    const send = caller.service.handle;
    const api = new OneOps({ url: 'http://127.0.0.1:1', organization: 'acme', token, dialect, send });
    const answers = new Answers();
    const memory = remembering(api, answers);
    const keyOf = (route: Route, sent: Sent): string =>
      `${fillPath(route.path, { organization: 'acme', ...sent.address })}?${new URLSearchParams(sent.query).toString()}`;
    const tried = (call: Promise<unknown>): Promise<unknown> => call.catch((error: Error) => error.name);
    /** What is asked again at this write. */
    const again = () => [...asked].filter((_, index) => (index + writes) % SHARE === 0);
    const compare = async (written: Route): Promise<void> => {
      for (const [key, { route, sent }] of again()) {
        const known = answers.get(key);
        if (known === undefined) continue;
        kept += 1;
        const [is, was] = [await tried(api.call(route, sent)), await tried(known)];
        const unrelied = UNRELIED[route.name] ?? [];
        const isSame = JSON.stringify(without(is, unrelied)) === JSON.stringify(without(was, unrelied));
        if (!isSame) different.add(`${route.name} after ${written.name}`);
      }
    };
    return async (route, sent = {}) => {
      caller.clock.advance(1000);
      if (route.repeat === 'read') {
        asked.set(keyOf(route, sent), { route, sent });
        return memory.call(route, sent);
      }
      writes += 1;
      for (const [, each] of again()) await tried(memory.call(each.route, each.sent));
      const answer = await memory.call(route, sent);
      await compare(route);
      return answer;
    };
  };
  return { as, kept: () => kept };
}

/** A platform that another one links to is deleted. */
async function unlinked(call: Call): Promise<void> {
  const ciAttributes = { source: 'oneops', pack: 'custom', version: '1', major_version: '1' };
  const at = { assembly: 'linked' };
  const owner = { description: '', owner: 'team@acme.io' };
  await call(routes.assemblies.create, { body: { cms_ci: { ciName: 'linked', ciAttributes: owner } } });
  await call(routes.platforms.create, { address: at, body: { cms_dj_ci: { ciName: 'db', ciAttributes } } });
  const body = { cms_dj_ci: { ciName: 'web', ciAttributes }, links_to: ['db'] };
  await call(routes.platforms.create, { address: at, body });
  const web = await call(routes.platforms.read, { address: { ...at, platform: 'web' } });
  expect(web.links_to).toEqual(['db']);
  await call(routes.platforms.delete, { address: { ...at, platform: 'db' } });
}

test.each(dialectsInTurn(2))(
  '%s: an answer that is kept equals a fresh one after every write',
  async (dialect) => {
    const caller = callerOf(dialect, { users: USERS });
    try {
      const different = new Set<string>();
      const { as, kept } = comparing(dialect, caller, different);
      await exercise({ dialect, events: 'runs_on', as });
      await unlinked(as(USERS[0].token));
      expect([...different].sort()).toEqual([]);
      expect(kept() * SHARE).toBeGreaterThan(1000);
    } finally {
      caller.close();
    }
  },
  360_000 / SHARE,
);
