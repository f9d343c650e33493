// What a drift review promises of a stack with a file: each classification is reported as what it is, trouble with one read is reported and spoils
// nothing else, and no more is asked than a refresh asks.
import { DIALECTS, routes } from '../../api/contract';
import { ServerError, Unauthenticated } from '../../api/errors';
import type { Api } from '../../api/client';
import type { DriftFinding, Review, ReviewOptions } from '../../drift';
import { testInTurn } from '../dialects-in-turn';
import { keptOf, reviewIn, type Kept } from '../world/drift-world';
import { emptyStack, run, type Stack } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld, makeWorld, type World } from '../world/world';

async function up(world: World, spec: StackSpec, before: Stack = emptyStack): Promise<Stack> {
  const { stack, errors } = await run(world, before, resourcesOf(spec));
  expect(errors).toEqual([]);
  world.requests();
  return stack;
}

const SHOP: StackSpec = {
  variables: { KEY: { encryptedValue: 'k3y-canary' } },
  platforms: {
    db: { pack: 'mysql' },
    web: {
      pack: 'custom',
      links: ['db'],
      components: {
        deployer: {
          type: 'user',
          attributes: { username: 'deployer', description: 'deploys' },
          attachments: { motd: { content: 'hello', path: '/etc/motd' }, cron: { content: 'x', path: '/etc/cron' } },
        },
      },
    },
  },
  environments: { prod: { clouds: { east: { priority: 1 }, west: { priority: 2 } } } },
};

const FILE = `assembly: { name: shop, owner: team@acme.io }
variables:
  KEY: { fn::secret: k3y-canary }
platforms:
  db: { pack: oneops/mysql:1 }
  web:
    pack: oneops/custom:1
    links: [db]
    components:
      user:
        deployer:
          username: deployer
          description: deploys
          attachments:
            motd:
              content: hello
              path: /etc/motd
            cron: { content: x, path: /etc/cron }
environments:
  prod:
    clouds: { east: { priority: 1 }, west: { priority: 2 } }
    deploy: {}
`;

const short = ({ findings }: Review): readonly string[] =>
  findings.map(({ classification, address, attribute }) =>
    [classification, address, attribute].filter(Boolean).join(' '),
  );

const USER = 'acme/shop/web/deployer';
const AT = { assembly: 'shop', platform: 'web', component: 'deployer' };

describe.each(DIALECTS)('%s: a shop with a file', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;
  let kept: readonly Kept[];

  beforeEach(async () => {
    stack = await up(world, SHOP);
    kept = keptOf(stack);
  });

  /** A review with the file, whose text may have moved on. */
  const reviewed = (text = FILE, options: Partial<ReviewOptions> = {}): Promise<Review> =>
    reviewIn(world, kept, { text, ...options });

  const describeUser = (api: Api, description: string): Promise<unknown> => {
    world.clock.advance(1000);
    const body = { cms_dj_ci: { ciName: 'deployer', ciAttributes: { description } } };
    return api.call(routes.components.update, { address: AT, body });
  };

  const one = (review: Review): DriftFinding => {
    expect(review.findings).toHaveLength(1);
    return review.findings[0] as DriftFinding;
  };

  test('in sync: the file, the state and the service agree', async () => {
    const review = await reviewed();
    expect([short(review), review.outcome, review.compared]).toEqual([[], 'in-sync', ['code', 'state', 'live']]);
    expect(world.writes()).toEqual([]);
  });

  test('changed: by another user, at its line, in its release', async () => {
    await describeUser(world.other, 'somebody was here');
    const finding = one(await reviewed());
    expect(finding).toMatchObject({
      classification: 'changed',
      severity: 'low',
      attribute: 'attributes.description',
      address: USER,
      at: { file: 'oneops.yaml', line: 13, column: 11 },
      code: { is: 'value', value: 'deploys' },
      applied: { is: 'value', value: 'deploys' },
      live: { is: 'value', value: 'somebody was here' },
      author: { who: 'maria', stage: dialect === 'classic' ? 'design' : 'released' },
    });
    expect(finding.author?.releaseId).toBeGreaterThan(0);
    // The other user's own.
    expect(world.writes()).toEqual(['PUT components.update']);
  });

  test('changed by our own user: another run, or a person with its token', async () => {
    await describeUser(world.api, 'another run');
    expect(short(await reviewed())).toEqual([`changed-by-own-user ${USER} attributes.description`]);
  });

  test('pending: only the file moved', async () => {
    const review = await reviewed(FILE.replace('description: deploys', 'description: deploys it all'));
    expect([short(review), review.outcome]).toEqual([[`pending ${USER} attributes.description`], 'in-sync']);
  });

  test('pending: a value that the file declares for the first time, and its record has another one from its pack', async () => {
    const text = FILE.replace(/^( +)description: deploys$/m, '$&\n$1login_shell: /bin/sh');
    const review = await reviewed(text);
    expect([short(review), review.outcome]).toEqual([[`pending ${USER} attributes.login_shell`], 'in-sync']);
    await describeUser(world.other, 'somebody was here');
    expect(short(await reviewed(text))).toContain(`conflict ${USER} attributes.login_shell`);
  });

  test('healed and conflict: file and service both moved, to the same or to different values', async () => {
    await describeUser(world.other, 'both');
    const healed = await reviewed(FILE.replace('description: deploys', 'description: both'));
    expect([short(healed), healed.outcome]).toEqual([[`healed ${USER} attributes.description`], 'in-sync']);
    const conflict = await reviewed(FILE.replace('description: deploys', 'description: neither'));
    expect([short(conflict), conflict.outcome]).toEqual([[`conflict ${USER} attributes.description`], 'drift']);
  });

  test('normalised: the service answers another spelling though nobody wrote, a defect of ours', async () => {
    const respelt: Api = {
      ...world.api,
      call: async (route, input) => {
        const answer = await world.api.call(route, input);
        return JSON.parse(JSON.stringify(answer).replaceAll('"deploys"', '"Deploys"')) as typeof answer;
      },
    };
    const review = await reviewed(FILE, { api: respelt });
    expect(one(review)).toMatchObject({
      classification: 'normalised',
      address: USER,
      attribute: 'attributes.description',
      at: { line: 13 },
      applied: { is: 'value', value: 'deploys' },
      live: { is: 'value', value: 'Deploys' },
    });
    expect(review.outcome).toBe('drift');
    // The same stack, read as it is: the state has no part in it.
    expect(short(await reviewed())).toEqual([]);
  });

  test('an open change is reported with its own writer, not the one of what it changes', async () => {
    const spec = JSON.parse(JSON.stringify(SHOP).replace('"deploys"', '"deploys more"')) as StackSpec;
    kept = keptOf(await up(world, spec, stack));
    await describeUser(world.other, 'somebody was here');
    expect(one(await reviewed(FILE.replace('description: deploys', 'description: deploys more')))).toMatchObject({
      classification: 'changed',
      author: { who: 'maria' },
    });
  });

  test('touched: written by somebody, and nothing we declare differs', async () => {
    const body = { cms_dj_ci: { ciName: 'deployer', ciAttributes: { ulimit: '9999' } } };
    await world.other.call(routes.components.update, { address: AT, body });
    const { findings, outcome } = await reviewed();
    const own = findings.filter(({ classification }) => classification === 'touched');
    // Nothing that is declared differs, and yet what waits is not what runs.
    expect([own.map(({ address }) => address), outcome]).toEqual([[USER], 'not-deployed']);
  });

  test('deleted: by whom, as far as releases show it', async () => {
    await world.other.call(routes.attachments.delete, { address: { ...AT, attachment: 'motd' } });
    const review = await reviewed();
    expect(one(review)).toMatchObject({
      classification: 'deleted',
      severity: 'high',
      address: `${USER}/motd`,
      author: { who: 'maria' },
      at: { line: 15 },
    });
    expect(review.outcome).toBe('drift');
  });

  test('undeclared: a record inside one that the stack created is drift', async () => {
    const body = { cms_dj_ci: { ciName: 'extra', ciAttributes: { content: 'x' } } };
    await world.other.call(routes.attachments.create, { address: AT, body });
    const review = await reviewed();
    expect([short(review), review.outcome, review.coverage.undeclared]).toEqual([
      [`undeclared ${USER}/extra`],
      'drift',
      1,
    ]);
    expect(review.findings[0]?.author?.who).toBe('maria');
  });

  test('a secret shows only that it changed, and appears nowhere', async () => {
    const body = {
      cms_dj_ci: { ciName: 'KEY', ciAttributes: { secure: 'true', value: '', encrypted_value: 'other-canary' } },
    };
    await world.other.call(routes.designVariables.update, { address: { assembly: 'shop', variable: 'KEY' }, body });
    const live = await reviewed();
    expect(one(live)).toMatchObject({ classification: 'changed', attribute: 'encryptedValue', severity: 'high' });
    const code = await reviewed(FILE.replace('k3y-canary', 'new-canary'));
    expect(JSON.stringify([live, code])).not.toMatch(/canary/);
    expect(code.findings[0]).toMatchObject({ code: { is: 'secret' }, live: { is: 'secret' } });
  });

  test('a state whose secrets are encrypted is compared as far as it goes', async () => {
    const review = await reviewIn(world, kept, { encrypted: true });
    expect([short(review), review.outcome, review.compared]).toEqual([[], 'in-sync', ['state', 'live']]);
  });

  test('a fault on any one read is reported, and the rest reported', async () => {
    await describeUser(world.other, 'somebody was here');
    const clean = await reviewed();
    const outcomes = new Set<string>();
    for (let request = 1; request <= clean.calls; request += 1) {
      const review = await reviewed(FILE, { api: failingAt(world.api, request), concurrency: 1 });
      outcomes.add(review.outcome);
      const unread = review.unread.map(({ address }) => address);
      expect(review.outcome).toBe(unread.length > 0 ? 'incomplete' : 'drift');
      // Where the record is not read, its release is found beside it.
      const found = short(review).filter((line) => !line.startsWith('undeployed '));
      expect(found).toEqual(unread.includes(USER) ? [] : short(clean));
    }
    expect(outcomes).toContain('incomplete');
  });

  test('a refused token is distinguished, and everything missing together is no deletion', async () => {
    const refused: Api = { ...world.api, call: () => Promise.reject(new Unauthenticated(refusal(401))) };
    const shut = await reviewed(FILE, { api: refused });
    expect([shut.outcome, shut.unread.some(({ authentication }) => authentication)]).toEqual(['incomplete', true]);
    const shop = await world.api.call(routes.assemblies.read, { address: { assembly: 'shop' } });
    const empty = makeWorld(dialect);
    try {
      const review = await reviewed(FILE, { api: empty.api });
      expect([shop.ciName, review.outcome]).toEqual(['shop', 'refused']);
    } finally {
      empty.close();
    }
  });

  test('no more is asked than a refresh asks, and ten', async () => {
    await describeUser(world.other, 'somebody was here');
    await world.other.call(routes.attachments.delete, { address: { ...AT, attachment: 'motd' } });
    const { calls } = await reviewed();
    const sent = world.requests();
    expect(sent.filter((request) => !request.startsWith('GET'))).toEqual([
      expect.stringMatching(/^PUT/),
      expect.stringMatching(/^DELETE/),
    ]);
    // For what nobody declares in the environment: for each of its two platforms the clouds and switches, which no list shows, and lists of
    // components, variables and attachments; for each of their six components the monitors; its own variables; and the design's lists of the same.
    // The records of the dialect `documented` do not show that the design's change is open: two lists and the two releases since the last pull do.
    expect(calls).toBeLessThanOrEqual(25 + 32 + (dialect === 'documented' ? 4 : 0));
    const stopped = await reviewed(FILE, { maxCalls: 3 });
    expect([stopped.outcome, stopped.calls]).toEqual(['incomplete', 3]);
  });
});

const refusal = (status: number) => ({ method: 'GET', path: '/acme', status, messages: ['no'] });

/** The client, whose request of this number fails. */
function failingAt(api: Api, request: number): Api {
  let sent = 0;
  return {
    ...api,
    call: (route, input) => {
      sent += 1;
      return sent === request ? Promise.reject(new ServerError(refusal(500))) : api.call(route, input);
    },
  };
}
