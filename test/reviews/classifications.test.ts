// What a drift review promises of a stack with a file: each classification is reported as what it is, trouble with one read is reported and spoils
// nothing else, and no more is asked than a refresh asks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRoutes, layered, type Route, routes } from '../../api/contract';
import { ServerError, Unauthenticated, Unprocessable } from '../../api/errors';
import type { Api } from '../../api/client';
import { type DriftFinding, renderReview, type Review, type ReviewOptions } from '../../drift';
import { type Kept, keptOf, reviewIn, rulesOf } from '../world/drift-world';
import { emptyStack, run, type RunOptions, type Stack } from '../world/engine-simulation';
import { standingStack } from '../world/each-stack';
import { FOREIGN_EDITS } from '../world/foreign-edits';
import { resourcesOf, type StackSpec, WITH_DEPLOYER } from '../world/stack-spec';
import { documentOf, yamlText } from '../world/stack-yaml';
import { closedAfterEach, ROW, type World } from '../world/world';
import { actingBefore, answering, failing } from '../world/between';
import type { Hand } from '../world/hand';
import { eachDialect } from '../world/each-dialect';
import { PROD } from '../world/shop-spec';

const SHOP: StackSpec = {
  variables: { KEY: { encryptedValue: 'k3y-canary' } },
  platforms: {
    db: { pack: 'mysql' },
    web: { links: ['db'], ...WITH_DEPLOYER },
  },
  environments: { prod: { clouds: { east: { priority: 1 }, west: { priority: 2 } } } },
};

const FILE = yamlText(documentOf(SHOP));

const open = closedAfterEach();

const short = ({ findings }: Review): readonly string[] =>
  findings.map(({ classification, address, attribute }) =>
    [classification, address, attribute].filter(Boolean).join(' '),
  );

const USER = 'acme/shop/web/deployer';

/** One more line of the file. */
const SHELL = [/^( +)description: deploys$/m, '$&\n$1login_shell: /bin/sh'] as const;

eachDialect('%s: a shop with a file', (test, world, dialect) => {
  let stack: Stack;
  let kept: readonly Kept[];

  beforeEach(async () => {
    stack = await standingStack(world, SHOP);
    kept = keptOf(stack);
    world.requests();
  });

  /** A review with the file, whose text may have moved on. */
  const reviewed = (text = FILE, options: Partial<ReviewOptions> = {}): Promise<Review> =>
    reviewIn(world, kept, { text, ...options });

  test('records of another organization are not asked for, and the review says how to read them', async () => {
    const away = kept.map((each) => ({ ...each, id: each.id.replace('acme', 'globex'), name: `globex-${each.name}` }));
    const made = await reviewIn(world, [...kept, ...away]);
    expect(world.requests().join()).not.toContain('globex');
    expect([made.outcome, made.findings, made.unread.length]).toEqual(['incomplete', [], away.length]);
    const text = renderReview('text', made);
    expect(text).toContain('pulumi-oneops drift --organization NAME');
    expect(text).not.toContain('when the service answers');
  });

  const describeUser = (user: Hand, description: string): Promise<unknown> => {
    world.clock.advance(1000);
    return user.set('web/deployer', { description });
  };

  const one = (review: Review): DriftFinding => {
    expect(review.findings).toHaveLength(1);
    return review.findings[0] as DriftFinding;
  };

  type Write = ((world: World) => Promise<unknown>) | undefined;
  type Edit = readonly [old: string | RegExp, now: string];
  const byMaria =
    (description: string): Write =>
    ({ maria }) =>
      describeUser(maria, description);
  const NO_EDIT: Edit = ['', ''];

  test.each<readonly [why: string, found: readonly string[], describe: Write, edit: Edit]>([
    ['the file, the state and the service agree', [], undefined, NO_EDIT],
    [
      'another run, or a person with its token',
      ['changed-by-own-user description'],
      ({ admin }) => describeUser(admin, 'another run'),
      NO_EDIT,
    ],
    ['only the file moved', ['pending description'], undefined, [': deploys', ': deploys it all']],
    ['declared for the first time over a value of the pack', ['pending login_shell'], undefined, SHELL],
    ['and another user wrote the record', ['changed description', 'conflict login_shell'], byMaria('hers'), SHELL],
    ['both moved to the same value', ['healed description'], byMaria('both'), [': deploys', ': both']],
    ['to different values', ['conflict description'], byMaria('both'), [': deploys', ': neither']],
  ])('%s: %j', async (_, found, write, [old, now]) => {
    await write?.(world);
    world.requests();
    const review = await reviewed(FILE.replace(old, now));
    const outcome = /changed|conflict/.test(found.join()) ? 'drift' : 'in-sync';
    const all = found.map((each) => each.replace(' ', ` ${USER} attributes.`));
    expect([[...short(review)].sort(), review.outcome]).toEqual([all, outcome]);
    expect([review.compared, world.writes()]).toEqual([['code', 'state', 'live'], []]);
  });

  test('changed: by another user, at its line, in its release', async () => {
    await describeUser(world.maria, 'somebody was here');
    const finding = one(await reviewed());
    expect(finding).toMatchObject({ classification: 'changed', severity: 'low', address: USER });
    expect(finding).toMatchObject({
      attribute: 'attributes.description',
      at: { file: 'oneops.yaml', line: 18, column: 11 },
      code: { is: 'value', value: 'deploys' },
      applied: { is: 'value', value: 'deploys' },
      live: { is: 'value', value: 'somebody was here' },
      author: { who: 'maria', stage: dialect === 'classic' ? 'design' : 'released' },
    });
    expect(finding.author?.releaseId).toBeGreaterThan(0);
    // The other user's own.
    expect(world.writes()).toEqual(['PUT components.update']);
  });

  test('changed: what a deployment left out is not called deployed, and what it carried out is', async () => {
    const stages = async () =>
      (await reviewed()).findings.map(({ attribute, author }) => `${attribute?.split('.').at(-1)} ${author?.stage}`);
    const are = (...all: readonly string[]): unknown => expect.arrayContaining([...all]);
    await describeUser(world.maria, 'left out');
    await world.maria.commit(world.maria.set('db/compute', { size: 'XL' }));
    await world.maria.pull();
    await world.maria.set('prod:web/compute', { size: 'XL' });
    await world.maria.commitEnvironment('web');
    await world.maria.deploy();
    expect(await stages()).toEqual(are('plan released', 'size released', 'description released'));
    await world.maria.rollOut();
    expect(await stages()).toEqual(are('size deployed', 'description deployed'));
    await world.maria.set('prod:web/compute', { size: 'L' });
    await world.maria.commitEnvironment();
    expect(await stages()).toEqual(are('size released', 'description deployed'));
  });

  test('normalised: the service answers another spelling though nobody wrote, a defect of ours', async () => {
    const respelt = layered(world.api, (next) => async (route, input): Promise<unknown> => {
      const answer = await next(route, input);
      return JSON.parse(JSON.stringify(answer).replaceAll('"deploys"', '"Deploys"'));
    });
    const review = await reviewed(FILE, { api: respelt });
    expect(one(review)).toMatchObject({ classification: 'normalised', address: USER, at: { line: 18 } });
    expect(one(review)).toMatchObject({
      attribute: 'attributes.description',
      applied: { is: 'value', value: 'deploys' },
      live: { is: 'value', value: 'Deploys' },
    });
    expect(review.outcome).toBe('drift');
    // The same stack, read as it is: the state has no part in it.
    expect(short(await reviewed())).toEqual([]);
  });

  test('touched: written by somebody, and nothing we declare differs', async () => {
    await world.maria.set('web/deployer', { ulimit: '9999' });
    const { findings, outcome } = await reviewed();
    const own = findings.filter(({ classification }) => classification === 'touched');
    // Nothing that is declared differs, and yet what waits is not what runs.
    expect([own.map(({ address }) => address), outcome]).toEqual([[USER], 'not-deployed']);
  });

  const UBUNTU = { ostype: 'ubuntu-16.04' };

  test.each<[string, string, (hands: World) => Promise<unknown>]>([
    ['~web/deployer', 'maria', ({ maria }) => maria.set('web/deployer', { ulimit: '9999' })],
    ['~web/os', 'maria', ({ maria }) => maria.set('web/os', UBUNTU)],
    ['~web/web-os-cpu', 'maria', ({ maria }) => maria.set('web/os!web-os-cpu', { enable: 'false' })],
    [
      '~web/os ~db/os',
      'admin, maria',
      ({ maria, admin }) => maria.set('web/os', UBUNTU).then(() => admin.set('db/os', UBUNTU)),
    ],
  ])('open: what nobody declares of %s, as written by %s', async (members, who, write) => {
    world.clock.advance(1000);
    await write(world);
    const { findings, outcome } = await reviewed();
    const found = findings.filter(({ classification }) => classification === 'undeployed');
    // Committed, and of records that nobody declares, it is drift.
    const isDrift = dialect === 'documented' && members !== '~web/deployer';
    expect([found.map(({ waits, address }) => [waits, address]), outcome]).toEqual([
      found.map(() => [isDrift ? undefined : true, 'acme/shop']),
      isDrift ? 'drift' : 'not-deployed',
    ]);
    const [first] = found;
    // Where every write is a commit, nothing is open: a release waits for each of them.
    if (dialect === 'documented') expect(found.map(({ author }) => author?.who).sort()).toEqual(who.split(', '));
    else
      expect(first).toMatchObject({
        live: { is: 'value', value: `is open in the design, not committed: ${members}` },
        author: { who, stage: 'design' },
        advice: { revert: expect.stringMatching(/^pulumi-oneops discard acme\/shop /) },
      });
  });

  test('open: what was set and set back is nothing, and the rest of it is all of it', async () => {
    const { ciAttributes } = await world.admin.read('web/os');
    for (const ostype of ['ubuntu-16.04', ciAttributes['ostype'] ?? '']) await world.maria.set('web/os', { ostype });
    const { outcome, findings } = await reviewed();
    expect([outcome, findings]).toEqual(['in-sync', []]);
    const again = await run(world, stack, resourcesOf(SHOP), { refresh: true });
    expect([again.errors, again.notices]).toEqual([[], []]);
  });

  test('pending: a record that no run made, and all of them after a destroy, are not deployed', async () => {
    const more = FILE.replace(/^( +)cron:/m, '$1extra: { content: y, path: /etc/extra }\n$&');
    const gained = await reviewed(more);
    expect([gained.outcome, short(gained)]).toEqual(['not-deployed', [`pending ${USER}/extra`]]);
    expect(gained.summary).toMatch(/^no difference, 1 record of the file is not in the state yet: pulumi up; /);
    const { stack: left, errors } = await run(world, stack, []);
    kept = keptOf(left);
    const { outcome, summary, coverage, findings } = await reviewed();
    expect([errors, outcome, findings.length]).toEqual([[], 'not-deployed', coverage.managed]);
    expect(summary).toContain(`${coverage.managed} records of the file are not in the state yet: pulumi up`);
  });

  test('a file without a state, where a run has nothing to deploy, is in sync', async () => {
    const environments = { qa: { clouds: { east: { priority: 1 } } } };
    const idle = { assembly: 'idle', variables: { LEVEL: 'info' }, environments };
    const { errors } = await run(world, emptyStack, resourcesOf(idle));
    const { outcome, findings } = await reviewed(yamlText(documentOf(idle)), { state: undefined });
    expect([errors, outcome, findings]).toEqual([[], 'in-sync', []]);
  });

  test('pending: an environment that left the file, whose tear-down was rejected', async () => {
    const less: StackSpec = { ...SHOP, environments: {} };
    const gate = { ciName: 'gate', ciAttributes: { approval: 'true', approval_auth_type: 'none' } };
    await world.api.call(routes.cloudSupports.create, { address: { cloud: 'east' }, body: { cms_ci: gate } });
    const rejected = actingBefore(world, routes.deployments.status, () => world.maria.move('canceled'));
    kept = keptOf((await run(rejected, stack, resourcesOf(less))).stack);
    const again = (await reviewed()).findings.find(({ kind }) => kind === 'Deployment');
    const words = /deployment \d+, which takes everything down, was canceled.* restores what is/;
    expect(JSON.stringify(again)).toMatch(words);
    const { findings } = await reviewed(yamlText(documentOf(less)));
    const found = findings.map(({ classification, advice }) => [classification, advice.commands]).sort();
    expect(found).toEqual(['pending', 'pending', 'undeployed'].map((each) => [each, { accept: 'pulumi up' }]));
  });

  test('deleted: by whom, as far as releases show it', async () => {
    await world.maria.delete('web/deployer/motd');
    const review = await reviewed();
    expect(one(review)).toMatchObject({ classification: 'deleted', severity: 'high', address: `${USER}/motd` });
    expect(one(review)).toMatchObject({ author: { who: 'maria' }, at: { line: 20 } });
    expect(review.outcome).toBe('drift');
  });

  test('undeclared: one that somebody made under the name of one that they deleted, before and after a refused refresh', async () => {
    await world.maria.commit(world.maria.delete('web/deployer'));
    await world.maria.commit(world.maria.create('web/deployer', { username: 'hers' }, { template_name: 'user' }));
    const before = await reviewed();
    expect([before.outcome, short(before)]).toEqual(['drift', expect.arrayContaining([`deleted ${USER}`])]);
    const gone = before.findings.find(({ address }) => address === USER);
    const takes = /^maria made it again: .*: pulumi-oneops import-file Component:acme\/shop\/web\/\d+$/;
    expect(gone?.advice.accept).toMatch(takes);
    expect([gone?.advice.revert, gone?.madeAgainBy]).toEqual([undefined, 'maria']);
    // The record in its place is in that finding, and in no other.
    expect(before.findings.map(({ classification }) => classification)).not.toContain('undeclared');
    const refused = await run(world, stack, resourcesOf(SHOP), { refresh: true });
    expect(refused.errors.join()).toMatch(/Component::web\/deployer: [^]*created by maria/);
    kept = keptOf(refused.stack);
    const after = await reviewed();
    const found = after.findings.find(({ address }) => address === USER);
    expect([after.outcome, found?.author?.who]).toEqual(['drift', 'maria']);
    expect([found?.classification, found?.advice.accept]).toEqual(['undeclared', expect.stringContaining('adopt')]);
    const adopting = await reviewed(FILE.replace(/^( +)description: deploys$/m, '$&\n$1adopt: true'));
    expect(short(adopting)).toContain(`pending ${USER}`);
  });

  test('undeclared: a record inside one that the stack created is drift', async () => {
    await world.maria.create('web/deployer/extra', { content: 'x' });
    const review = await reviewed();
    expect(short(review)).toEqual([`undeclared ${USER}/extra`]);
    const findings = [{ author: { who: 'maria' } }];
    expect(review).toMatchObject({ outcome: 'drift', coverage: { undeclared: 1 }, findings });
  });

  test('undeclared: a record in a component of the pack is drift where the stack created its platform', async () => {
    const db = { pack: 'mysql', components: { mysql: { attachments: { own: { path: '/etc/own', content: 'x' } } } } };
    const spec: StackSpec = { ...SHOP, platforms: { ...SHOP.platforms, db } };
    const { stack: declared, errors } = await run(world, stack, resourcesOf(spec));
    expect(errors).toEqual([]);
    await world.maria.create('db/mysql/extra', { content: 'x' });
    const review = await reviewIn(world, keptOf(declared));
    expect([short(review), review.outcome]).toEqual([['undeclared acme/shop/db/mysql/extra'], 'drift']);
  });

  test('undeclared: an environment of another stack is left to its owner', async () => {
    const guest: StackSpec = { existing: true, environments: { qa: { clouds: { east: { priority: 1 } } } } };
    const { stack: guests, errors } = await run(world, emptyStack, resourcesOf(guest));
    const review = await reviewed();
    expect([errors, short(review), review.outcome]).toEqual([[], ['undeclared acme/shop/qa'], 'in-sync']);
    const { advice, ...found } = one(review);
    expect(found).toMatchObject({ severity: 'low', elsewhere: true });
    expect(advice.accept).toMatch(/^leave it to its owner, .*; if it has none, /);
    expect(advice.commands?.revert).toBeUndefined();
    await world.maria.commit(world.maria.set('web/compute', { size: 'XL' }));
    const owners = (await reviewIn(world, keptOf(guests))).findings.find(({ waits }) => waits);
    expect([owners?.elsewhere, owners?.advice.commands?.revert]).toEqual([true, 'pulumi up --refresh']);
  });

  test('a secret shows only that it changed, and appears nowhere', async () => {
    await world.maria.set('$KEY', { secure: 'true', value: '', encrypted_value: 'other-canary' });
    const live = await reviewed();
    expect(one(live)).toMatchObject({ classification: 'changed', attribute: 'encryptedValue', severity: 'high' });
    const code = await reviewed(FILE.replace('k3y-canary', 'new-canary'));
    expect(JSON.stringify([live, code])).not.toMatch(/canary/);
    expect(code.findings[0]).toMatchObject({ code: { is: 'secret' }, live: { is: 'secret' } });
  });

  test('a value that an environment has over a secret of the design is shown as a secret', async () => {
    const text = FILE.replace('content: hello', 'content: { fn::secret: hello }').replace(
      'description: deploys',
      'description: { fn::secret: deploys }',
    );
    await world.maria.set('prod:web/deployer/motd', { content: 'hers-canary' });
    await world.maria.set('prod:web/deployer', { description: 'hers-canary' });
    await world.maria.commitEnvironment();
    const review = await reviewed(text);
    const found = review.findings.filter(({ classification }) => classification === 'unexpected');
    expect(found.map(({ attribute }) => attribute).sort()).toEqual(['attributes.description', 'content']);
    expect(JSON.stringify(review)).not.toMatch(/canary|"hello"|"deploys"/);
  });

  test('a reader finds what the user of the runs finds: only what others wrote is of others', async () => {
    const byReader = (): Promise<Review> => reviewed(FILE, { api: world.third });
    expect([short(await byReader()), (await byReader()).outcome]).toEqual([[], 'in-sync']);
    await describeUser(world.maria, 'hers');
    await world.maria.commit(world.maria.set('$KEY', { secure: 'true', value: '', encrypted_value: 'other-canary' }));
    expect(short(await byReader())).toEqual(short(await reviewed()));
  });

  test('a state whose secrets are encrypted is compared as far as it goes', async () => {
    const review = await reviewIn(world, kept, { encrypted: true });
    expect([short(review), review.outcome, review.compared]).toEqual([[], 'in-sync', ['state', 'live']]);
  });

  test('a fault on any one read is reported, and the rest reported', async () => {
    await describeUser(world.maria, 'somebody was here');
    const clean = await reviewed();
    const outcomes = new Set<string>();
    for (let request = 1; request <= clean.calls; request += 1) {
      let sent = 0;
      const api = layered(world.api, (next) => (route, input) => {
        return (sent += 1) === request ? Promise.reject(new ServerError(refusal(500))) : next(route, input);
      });
      const review = await reviewed(FILE, { api });
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
    const empty = open(dialect);
    const review = await reviewed(FILE, { api: empty.api });
    expect([shop.ciName, review.outcome]).toEqual(['shop', 'refused']);
    empty.close();
  });

  test("another user's committed change of an undeclared record is drift, which an entry of drift.yaml settles", async () => {
    await world.maria.commit(world.maria.set('db/compute', { size: 'XL' }));
    const { outcome, findings } = await reviewed();
    const [attribute, ...more] = findings.map((each) => each.attribute);
    expect([outcome, more]).toEqual(['drift', []]);
    const rules = rulesOf(`ignore: [{ record: shop, attribute: ${attribute}, reason: theirs, owner: ops }]`);
    expect((await reviewed(FILE, { rules })).outcome).toBe('in-sync');
  });
});

const refusal = (status: number) => ({ method: 'GET', path: '/acme', status, messages: ['no'] });

// What was written and is not what runs, as a review finds it: with who and when where the service shows, and silent about everything that runs.

const specOf = (threads: string, pctScale = 100): StackSpec => ({
  platforms: {
    web: { pack: 'tomcat', components: { tomcat: { attributes: { max_threads: threads } } } },
    db: { pack: 'mysql' },
  },
  environments: {
    prod: { clouds: { east: { priority: 1 } }, platforms: { web: { east: { pctScale } } } },
  },
});

const ID = 'acme/shop/prod';

eachDialect('%s', (test, world, dialect) => {
  let stack: Stack;

  beforeEach(async () => {
    stack = await standingStack(world, specOf('100'));
  });

  const up = async (spec: StackSpec, options?: RunOptions) => {
    const done = await run(world, stack, resourcesOf(spec), options);
    stack = done.stack;
    return done;
  };
  const review = (): Promise<Review> => reviewIn(world, keptOf(stack));
  const rowsOf = ({ findings }: Review) =>
    findings.map(({ classification, kind, address, live, author }) => [
      `${classification} ${kind} ${address}`,
      live?.is === 'value' ? live.value : live,
      author?.who,
    ]);

  /** That a review is not in sync, and finds this of the environment; answers the review. */
  const reports = async (what: string, words: RegExp, who?: string): Promise<Review> => {
    const made = await review();
    expect(made.outcome).toMatch(/^(drift|not-deployed)$/);
    expect(rowsOf(made)).toContainEqual([`undeployed ${what} ${ID}`, expect.stringMatching(words), who]);
    return made;
  };

  test('a deployment that failed', async () => {
    world.service.faults.set([{ effect: 'fail-deployment', record: 'web/tomcat', message: 'no space left' }]);
    const { errors } = await up(specOf('90'));
    expect(errors.join()).toMatch(/deployment \d+ failed/);
    const { findings } = await reports('Deployment', /^deployment \d+ failed$/, 'admin');
    expect(findings).toHaveLength(1);
  });

  /** Number of the first request that does something. */
  const requestOf = async (wanted: RegExp, spec: StackSpec): Promise<number> => {
    const other = open(dialect);
    const first = await run(other, emptyStack, resourcesOf(specOf('100')));
    other.requests();
    await run(other, first.stack, resourcesOf(spec));
    const found = other.requests().findIndex((line) => wanted.test(line));
    other.close();
    expect(found).toBeGreaterThan(-1);
    return found + 1;
  };

  test.each([
    ['before the pull', /environments\.pull/, 'Environment', /^the design was committed, and not pulled$/, undefined],
    ['before the commit', /environments\.commit/, 'Deployment', /^written, and not deployed: .*environment/, 'admin'],
    ['before the deployment', /deployments\.create/, 'Deployment', /^committed, and not deployed$/, 'admin'],
  ] as const)('a run that was cut off %s', async (_, wanted, kind, words, who) => {
    const spec = specOf('90', 60);
    const request = await requestOf(wanted, spec);
    expect((await up(spec, { killAt: { request, when: 'before' } })).killed).toBe(true);
    await reports(kind, words, who);
    // The next run finishes it, and nothing is left to be reported.
    expect((await up(spec)).errors).toEqual([]);
    expect(rowsOf(await review())).toEqual([]);
  });

  test.each(['nobody', 'somebody with other open changes', 'somebody'])(
    'a run whose second write was refused; %s committed the first',
    async (by) => {
      const { platforms, ...rest } = specOf('90');
      const spec = { ...rest, platforms: { ...platforms, db: { pack: 'mysql', description: 'of orders' } } };
      expect((await up(spec, { refuseWrite: 2 })).errors).toHaveLength(1);
      if (by !== 'nobody') await world.maria.commit().catch(() => undefined);
      if (by.includes('open')) await world.maria.set('web/compute', { size: 'XL' });
      // In one dialect a write is a commit, and nothing is open.
      const isOpen = dialect === 'classic' && by === 'nobody';
      const words = isOpen ? /^written, and not committed: db$/ : /^written by a run that did not end: db$/;
      expect(rowsOf(await review())).toContainEqual([
        'undeployed DesignRelease acme/shop',
        expect.stringMatching(words),
        'admin',
      ]);
      if (by.includes('open')) return;
      expect((await up(spec)).errors).toEqual([]);
      expect(rowsOf(await review())).toEqual([]);
    },
  );

  if (dialect === 'classic')
    test('a run whose commit was refused after a write of links alone', async () => {
      const { platforms = {}, ...rest } = specOf('100');
      const spec = { ...rest, platforms: { ...platforms, web: { ...platforms['web'], links: ['db'] } } };
      expect((await up(spec, { refuseWrite: 2 })).errors).toHaveLength(1);
      const words = 'written, and not committed: web';
      expect(rowsOf(await review())).toContainEqual(['undeployed DesignRelease acme/shop', words, 'admin']);
    });

  test('a run that was cut off during its deployment, which then ended: nothing waits', async () => {
    const spec = specOf('90', 60);
    const request = await requestOf(/deployments\.create/, spec);
    expect((await up(spec, { killAt: { request, when: 'after' } })).killed).toBe(true);
    world.clock.advance(600_000);
    const made = await review();
    expect(made.outcome).toBe('in-sync');
    const words = /^deployment \d+, complete, is not in the state: pulumi up records it$/;
    expect(rowsOf(made)).toContainEqual([`touched Deployment ${ID}`, expect.stringMatching(words), 'admin']);
    expect((await up(spec)).errors).toEqual([]);
    expect(rowsOf(await review())).toEqual([]);
  });

  test('a run whose check failed after its deployment: nothing waits', async () => {
    const deploy = { checks: { home: { url: 'http://127.0.0.1:1/', within: '0s' } } };
    const { environments: { prod } = {}, ...rest } = specOf('90', 60);
    const { errors } = await up({ ...rest, environments: { prod: { ...prod, deploy } } });
    expect([errors.join(), rowsOf(await review())]).toEqual([expect.stringContaining('check "home"'), []]);
  });

  const LESS: StackSpec = { ...specOf('100'), environments: {} };
  test.each<readonly [string, StackSpec, string, RegExp]>([
    ['what lets it go on', specOf('90', 60), 'paused', /^pulumi-oneops deployment resume acme\/shop\/prod /],
    ['not to resume a tear-down', LESS, 'paused', /^pulumi up --refresh restores /],
    ['to follow a tear-down', LESS, 'active', /^pulumi-oneops deployment follow acme\/shop\/prod shows how /],
  ])('a deployment that did not end: the advice is %s', async (_, spec, state, advised) => {
    await up(spec, { killAt: { request: await requestOf(/deployments\.create/, spec), when: 'after' } });
    if (state === 'paused') await world.maria.move(state).then(() => world.clock.advance(600_000));
    const words = new RegExp(`^deployment \\d+${spec === LESS ? ', which takes everything down,' : ''} is ${state}$`);
    const { findings } = await reports('Deployment', words, state === 'paused' ? 'maria' : 'admin');
    const commands = advised.test('pulumi up --refresh restores ') ? { revert: 'pulumi up --refresh' } : {};
    const revert = expect.stringMatching(advised) as string;
    expect(findings.map(({ advice }) => advice)).toContainEqual({ revert, commands });
  });

  test('what somebody committed and did not deploy, and what they deployed', async () => {
    await world.maria.switch('disable', 'web');
    await world.maria.commitEnvironment();
    await reports('Deployment', /^committed, and not deployed$/, 'maria');
    await world.maria.deploy();
    const words = /^nothing runs of web.*; web: maria disabled it in release \d+$/;
    const { findings } = await reports('Deployment', words, 'maria');
    const found = findings.find(({ classification }) => classification === 'undeployed');
    expect(found?.severity).toBe('high');
    expect(found?.author).toMatchObject({ stage: 'deployed', releaseId: expect.any(Number) as number });
  });

  test('a plan that somebody committed and then discarded', async () => {
    await world.maria.set('prod:web/tomcat', { max_threads: '7' });
    await world.maria.commitEnvironment();
    const { releaseId } = await world.other.call(routes.environmentReleases.bom, { address: PROD });
    const release = String(releaseId);
    await world.other.call(routes.environmentReleases.discard, { address: { ...PROD, release }, body: {} });
    await reports('Deployment', /^what is committed is not what runs: web: 1 not of the current release$/, 'maria');
  });

  describe('a pull that somebody discarded', () => {
    const discarded = async (): Promise<void> => {
      const refused = new Unprocessable(refusal(422));
      const stopped = { ...world, api: failing(world.api, routes.environments.commit, refused) };
      ({ stack } = await run(stopped, stack, resourcesOf(specOf('90'))));
      await world.maria.discardEnvironment();
    };

    test.each([1, 2])('%i times: the next run pulls again', async (times) => {
      for (let time = 0; time < times; time += 1) await discarded();
      const words =
        /^maria discarded release \d+ at 2026-\S+, and with it the pull of design release \d+: the next pulumi up pulls again$/;
      expect((await reports('Environment', words, 'maria')).outcome).toBe('not-deployed');
      expect((await up(specOf('90'))).errors).toEqual([]);
      expect(rowsOf(await review())).toEqual([]);
    });

    test('and the design was set back: nothing is missing', async () => {
      await discarded();
      const { errors, notices } = await up(specOf('100'));
      expect([errors, notices]).toEqual([[], []]);
      expect(rowsOf(await review())).toEqual([]);
    });
  });

  test('an instance that is not healthy, and one of which the record was removed', async () => {
    const address = { ...PROD, platform: 'web', component: 'tomcat' };
    const query = { instances_state: 'all' };
    const [instance] = await world.other.call(routes.operations.instances, { address, query });
    const api = answering(world.api, routes.operations.environmentInstances, (all) =>
      all.map((each) => (each.ciId === instance?.ciId ? { ...each, opsState: 'unhealthy' } : each)),
    );
    const found = await reviewIn(world, keptOf(stack), { api });
    expect(rowsOf(found)).toEqual([[`undeployed Deployment ${ID}`, 'web: 1 unhealthy', undefined]]);
    const gone = { ...address, instance: String(instance?.ciId) };
    await world.other.call(routes.operations.deleteInstance, { address: gone });
    const made = await review();
    expect(made.outcome).toMatch(/^(drift|not-deployed)$/);
    expect(made.findings.map(({ severity }) => severity)).toContain('high');
  });

  test('a deployment of another user that deleted nothing is reported, and is no drift', async () => {
    await world.maria.touch('web/tomcat');
    await world.maria.rollOut();
    const made = await review();
    expect(made.outcome).toBe('in-sync');
    const words = /^deployment \d+, complete, is not of this stack$/;
    expect(rowsOf(made)).toContainEqual([`touched Deployment ${ID}`, expect.stringMatching(words), 'maria']);
    const accept =
      'nothing that is declared is missing: ask the user who deployed; it is reported until the stack deploys again';
    expect(made.findings.map(({ advice }) => advice)).toContainEqual({ accept });
  });

  test('a procedure is judged by its own state, not by a deployment of another user', async () => {
    const name = 'restart';
    const args = { ...PROD, platform: 'web', component: 'compute', name, action: 'reboot' };
    const life = world.life('Procedure');
    const made = await life.create(life.check(args).inputs, ROW);
    const reviewed = async (state: string, more = {}) => {
      // The service knows no procedure of that number any more.
      const outputs = { ...made.outputs, procedureId: 1, state };
      const inputs = { ...made.inputs, ...more };
      const procedure = { token: 'Procedure', name, ...made, inputs, outputs };
      const { findings } = await reviewIn(world, [...keptOf(stack), procedure]);
      const found = findings.filter(({ kind }) => kind === 'Procedure');
      return found.map(({ classification, live, advice }) => [classification, live, advice.revert]);
    };
    await world.maria.touch('web/tomcat');
    await world.maria.rollOut();
    world.nextRun();
    expect(await reviewed('complete')).toEqual([]);
    const failed = { is: 'value', value: 'the procedure failed' };
    const again = 'declare rerun: true, or change its triggers: pulumi up';
    expect(await reviewed('failed')).toEqual([['undeployed', failed, again]]);
    const repeats = expect.stringMatching(/^pulumi up --refresh /);
    expect(await reviewed('failed', { rerun: true })).toEqual([['undeployed', failed, repeats]]);
  });
});

eachDialect('%s, where the stack does not deploy', (test, world) => {
  const undeployed = (threads: string): StackSpec => {
    const all = specOf(threads);
    return { ...all, environments: { prod: { ...all.environments?.['prod'], deploy: false } } };
  };
  let stack: Stack;

  beforeEach(async () => {
    stack = await standingStack(world, undeployed('100'));
    await world.maria.rollOut();
  });

  const found = ({ findings }: Review) =>
    findings
      .filter(({ classification }) => classification === 'undeployed')
      .map(({ kind, attribute, severity, live, author }) => [
        `${kind} ${attribute}`,
        severity,
        live?.is === 'value' ? live.value : live,
        author?.who,
      ]);
  const review = (api = world.api): Promise<Review> => reviewIn(world, keptOf(stack), { api });
  const down = (words: RegExp): readonly unknown[] => [
    'Environment platforms.web.enabled',
    'high',
    expect.stringMatching(words),
    'maria',
  ];

  test('what runs is read all the same, and who took it down is reported', async () => {
    expect(found(await review())).toEqual([]);
    await world.maria.switch('disable', 'web');
    await world.maria.commitEnvironment();
    expect(found(await review())).toEqual([
      down(/^web goes down with the next deployment: maria disabled it in release \d+$/),
      ['Environment plan', 'medium', 'committed, and not deployed', 'maria'],
    ]);
    await world.maria.deploy();
    const made = await review();
    expect(made.outcome).toMatch(/^(drift|not-deployed)$/);
    expect(found(made)).toEqual([down(/^nothing runs of web: maria disabled it in release \d+$/)]);
  });

  test('a pull that somebody discarded waits for the next one', async () => {
    const up = async (threads: string) => {
      const done = await run(world, stack, resourcesOf(undeployed(threads)));
      ({ stack } = done);
      expect(done.errors).toEqual([]);
    };
    await up('90');
    await world.maria.discardEnvironment();
    const row = [
      'Environment designRelease',
      'medium',
      expect.stringMatching(/^maria discarded release \d+ at .*: the next run that changes the design pulls again$/),
      'maria',
    ];
    expect(found(await review())).toEqual([row]);
    await up('80');
    expect(found(await review())).not.toContainEqual(row);
  });

  test('where it cannot be read, the review is not in sync', async () => {
    const busy = new Unprocessable({ method: 'GET', path: '/instances', status: 422, messages: ['busy'] });
    const made = await review(failing(world.api, routes.operations.environmentInstances, busy));
    expect(made.outcome).toBe('incomplete');
    expect(made.unread.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/^cannot read what runs in acme\/shop\/prod: .*busy/),
    );
  });

  test('where no plan is made, the review says so', async () => {
    const none = new Unprocessable({ method: 'GET', path: '/bom', status: 422, messages: ['no plan'] });
    const { notes } = await review(failing(world.api, routes.deployments.preview, none));
    expect(notes.join()).toMatch(/what a deployment of prod would change is not known: .*no plan/);
  });
});

// The page of service facts lists what reviews ask: no review of these worlds sends a request that the page does not name, and the page names no request
// that the contract does not have.
describe('routes', () => {
  const PAGE = readFileSync(join(__dirname, '../../docs/design/service-facts.md'), 'utf8');
  const ASKED = PAGE.slice(PAGE.indexOf('### 14.1'), PAGE.indexOf('### 14.3'));
  const LISTED = new Set([...ASKED.matchAll(/`([^`]*)`/g)].map(([, text]) => text ?? ''));

  /** The beginnings of paths that the page shortens, longest first. */
  const PREFIXES: readonly (readonly [string, string])[] = [
    ['/{organization}/assemblies/{assembly}/design/platforms/{platform}', 'D'],
    ['/{organization}/assemblies/{assembly}/transition/environments/{environment}', 'E'],
    ['/{organization}/clouds/{cloud}', 'K'],
    ['/{organization}/assemblies/{assembly}/', 'A/'],
    ['/{organization}', '/O'],
  ];

  /** `E/platforms/<p>/edit`: a path as the page writes it. */
  function asWritten({ path }: Route): string {
    const [long, short] = PREFIXES.find(([beginning]) => path.startsWith(beginning)) ?? ['', ''];
    const rest = path.slice(long.length).replace(/\{(\w)\w*\}/g, '<$1>');
    return `${short}${rest}`;
  }

  /** A record that its list does not show completely is read by itself. */
  const isRecordItself = ({ name }: Route): boolean =>
    name.endsWith('.read') || name === routes.environmentPlatforms.component.name;

  const specOf = (prod: object): StackSpec => ({
    variables: { LEVEL: 'info' },
    platforms: {
      web: {
        pack: 'tomcat',
        variables: { HEAP: '1g' },
        components: {
          compute: {
            attributes: { size: 'M' },
            attachments: { motd: { path: '/etc/motd', content: 'hello' } },
            monitors: { heap: { cmd: 'check_heap' } },
          },
        },
      },
    },
    environments: { prod: { availability: 'redundant', clouds: { east: { priority: 1 } }, ...prod } },
  });

  test('the page names routes of the contract only', () => {
    const known = new Set(allRoutes.filter(({ method }) => method === 'GET').map(asWritten));
    const paths = [...LISTED].filter((text) => /^(\/|[ADEK](\/|$))/.test(text));
    expect(paths.filter((path) => !known.has(path))).toEqual([]);
  });

  eachDialect('%s', (test, world) => {
    test.each([{}, { deploy: false }])('what reviews of a stack ask is on the page: %j', async (prod) => {
      const { stack } = await run(world, emptyStack, resourcesOf(specOf(prod)));
      const { maria } = world;
      if ('deploy' in prod) await maria.rollOut();
      const asked = new Set<string>();
      const disable = (): Promise<void> => maria.switch('disable', 'web');
      const commit = (): Promise<void> => maria.commitEnvironment();
      for (const act of [...Object.values(FOREIGN_EDITS), maria.rollOut, disable, commit, maria.rollOut]) {
        // The stack has no platform for one of the edits, and nothing is left to deploy after others.
        await act(world).catch(() => undefined);
        world.nextRun();
        const before = world.service.journal().length;
        await reviewIn(world, keptOf(stack));
        for (const { route } of world.service.journal().slice(before)) asked.add(route ?? '');
      }
      const all = allRoutes.filter(({ name }) => asked.has(name));
      expect(all.length).toBeGreaterThan(20);
      expect(all.filter((route) => !isRecordItself(route) && !LISTED.has(asWritten(route))).map(asWritten)).toEqual([]);
    });
  });
});
