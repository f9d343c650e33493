// What reverting one attribute does, on the service and for the next run, in both dialects.
import { routes } from '../../api/contract';
import {
  applyReversal,
  applyReversals,
  CLASSIFICATIONS,
  deployAgain,
  describeReversal,
  type DriftFinding,
  environmentsOf,
  planRevert,
  readState,
  type RevertContext,
  type Review,
  type SourceRecord,
} from '../../drift';
import { asFleet } from '../../drift/fleet/fleet';
import { nextSteps, whoText } from '../../drift/report/words';
import type { Inputs } from '../../provider';
import {
  codeOf,
  exportOf,
  type Kept,
  keptOf,
  declaredBy,
  revertedIn,
  revertingIn,
  revertingOf,
  reviewIn,
} from '../world/drift-world';
import { drift, preview, run, type Stack } from '../world/engine-simulation';
import { standingStack } from '../world/each-stack';
import { leftToDeploy } from '../world/left-to-deploy';
import { EAST, PROD, WEB } from '../world/shop-spec';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { kindOf, ROW } from '../world/world';
import { documentOf, yamlText } from '../world/stack-yaml';
import { adviceOn } from '../../drift/review/findings';
import { innermost } from '../../cli/command';
import { COMMANDS } from '../../cli/table';
import { fullReview, SAMPLES, sizeFinding } from '../world/sample-review';
import { reportingRow } from '../../drift/revert/revert';
import { eachDialect } from '../world/each-dialect';

const SPEC: StackSpec = {
  platforms: {
    db: {},
    web: {
      ...WEB,
      components: {
        deployer: {
          type: 'user',
          attributes: { username: 'deployer', sudoer: true },
          attachments: { motd: { path: '/etc/motd', content: 'hello' } },
        },
      },
    },
  },
  environments: { prod: { clouds: EAST } },
};
const ID = 'acme/shop/web/deployer';

eachDialect('%s', (test, world, dialect) => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await standingStack(world, SPEC);
  });

  const declared = (): readonly SourceRecord[] => declaredBy(stack);
  const reverting = (api = world.api): RevertContext => ({ ...revertingOf(world, declared()), api });
  const record = (): SourceRecord => declared().find(({ id }) => id === ID) as SourceRecord;
  const finding = (attribute: string, live: unknown): DriftFinding =>
    sizeFinding({ address: ID, attribute, live: { is: 'value', value: live } });

  /** Maria writes attributes of the deployer. */
  const tamper = async (attributes: object): Promise<void> => {
    world.clock.advance(1000);
    const life = world.lifeOf('Component');
    const live = await life.read(ID, record().inputs, ROW);
    await life.update(
      ID,
      live?.outputs ?? {},
      { ...live?.inputs, attributes: { ...(record().inputs['attributes'] as object), ...attributes } },
      ROW,
    );
    world.writes();
  };
  /** What was made again has other numbers than the state knows: a run that refreshes takes it over without a word in the file. */
  const takenOver = async (): Promise<void> => {
    const again = await run(world, stack, resourcesOf(SPEC), { refresh: true });
    expect({ errors: again.errors, drift: await drift(world, again.stack) }).toEqual({ errors: [], drift: [] });
    expect(await left()).toEqual([]);
  };
  const left = () =>
    leftToDeploy(world.api, { assembly: 'shop', environment: 'prod' }, () => world.clock.advance(1000));

  test('sets back what was named and nothing else, and a deployment brings it to the machines', async () => {
    await tamper({ username: 'maria', sudoer: false });
    await deployAgain(reverting(world.other), [{ record: record() }]);
    expect(await left()).toEqual([]);
    world.writes();

    const { reversals, refused, held } = await planRevert(reverting(), [finding('attributes.username', 'maria')]);
    expect({ refused, held, writes: world.writes() }).toEqual({ refused: [], held: [], writes: [] });
    expect(reversals.map(({ request }) => request)).toEqual([
      expect.stringMatching(/^PUT .*"ciAttributes":\{"username":"deployer"\}/),
    ]);
    for (const reversal of reversals) await applyReversal(reverting(), reversal);
    expect(world.writes().length).toBe(1);
    // The other attribute is drift still.
    expect(await drift(world, stack)).toEqual(['Component::web/deployer attributes']);

    // The next run knows of nothing: neither file nor state changed (flows F16).
    expect((await preview(world, stack, resourcesOf(SPEC))).steps).toEqual([]);
    await deployAgain(reverting(), reversals);
    expect(await left()).toEqual([]);
    expect((await preview(world, stack, resourcesOf(SPEC))).steps).toEqual([]);
  });

  /** Who the next review names for what was not set back. */
  const named = async () => {
    const { findings } = await reviewIn(world, keptOf(stack));
    return findings
      .filter(({ attribute }) => attribute === 'attributes.sudoer')
      .map(({ classification, author }) => [classification, author && whoText(author)]);
  };
  const revertUsername = async () => {
    world.clock.advance(1000);
    return (await revertedIn(reverting(), [finding('attributes.username', 'maria')])).reversals;
  };
  const unsure = [['changed-by-own-user', 'admin or an earlier writer']];

  test('in an open change that both wrote to, either may have set it', async () => {
    await tamper({ username: 'maria', sudoer: false });
    await revertUsername();
    expect(await named()).toEqual(dialect === 'classic' ? [['changed', 'maria or admin']] : unsure);
  });

  test('refuses what moved since the review, and what moves between reading and writing', async () => {
    await tamper({ username: 'maria' });
    const { refused } = await planRevert(reverting(), [finding('attributes.username', 'paul')]);
    expect(refused.map(({ reason }) => reason)).toEqual(['it was changed again since the review: make a new one']);
    const { reversals } = await planRevert(reverting(), [finding('attributes.username', 'maria')]);
    await tamper({ username: 'paul' });
    const all = await applyReversals(reverting(), reversals);
    expect(all).toMatchObject({ done: [], failed: { reversal: reversals[0] } });
    expect(String(all.failed?.error)).toContain('username was changed by maria');
    await expect(applyReversal(reverting(), reversals[0] as never)).rejects.toThrow(
      /username was changed by maria[^]*"pulumi-oneops drift"/,
    );
  });

  const attachment = (): SourceRecord => declared().find(({ kind }) => kind.token === 'Attachment') as SourceRecord;
  const deletedFinding = ({ kind, id }: SourceRecord): DriftFinding => {
    const { attribute: _, ...whole } = sizeFinding({ kind: kind.token, address: id, classification: 'deleted' });
    return whole;
  };

  test.each([
    ['other', 0, ['somebody created it again since the review, with another content: make a new one']],
    ['hello', 1, []],
  ])('takes a deleted record that was created again for what it is: %s', async (content, number, reasons) => {
    const motd = attachment();
    const others = world.lifeOf('Attachment');
    await others.delete(motd.id, motd.inputs, ROW);
    await others.create({ ...motd.inputs, content }, ROW);
    const { reversals, refused, held } = await planRevert(reverting(), [deletedFinding(motd)]);
    expect([reversals, held.length, refused.map(({ reason }) => reason)]).toEqual([[], number, reasons]);
  });

  test('what a revert made again is there, under a number that the state lacks: no drift, and a plain run goes through', async () => {
    const motd = attachment();
    const before = await reviewIn(world, keptOf(stack));
    await world.lifeOf('Attachment', world.other).delete(motd.id, motd.inputs, ROW);
    await world.maria.commit();
    const deleted = await reviewIn(world, keptOf(stack));
    const gone = deleted.findings.filter(({ classification }) => classification === 'deleted');
    expect([before.outcome, deleted.outcome, gone.length]).toEqual(['in-sync', 'drift', 1]);
    const { reversals } = await revertedIn(reverting(), gone);
    await deployAgain(reverting(), reversals);
    const after = await reviewIn(world, keptOf(stack));
    expect([
      after.outcome === 'drift',
      after.findings.filter(({ waits }) => waits !== true),
      after.notes.join(),
    ]).toEqual([false, [], expect.stringContaining(`made again: ${motd.id}: pulumi up --refresh takes its number`)]);
    const plain = await run(world, stack, resourcesOf(SPEC));
    expect([plain.errors, await left()]).toEqual([[], []]);
  });

  test('makes a whole platform again, whatever order its parts are named in', async () => {
    const web = declared().find(({ id }) => id === 'acme/shop/web') as SourceRecord;
    const gone = declared().filter(({ id, kind }) => id.startsWith('acme/shop/web') && kind.stage === 'design');
    await world.lifeOf('Platform').delete(web.id, web.inputs, ROW);
    world.writes();
    const { reversals, refused } = await revertedIn(reverting(), gone.map(deletedFinding).reverse());
    expect([refused, reversals.filter(({ request }) => !request.startsWith('POST '))]).toEqual([[], []]);
    await deployAgain(reverting(), reversals);
    expect(await left()).toEqual([]);
    await takenOver();
  });

  test('of a release that waits, says what deploys it', async () => {
    const shop = { kind: 'Assembly', address: 'acme/shop', classification: 'undeployed' as const };
    const revert = 'pulumi up --refresh deploys it; of it, only what the file declares is set back';
    const waiting = { ...finding('releases.7', 'waits'), ...shop, advice: { revert } };
    for (const around of [reverting(), { ...reverting(), declared: [] }]) {
      const { refused, reversals } = await planRevert(around, [waiting]);
      expect([reversals, refused.map(({ reason }) => reason)]).toEqual([[], [revert]]);
    }
  });

  test('refuses what only a replacement could set back', async () => {
    const web = declared().find(({ id }) => id === 'acme/shop/web') as SourceRecord;
    const of = { ...reverting(), declared: [{ ...web, inputs: { ...web.inputs, pack: 'mysql' } }] };
    const moved = { ...finding('pack', 'custom'), kind: 'Platform', address: web.id };
    const { refused, reversals } = await planRevert(of, [moved]);
    expect(reversals).toEqual([]);
    expect(refused.map(({ reason }) => reason)).toEqual([
      'it cannot be changed in place: pulumi up --refresh replaces the record',
    ]);
  });

  test('shows no secret in a request, however deep it is and however it is written', async () => {
    const keys = ['canary "one"', 'canary \\two'];
    await tamper({ authorized_keys: ['maria'] });
    const own = record();
    const attributes = { ...(own.inputs['attributes'] as object), authorized_keys: keys };
    const secret = { ...own, inputs: { ...own.inputs, attributes }, hidden: [['attributes', 'authorized_keys']] };
    const found = { ...finding('attributes.authorized_keys', undefined), live: { is: 'secret' as const } };
    const { reversals } = await planRevert({ ...reverting(), declared: [secret] }, [found]);
    expect(reversals.map(({ request }) => request)).toEqual([expect.stringMatching(/^PUT .*authorized_keys/)]);
    expect(JSON.stringify(reversals.map(({ request }) => request))).not.toContain('canary');
  });

  test('deploys no environment of another assembly that has the same name', () => {
    const shop = declared();
    const store = shop.map((each) => ({
      ...each,
      id: each.id.replace('acme/shop', 'acme/store'),
      inputs: { ...each.inputs, ...('assembly' in each.inputs ? { assembly: 'store' } : {}) },
    }));
    const all = [...store, ...shop];
    const reached = (id: string) =>
      environmentsOf(
        all,
        all.filter((each) => each.id === id).map((each) => ({ record: each })),
      ).map((environment) => environment.id);
    expect(reached(ID)).toEqual(['acme/shop/prod']);
    const compute = { ...(shop.find(({ id }) => id === 'acme/shop/prod') as SourceRecord), id: 'acme/shop/prod/web' };
    const inside = {
      ...compute,
      kind: kindOf('CloudConfiguration'),
      inputs: { assembly: 'shop', environment: 'prod' },
    };
    expect(environmentsOf(all, [{ record: inside }]).map(({ id }) => id)).toEqual(['acme/shop/prod']);
  });

  test('holds what is as declared, and refuses what nobody declares', async () => {
    const { held, reversals } = await planRevert(reverting(), [finding('attributes.username', 'maria')]);
    expect([held.length, reversals.length]).toEqual([1, 0]);
    const { refused } = await planRevert(reverting(), [sizeFinding({ address: 'acme/shop/web/none' })]);
    expect(refused.map(({ reason }) => reason)).toEqual(['nothing declares it: there is nothing to go back to']);
  });
});

// What reverting does of what a review found: of a secret, of what is in an environment; and that no printed request contains a secret.
describe('revert kinds', () => {
  const SPEC: StackSpec = {
    variables: { KEY: { encryptedValue: 's3cret-canary' }, LEVEL: 'info' },
    platforms: {
      db: { pack: 'mysql', components: { mysql: { attributes: { password: 'p4ss-canary', port: '3306' } } } },
      web: WEB,
    },
    environments: {
      prod: {
        clouds: { east: { priority: 1 }, west: { priority: 2 } },
        platforms: { web: { west: { pctScale: 50 } } },
        variables: { LEVEL: 'debug' },
      },
    },
  };

  eachDialect('%s', (test, world) => {
    let kept: readonly Kept[];

    beforeEach(async () => {
      const stack = await standingStack(world, SPEC);
      kept = keptOf(stack);
      world.requests();
    });

    /** Another user writes one argument. */
    const written = async (token: string, id: string, change: Inputs): Promise<void> => {
      world.clock.advance(1000);
      const found = kept.find((each) => each.token === token && each.id === id) as Kept;
      const life = world.lifeOf(token);
      const seen = await life.read(id, found.outputs, ROW);
      await life.update(id, seen?.outputs ?? {}, { ...found.inputs, ...change }, ROW);
      world.requests();
    };

    const reverting = (declared: RevertContext['declared'] = readState(exportOf(kept)).records): RevertContext =>
      revertingOf(world, declared);

    /** Reverts what a review finds; answers the requests that were shown. */
    const reverted = async (): Promise<readonly string[]> => {
      const { findings } = await reviewIn(world, kept);
      const drifted = findings.filter(({ classification }) => classification === 'changed');
      const plan = await planRevert(reverting(), drifted);
      expect([plan.refused, plan.held, world.writes()]).toEqual([[], [], []]);
      for (const reversal of plan.reversals) await applyReversal(reverting(), reversal);
      expect(world.writes()).toHaveLength(plan.reversals.length);
      await deployAgain(reverting(), plan.reversals);
      expect(JSON.stringify(plan.reversals.map(describeReversal))).not.toContain('canary');
      return plan.reversals.map(({ request }) => request);
    };

    const left = (): Promise<readonly string[]> =>
      leftToDeploy(world.api, { assembly: 'shop', environment: 'prod' }, () => world.clock.advance(1000));

    test.each([
      ['a cloud configuration', 'CloudConfiguration', 'acme/shop/prod/web/west', { pctScale: 70 }, /"pct_scale":"50"/],
      ['a variable', 'Variable', 'acme/shop/environments/prod/variables/LEVEL', { value: 'trace' }, /"value":"debug"/],
    ])('%s of an environment is set back, and deployed', async (_, token, id, change, body) => {
      await written(token, id, change);
      expect(await reverted()).toEqual([expect.stringMatching(body)]);
      const { findings } = await reviewIn(world, kept);
      expect(findings.filter(({ classification }) => classification !== 'touched')).toEqual([]);
      expect(await left()).toEqual([]);
    });

    test('a request for an attribute next to a secret shows none, whether file or state declares it', async () => {
      const mysql = kept.find(({ id }) => id === 'acme/shop/db/mysql') as Kept;
      const attributes = { ...(mysql.inputs['attributes'] as Inputs), port: '3307', password: 'other-canary' };
      await written('Component', mysql.id, { attributes });
      const state = readState(exportOf(kept));
      const { findings } = await reviewIn(world, kept);
      const drifted = findings.filter(({ kind }) => kind === 'Component');
      expect(drifted.map(({ attribute }) => attribute).sort()).toEqual(['attributes.password', 'attributes.port']);
      for (const declared of [state.records, codeOf(yamlText(documentOf(SPEC)), state)]) {
        const { reversals, refused } = await planRevert(reverting(declared), drifted);
        expect(refused).toEqual([]);
        const shown = JSON.stringify(reversals.map(describeReversal));
        expect(shown).toContain('3306');
        expect(shown).not.toContain('canary');
      }
    });

    test('a secret is written again as declared, and the request shown hides it', async () => {
      await written('Variable', 'acme/shop/variables/KEY', { encryptedValue: 'other-canary' });
      const [request, ...more] = await reverted();
      expect(more).toEqual([]);
      expect(request).toMatch(/"encrypted_value":"\[secret\]"/);
      // Whose value it is now, the service shows nobody: the last to write it was the user this run speaks as.
      const variable = await world.api.call(routes.designVariables.read, {
        address: { assembly: 'shop', variable: 'KEY' },
      });
      expect(variable.rfcUpdatedBy ?? variable.rfcCreatedBy ?? variable.updatedBy).toBe('admin');
      expect(await left()).toEqual([]);
    });
  });
});

// What comes with a parent is not deleted: the values that it came with are given back.
eachDialect('%s: given back', (test, world) => {
  const APP: StackSpec = {
    platforms: { app: { pack: 'play' } },
    environments: { prod: { clouds: { east: { priority: 1 }, west: { priority: 2 } } } },
  };
  let kept: readonly Kept[];

  beforeEach(async () => {
    kept = keptOf(await standingStack(world, APP));
    world.clock.advance(60_000);
  });

  const relayed = (attributes: { readonly [name: string]: string }) =>
    world.other.call(routes.relays.update, {
      address: { ...PROD, relay: 'default' },
      body: { cms_ci: { ciName: 'default', ciAttributes: attributes } },
    });

  const resize = () => world.maria.set('app/compute', { size: 'XL' }, { owner: { size: 'design' } });

  /** What the service and the pack bring. */
  const brought = async (): Promise<unknown> => {
    const relay = await world.api.call(routes.relays.read, { address: { ...PROD, relay: 'default' } });
    const places = ['app/compute', 'app/$HEAP'];
    const records = await Promise.all(places.map((place) => world.admin.read(place)));
    return [relay, ...records].map(({ ciName, ciAttributes }) => [ciName, ciAttributes]);
  };

  test.each([
    ['the relay of an environment', () => relayed({ emails: 'maria@acme.io', enabled: 'false' })],
    ['a component', resize],
    ['a variable', () => world.maria.set('app/$HEAP', { value: '9g' }, { owner: { value: 'design' } })],
    ['a committed component', () => resize().then(world.maria.commit)],
    ['a committed variable', () => world.maria.create('$LEVEL', { value: 'debug' }).then(world.maria.commit)],
  ])('%s that another user changed has the values that it came with', async (_, write) => {
    const born = await brought();
    await write();
    const { findings } = await reviewIn(world, kept, { text: yamlText(documentOf(APP)) });
    expect(findings.map(({ classification }) => classification)).toContain('undeclared');
    const reverting = {
      ...revertingIn(world, yamlText(documentOf(APP))),
      applied: readState(exportOf(kept)).records,
    };
    const { reversals } = await revertedIn(
      reverting,
      findings.filter(({ classification }) => classification === 'undeclared'),
    );
    await deployAgain(reverting, reversals);
    expect(await brought()).toEqual(born);
    expect(await leftToDeploy(world.api, PROD, () => world.clock.advance(1000))).toEqual([]);
    const after = await reviewIn(world, kept);
    expect([after.findings, after.outcome]).toEqual([[], 'in-sync']);
  });

  test.each([
    ['a platform that is off', () => world.maria.switch('disable', 'app')],
    ['a cloud that is offline', () => world.maria.configure('app', 'west', { adminstatus: 'offline' })],
  ])('%s, which another user committed, is set back and deployed', async (_, write) => {
    await write();
    await world.maria.commitEnvironment();
    const { findings } = await reviewIn(world, kept, { text: yamlText(documentOf(APP)) });
    const unexpected = findings.filter(({ classification }) => classification === 'unexpected');
    const reverting = revertingIn(world, yamlText(documentOf(APP)));
    const { reversals, refused } = await revertedIn(reverting, unexpected);
    expect([reversals.length, refused]).toEqual([1, []]);
    await deployAgain({ ...reverting, applied: readState(exportOf(kept)).records }, reversals);
    expect(await differences(world, APP)).toEqual([]);
    const after = await reviewIn(world, kept);
    expect([after.findings.filter(({ classification }) => classification !== 'touched'), after.outcome]).toEqual([
      [],
      'in-sync',
    ]);
  });

  test('a platform of another user is deleted where this stack declares what runs it, and else refused', async () => {
    await world.maria.create('late', { source: 'oneops', pack: 'tomcat', version: '1', major_version: '1' });
    await world.maria.commit();
    await world.maria.pull({ late: 'single' });
    const text = yamlText(documentOf(APP));
    const { findings } = await reviewIn(world, kept, { text });
    const late = findings.filter(({ address, kind }) => kind === 'Platform' && address === 'acme/shop/late');
    const reverting = { ...revertingIn(world, text), applied: readState(exportOf(kept)).records };
    const design = { ...reverting, declared: reverting.declared.filter(({ kind }) => kind.token !== 'Environment') };
    expect(await planRevert(design, late)).toMatchObject({
      reversals: [],
      refused: [
        { reason: expect.stringMatching(/does not declare that environment[^]*, or leave it: a stack that has/) },
      ],
    });
    const { reversals, refused } = await revertedIn(reverting, late);
    expect([late.length, reversals.length, refused]).toEqual([1, 1, []]);
    await deployAgain(reverting, reversals);
    expect((await reviewIn(world, kept, { text })).findings).toEqual([]);
  });
});

// What reports advise can be typed: every command they name exists, with every option they name.

/** Of Pulumi's own. */
const ENGINE = ['pulumi up', 'pulumi up --refresh', 'pulumi refresh'];

const reviews: readonly Review[] = [
  ...SAMPLES.map(([, review]) => review),
  { ...fullReview(), outcome: 'refused' },
  { ...fullReview(), outcome: 'incomplete' },
  { ...fullReview(), outcome: 'not-deployed' },
];
const steps = reviews.flatMap((review) => nextSteps(asFleet(review))).flatMap(({ command }) => command ?? []);
const places = [undefined, { file: 'oneops.yaml', line: 3, column: 1 }, { file: 'index.ts', line: 3, column: 1 }];
const subject = { id: '0123456789', subject: 'Component:acme/shop/web/sh' };
const advised = CLASSIFICATIONS.flatMap((classification) =>
  [true, false].flatMap((isAttribute) =>
    [true, false].flatMap((isHidden) =>
      places.map((at) => ({
        classification,
        isHidden,
        advice: adviceOn({ ...subject, classification, isAttribute, isHidden, at }),
      })),
    ),
  ),
);
const advice = advised.flatMap(({ advice: { revert, accept } }) =>
  [revert, accept].filter((text) => text !== undefined),
);
const commands = advised.flatMap(({ advice: each }) => Object.values(each.commands ?? {}));
const named = [...new Set([...steps, ...advice, ...commands])];

test('a command to copy is a command and no more, and its sentence names it', () => {
  expect(
    commands.filter((command) => !/^pulumi(-oneops)? [a-z-]+( \S+)*$/.test(command) || /[:,;] /.test(command)),
  ).toEqual([]);
  for (const { advice: each } of advised)
    for (const [verb, command] of Object.entries(each.commands ?? {}))
      expect(each[verb as 'revert' | 'accept']).toContain(command);
});

test('what nobody can write into a file is not offered to be accepted', () => {
  const offered = advised.filter(({ isHidden, advice: each }) => isHidden && each.accept?.includes('drift accept'));
  // Of a record that no longer exists there is no value to write: it is taken out of the file.
  expect(offered.filter(({ classification }) => classification !== 'deleted')).toEqual([]);
});

test('there is something to check', () => {
  expect(named.filter((text) => text.includes('pulumi-oneops')).length).toBeGreaterThan(4);
});

test.each(named.filter((text) => text.includes('pulumi-oneops')))('%s', async (text) => {
  const [, name = '', second = ''] = /pulumi-oneops ([\w-]+)(?: ([a-z]+\b(?!:)))?/.exec(text) ?? [];
  const entry = COMMANDS.find((each) => each.name === name);
  const found = entry && (await innermost(entry, [second]));
  expect([name, found?.path.length]).toEqual([name, name === 'drift' ? 2 : 1]);
  for (const option of text.match(/--[\w-]+/g) ?? [])
    expect(Object.keys(found?.command.options ?? {})).toContain(option.slice(2));
});

test.each(named.filter((text) => !text.includes('pulumi-oneops') && text.includes('pulumi ')))('%s', (text) => {
  expect(ENGINE.some((command) => text.includes(command))).toBe(true);
});

// What a terminal shows of several environments that are deployed in turn: whose message it is, each message once.

test('each message is reported once, with whose it is', () => {
  const lines: string[] = [];
  const to = { tell: (message: string) => void lines.push(message) };
  for (const environment of ['acme/shop/prod', 'acme/shop/qa']) {
    const row = reportingRow(to, environment);
    row.progress('joins deployment 7, which is active');
    row.progress('joins deployment 7, which is active');
    row.notice('deployment 7 is complete');
  }
  reportingRow(to).notice('set back');
  expect(lines).toEqual([
    'acme/shop/prod: joins deployment 7, which is active',
    'acme/shop/prod: deployment 7 is complete',
    'acme/shop/qa: joins deployment 7, which is active',
    'acme/shop/qa: deployment 7 is complete',
    'set back',
  ]);
});
