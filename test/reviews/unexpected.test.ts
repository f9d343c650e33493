// What a review says of values that nobody declares, and that an environment alone has: found, named, attributed, and said what becomes of them.
import { routes } from '../../api/contract';
import {
  type DriftFinding,
  ignoring,
  planRevert,
  recordFindings,
  renderReview,
  type Review,
  type ReviewOptions,
} from '../../drift';
import { rowsInTurn } from '../dialects-in-turn';
import { reticent } from '../world/between';
import { handOf } from '../world/hand';
import {
  acceptedIn,
  type Kept,
  keptOf,
  NO_RULES,
  revertedIn,
  revertingIn,
  reviewIn,
  rulesOf,
  unexpectedIn,
} from '../world/drift-world';
import { standingStack } from '../world/each-stack';
import type { StackSpec } from '../world/stack-spec';
import { documentOf, yamlText } from '../world/stack-yaml';
import { eachWorld, ROW, titleOf } from '../world/world';
import { addressOf, formatId, type Inputs, type Kind, scopesOf } from '../../provider';
import { kinds } from '../../provider/kinds';
import type { Lifecycle } from '../../provider/lifecycle';
import { tampered, tamperings } from '../world/tampering';
import { eachDialect } from '../world/each-dialect';
import { PROD } from '../world/shop-spec';

const SHOP: StackSpec = {
  variables: { LEVEL: 'info' },
  platforms: { web: { pack: 'custom' } },
  environments: { prod: { clouds: { east: { priority: 1 }, west: { priority: 2 } } } },
};

const FILE = yamlText(documentOf(SHOP));

eachDialect('%s: what is set in an environment alone', (test, world) => {
  let kept: readonly Kept[];

  beforeEach(async () => {
    kept = keptOf(await standingStack(world, SHOP));
    world.requests();
  });

  const reviewed = (options: Partial<ReviewOptions> = {}): Promise<Review> =>
    reviewIn(world, kept, { text: FILE, ...options });

  // Machines get the attribute alone: what needs no deployment waits for none once it is committed.
  test.each<readonly [string, () => Promise<unknown>, string]>([
    ['a variable', () => world.maria.set('prod:$LEVEL', { value: 'hers' }), 'in-sync'],
    ['an attribute of a component', () => world.maria.set('prod:web/compute', { size: 'XL' }), 'not-deployed'],
    ['a cloud of a platform', () => world.maria.configure('web', 'west', { pct_scale: '50' }), 'in-sync'],
  ])('%s that drift.yaml ignores waits to be deployed while it is open', async (_, act, committed) => {
    world.clock.advance(1000);
    await act();
    const open = await reviewed();
    const rules = rulesOf(ignoring(NO_RULES, open.findings, { reason: 'known', owner: 'ann@acme.io' }));
    const ruled = await reviewed({ rules });
    expect([open.outcome, ruled.outcome]).toEqual(['drift', 'not-deployed']);
    expect(ruled.findings).toEqual([
      expect.objectContaining({
        ...{ kind: 'Environment', address: 'acme/shop/prod', classification: 'undeployed', waits: true },
        live: { is: 'value', value: expect.stringMatching(/^is open in the environment, not committed: ~shop\//) },
      }),
    ]);
    await world.maria.commitEnvironment();
    expect((await reviewed({ rules })).outcome).toBe(committed);
  });

  const setLink = (attributes: { readonly [name: string]: string }): Promise<void> => {
    world.clock.advance(1000);
    return world.maria.configure('web', 'west', attributes);
  };

  const commit = async (user = world.maria): Promise<void> => {
    world.clock.advance(1000);
    await user.commitEnvironment();
    world.clock.advance(60_000);
  };

  const one = (review: Review): DriftFinding => {
    expect(review.findings).toHaveLength(1);
    return review.findings[0] as DriftFinding;
  };

  test.each([
    ['pctScale', 'pct_scale', '0', 100, 0, 'high'],
    ['adminstatus', 'adminstatus', 'offline', 'active', 'offline', 'high'],
    ['dpmtOrder', 'dpmt_order', '3', 1, 3, 'medium'],
    ['priority', 'priority', '1', 2, 1, 'medium'],
  ])('a link without an entry in the file: %s', async (attribute, wireName, text, base, live, severity) => {
    await setLink({ [wireName]: text });
    const review = await reviewed();
    expect(one(review)).toMatchObject({
      classification: 'unexpected',
      severity,
      kind: 'CloudConfiguration',
      address: 'acme/shop/prod/web/west',
      attribute,
      expected: { is: 'value', value: base },
      live: { is: 'value', value: live },
      author: { who: 'maria', stage: 'design' },
      at: { file: 'oneops.yaml', line: 10 },
      setIn: { environment: 'prod', follows: 'environment', nextPull: 'keeps' },
    });
    expect(review.outcome).toBe('drift');
    expect(world.writes()).toEqual(['PUT environmentPlatforms.configureCloud']);
  });

  test('a revert leaves what was changed again since the review', async () => {
    await setLink({ pct_scale: '0' });
    const { findings } = await reviewed();
    await setLink({ pct_scale: '20' });
    const { refused, reversals } = await planRevert(revertingIn(world, FILE), findings);
    expect([reversals, refused.map(({ reason }) => reason)]).toEqual([
      [],
      ['it was changed again since the review: make a new one'],
    ]);
  });

  const setLevel = async (value: string, owner?: 'manifest'): Promise<void> => {
    world.clock.advance(1000);
    const locks = owner ? { owner: { secure: owner, value: owner, encrypted_value: owner } } : {};
    await world.maria.set('prod:$LEVEL', { value }, locks);
  };

  test.each([
    ['overwrites', undefined, 'the next pull overwrites it'],
    ['keeps', 'manifest', 'the next pull keeps it (locked by the environment)'],
  ] as const)('a variable: the next pull %s it', async (nextPull, owner, words) => {
    await setLevel('debug', owner);
    const review = await reviewed();
    const finding = one(review);
    expect(finding).toMatchObject({
      classification: 'unexpected',
      severity: 'medium',
      address: 'acme/shop/environments/prod/variables/LEVEL',
      attribute: 'value',
      expected: { is: 'value', value: 'info' },
      live: { is: 'value', value: 'debug' },
      setIn: { environment: 'prod', follows: 'design', nextPull },
      author: { who: 'maria', stage: 'design' },
    });
    const text = renderReview('text', review, { width: 400 });
    expect(text).toMatch(/set in prod only, by maria, .*, release \d+ \(not committed\); /);
    expect(text).toContain(words);
    expect(text).toMatch(/design +live in prod\n +info +debug/);
    expect(acceptedIn(FILE, [finding]).text).toContain('    variables:\n      LEVEL: debug\n');
    await revertedIn(revertingIn(world, FILE), [finding]);
    const live = await world.admin.read('prod:$LEVEL');
    expect([live.ciAttributes['value'], Object.values(live.ciAttrProps?.owner ?? {}).filter(Boolean)]).toEqual([
      'info',
      [],
    ]);
    expect(unexpectedIn(await reviewed())).toEqual([]);
  });

  const setInDesign = async (ciAttributes: { readonly [name: string]: string }): Promise<void> => {
    world.clock.advance(1000);
    await world.maria.commit(world.maria.set('$LEVEL', ciAttributes));
  };

  const LEVEL_HERE = 'acme/shop/environments/prod/variables/LEVEL value';

  test('a design that was committed and not pulled is not taken for something that was set in the environment', async () => {
    await setInDesign({ value: 'debug' });
    const review = await reviewed();
    expect(review.findings.map(({ classification, kind }) => [kind, classification])).toContainEqual([
      'Variable',
      'changed',
    ]);
    expect(unexpectedIn(review)).toEqual([]);
    expect(review.notes).toEqual([
      `the design was changed since the last pull of prod, which still has the earlier value: ${LEVEL_HERE}`,
    ]);
    // What is set in the environment afterwards is found.
    await setLevel('trace');
    const after = await reviewed();
    expect([unexpectedIn(after).length, after.notes]).toEqual([1, []]);
  });

  test.each(['open', 'committed'] as const)(
    'a value that was set in the environment before the design was changed is found: %s',
    async (reach) => {
      await setLevel('trace');
      if (reach === 'committed') await commit();
      await setInDesign({ value: 'debug' });
      const review = await reviewed();
      expect(unexpectedIn(review)).toMatchObject([
        { expected: { value: 'debug' }, live: { value: 'trace' }, author: { who: 'maria' } },
      ]);
      expect(review.notes).toEqual([]);
    },
  );

  test('where the service lists no changes of the design, a note names the values that may have been set', async () => {
    // Only the changes of releases show the dependencies between components.
    const [between, ...rest] = (await reviewed({ api: reticent(world.api) })).notes;
    expect([between, rest]).toEqual([expect.stringContaining('changed the dependencies between components'), []]);
    await setLevel('trace');
    await commit();
    expect(unexpectedIn(await reviewed({ api: reticent(world.api) }))).toHaveLength(1);
    await setInDesign({ value: 'debug' });
    const review = await reviewed({ api: reticent(world.api) });
    expect(unexpectedIn(review)).toEqual([]);
    expect(review.notes).toEqual([
      `prod differs from the design, which was changed later, and the service does not show whether somebody set there the value: ${LEVEL_HERE}`,
      between,
    ]);
    expect(review.findings.map(({ classification, author }) => [classification, author?.who])).toContainEqual([
      'undeployed',
      'maria',
    ]);
  });

  test('a secret that replaces a plain value is found, and shown nowhere', async () => {
    world.clock.advance(1000);
    await world.maria.set('prod:$LEVEL', { secure: 'true', value: '', encrypted_value: 'l3vel-canary' });
    const review = await reviewed();
    expect(unexpectedIn(review).map(({ attribute }) => attribute)).toEqual(['encryptedValue', 'value']);
    expect(JSON.stringify(review)).not.toContain('canary');
    const { refused } = recordFindings(review.findings, NO_RULES);
    expect(refused.map(({ finding: { attribute } }) => attribute)).toEqual(['encryptedValue']);
  });

  test('a cloud that a third user added brings no release of the design', async () => {
    const { ciId } = await world.maria.create('blog', { source: 'oneops', pack: 'custom', version: '1' });
    await world.maria.commit(world.maria.set('web', { description: 'hers' }));
    await world.life('Cloud').create({ name: 'north', location: 'aws' }, ROW);
    world.clock.advance(1000);
    const pia = handOf(world.third, world.clock.advance);
    await pia.useClouds({ north: '1', west: '1' });
    await commit(pia);
    const waits = expect.objectContaining({ kind: 'Assembly', classification: 'undeployed' });
    expect((await reviewed()).findings).toContainEqual(waits);
    await world.maria.pull({ [String(ciId)]: 'single' });
    await commit();
    expect((await reviewed()).findings).not.toContainEqual(waits);
  });

  test('a setting of the environment itself', async () => {
    world.clock.advance(1000);
    const { ciName } = await world.api.call(routes.environments.read, { address: PROD });
    await world.other.call(routes.environments.update, {
      address: PROD,
      body: { cms_ci: { ciName, ciAttributes: { autorepair: 'false' } } },
    });
    expect((await reviewed()).findings).toMatchObject([
      { classification: 'unexpected', attribute: 'autorepair', expected: { value: true }, live: { value: false } },
    ]);
  });

  test('what is recorded is expected: the next change to it is found, and reverted to what was recorded', async () => {
    await setLink({ pct_scale: '50' });
    const first = await reviewed();
    const { text, recorded: kept50 } = recordFindings(first.findings, NO_RULES);
    expect(kept50).toHaveLength(1);
    const rules = rulesOf(text);
    expect(await reviewed({ rules })).toMatchObject({ findings: [], outcome: 'in-sync', problems: [] });
    // Back to what the environment says is a change, too.
    for (const share of ['40', '100']) {
      await setLink({ pct_scale: share });
      const review = await reviewed({ rules });
      const finding = one(review);
      expect(finding).toMatchObject({
        classification: 'unexpected',
        expected: { value: 50 },
        live: { value: Number(share) },
        recorded: true,
        author: { who: 'maria' },
      });
      expect(recordFindings([finding], { name: 'drift.yaml', text }).text).toContain(`value: ${share}`);
    }
    const { findings } = await reviewed({ rules });
    expect((await revertedIn(revertingIn(world, FILE), findings)).refused).toEqual([]);
    expect(unexpectedIn(await reviewed({ rules }))).toEqual([]);
    const other = rulesOf(text.replace('web/west', 'web/north'));
    expect((await reviewed({ rules: other })).problems).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringContaining('web/north pctScale, which no environment under review'),
      },
    ]);
  });
});

// Comments that nobody declares: a review reports those that another user wrote, in the design and in an environment, in both dialects. One dialect
// stores them only together with another change of the record (service-facts §2.1.3), so that they come with one here.
describe('comments', () => {
  const SHOP: StackSpec = {
    platforms: {
      web: { pack: 'custom', components: { deployer: { type: 'user', attributes: { username: 'deployer' } } } },
    },
    environments: { prod: { clouds: { east: { priority: 1 } } } },
  };

  const FILE = yamlText(documentOf(SHOP));

  eachDialect('%s: comments that nobody declares', (test, world, dialect) => {
    let kept: readonly Kept[];

    beforeEach(async () => {
      kept = keptOf(await standingStack(world, SHOP));
      world.clock.advance(1000);
    });

    const reviewed = (text = FILE): Promise<Review> => reviewIn(world, kept, { text });
    const short = ({ findings }: Review): readonly unknown[] =>
      findings.map(({ classification, severity, address, attribute, live, author }) => [
        `${severity} ${classification} ${address}${attribute === undefined ? '' : ` ${attribute}`}`,
        live?.is === 'value' ? live.value : undefined,
        author?.who,
      ]);
    /** An attribute of the component has to change with them where comments alone are lost. */
    const say = (place: string, comments: string, attributes: { readonly [name: string]: string }) =>
      world.maria.set(place, dialect === 'classic' ? attributes : {}, { comments });

    test('of a record of the design that is declared', async () => {
      expect((await reviewed()).findings).toEqual([]);
      await say('web/deployer', 'leave alone', { ulimit: '9999' });
      const review = await reviewed();
      expect(short(review)).toEqual([['low unexpected acme/shop/web/deployer comments', 'leave alone', 'maria']]);
      expect([review.outcome, review.findings[0]?.at?.line]).toEqual(['drift', 9]);
      const rules = rulesOf(ignoring(NO_RULES, review.findings, { reason: 'known', owner: 'ann@acme.io' }));
      // It waits to be deployed all the same.
      expect((await reviewIn(world, kept, { text: FILE, rules })).outcome).toBe('not-deployed');
      expect(acceptedIn(FILE, review.findings)).toEqual({
        refused: [],
        text: FILE.replace('username: deployer\n', 'username: deployer\n          comments: leave alone\n'),
      });
      await revertedIn(revertingIn(world, FILE), review.findings);
      const { comments: left } = await world.admin.read('web/deployer');
      expect(left).toBe(dialect === 'classic' ? 'leave alone' : '');
    });

    test('of a component that came with the pack', async () => {
      await say('web/compute', 'leave alone', { size: 'XL' });
      expect(short(await reviewed())).toEqual([['medium undeclared acme/shop/web/compute', undefined, 'maria']]);
    });
  });
});

// The promise of a review for what nobody declares: each attribute of every record that comes with an environment, set there by another user, is
// found, named and attributed, and is no longer in the review once it was given back.
describe('unexpected laws', () => {
  /** Attributes that cannot be set alone, and why. */
  const NOT_ALONE: { readonly [path: string]: string } = {
    'Variable.comments': 'a variable is declared with a value',
  };

  const cases = rowsInTurn(
    kinds
      .flatMap(scopesOf)
      .filter(
        ({ stage, token, verbs, found }) => stage === 'environment' && token !== 'Environment' && verbs.base && found,
      )
      .map((of) => [titleOf(of), of] as const),
  );

  /** Declares what every case needs, and nothing of the environment but its clouds. */
  const FILE = `assembly: { name: shop, owner: team@acme.io }
variables: { sample: of the design }
platforms:
  web:
    pack: oneops/custom:1
    variables: { sample: of the design }
    components:
      user: { parent: { username: parent } }
      os:
        attachments: { sample: { path: /etc/motd, source: http://files.acme.io/motd } }
        monitors: { sample: { cmd: check } }
environments:
  prod:
    clouds: { east: { priority: 1 }, west: { priority: 1 } }
`;

  describe.each(cases)('%s %s', (dialect, _, of) => {
    const world = eachWorld(dialect);
    let address: Inputs;
    let kept: readonly Kept[];

    beforeEach(async () => {
      address = await world.prepare(of);
      world.nextRun();
      const environment = { assembly: address['assembly'], name: address['environment'] };
      const state = await world
        .life('Environment')
        .read(`acme/${String(environment.assembly)}/${String(environment.name)}`, environment, ROW);
      if (state === undefined) throw new Error('there is no environment');
      kept = [{ token: 'Environment', name: 'prod', ...state }];
      world.requests();
    });

    /** Another user's run. */
    const maria = (): Lifecycle => world.lifeOf(of);

    const reviewed = async (options: Partial<ReviewOptions> & { readonly text?: string } = {}): Promise<Review> => {
      world.nextRun();
      const review = await reviewIn(world, kept, options);
      expect([review.unread, world.writes()]).toEqual([[], []]);
      return review;
    };

    const unexpected = async (...options: Parameters<typeof reviewed>) => unexpectedIn(await reviewed(...options));

    /** Each attribute alone: its path, and arguments that declare it with a value it does not have. */
    const changes = async () => {
      const sample = { ...address, ...of.sample.create };
      const all = tamperings(of, sample, dialect).filter(({ path }) => !([of.token, ...path].join('.') in NOT_ALONE));
      const id = formatId(of, 'acme', addressOf(of, address));
      const found = [];
      for (const one of new Map(all.map((each) => [each.path.join('.'), each])).values()) {
        const [name = '', entry] = one.path;
        const at = (inputs: Inputs): unknown =>
          entry === undefined ? inputs[name] : (inputs[name] as Inputs | undefined)?.[entry];
        const only = (inputs: Inputs): Inputs => ({
          ...address,
          ...required(of, sample),
          [name]: entry === undefined ? at(inputs) : { [entry]: at(inputs) },
        });
        const before = (await maria().read(id, only(sample), ROW))?.inputs ?? {};
        const values = [sample, tampered(sample, [one])].find(
          (inputs) => JSON.stringify(at(inputs)) !== JSON.stringify(at(before)),
        );
        found.push({ path: one.path.join('.'), inputs: only(values ?? sample), id });
      }
      expect(found.length).toBeGreaterThan(0);
      return found;
    };

    test('each attribute that another user sets is found, named and attributed, and what is advised holds: accepted, recorded or reverted, it is no finding any more', async () => {
      expect(await unexpected({ text: FILE })).toEqual([]);
      for (const { path, inputs, id } of await changes()) {
        world.clock.advance(1000);
        const made = await maria().create(inputs, ROW);
        world.requests();
        const found = await unexpected({ text: FILE });
        expect(
          found.map(({ kind, address: where, attribute, author }) => [kind, where, attribute, author?.who]),
        ).toEqual([[of.token, id, path, made.outputs['updatedBy'] === '' ? '' : 'maria']]);
        expect(await unexpected()).toHaveLength(1);
        if (found[0]?.advice.accept !== undefined) {
          const { text, refused } = acceptedIn(FILE, found);
          expect([path, refused]).toEqual([path, []]);
          expect([path, await unexpected({ text })]).toEqual([path, []]);
        }
        const { text: recorded, refused: secret } = recordFindings(found, NO_RULES);
        expect([path, secret.length]).toEqual([path, found[0]?.live?.is === 'secret' ? 1 : 0]);
        if (secret.length === 0) expect(await unexpected({ text: FILE, rules: rulesOf(recorded) })).toEqual([]);
        const { refused } = await revertedIn(revertingIn(world, FILE), found);
        expect([path, refused]).toEqual([path, []]);
        world.requests();
        expect([path, await unexpected({ text: FILE })]).toEqual([path, []]);
      }
    });
  });

  test.each([
    ['EnvironmentAttachment', 'attachments/other', 'priority', 5, 'attachments: { other: { priority: 5 } }'],
    ['Monitor', 'monitors/other', 'enable', false, 'monitors: { other: { enable: false } }'],
  ])(
    '%s of a component that is not named like its template is accepted below it',
    (kind, inside, attribute, value, line) => {
      const text = FILE.replace(
        '{ parent: { username: parent } }',
        '{ parent: { username: parent, attachments: { other: { content: x } }, monitors: { other: { cmd: check } } } }',
      );
      const finding: DriftFinding = {
        id: '0123456789',
        classification: 'unexpected',
        severity: 'low',
        kind,
        address: `acme/shop/prod/web/components/parent/${inside}`,
        attribute,
        live: { is: 'value', value },
        advice: {},
      };
      const { text: accepted, refused } = acceptedIn(text, [finding]);
      expect(refused).toEqual([]);
      const written = accepted.replace(/:\n\s+/g, ': { ');
      expect(written).toContain(`components: { user: { parent: { ${line.replace(/ \}/g, '')}`);
    },
  );

  const required = (of: Kind, sample: Inputs): Inputs =>
    Object.fromEntries(
      Object.entries(of.fields).flatMap(([name, { required: isRequired }]) =>
        isRequired && sample[name] !== undefined ? [[name, sample[name]]] : [],
      ),
    );
});
