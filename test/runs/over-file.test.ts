// Values that another user sets or locks in an environment, over the design's: a run names them,
// and a refresh sets them back. Values below the environment are written again after a pull.
import fc from 'fast-check';
import { routes } from '../../api/contract';
import { ConnectionFailed } from '../../api/errors';
import { failing, through } from '../world/between';
import { eachDialect } from '../world/each-dialect';
import { eachStack, wrongIn } from '../world/each-stack';
import { handOf } from '../world/hand';
import { leftToDeploy } from '../world/left-to-deploy';
import { type EnvironmentSpec, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';

const PROD: EnvironmentSpec = { clouds: { east: { priority: 1 } } };

/** A stack with a value of each kind of record that an environment may have its own value of. */
const shop = (text: string, prod: EnvironmentSpec = PROD, secret = 'canary-a'): StackSpec => ({
  variables: { LEVEL: text, TOKEN: { encryptedValue: secret } },
  platforms: {
    web: {
      pack: 'tomcat',
      variables: { HOME: text },
      components: {
        tomcat: { attributes: { max_threads: text } },
        deployer: {
          type: 'user',
          attributes: { username: 'deployer' },
          attachments: { motd: { path: '/etc/motd', content: text } },
        },
      },
    },
  },
  environments: { prod },
});

type Attributes = { readonly [name: string]: string };

/** An edit that is deployed without a pull. */
const OURS: EnvironmentSpec = { ...PROD, description: 'ours' };
const DESCRIBED = shop('100', OURS);

const LOCK = 'manifest';

/** The owner of what is written at a place. */
const ownedBy = (owner: string, place: string, attributes: Attributes) => {
  const names = place.includes('$') ? ['secure', 'value', 'encrypted_value'] : Object.keys(attributes);
  return { owner: Object.fromEntries(names.map((name) => [name, owner])) };
};

/** What another user sets in the environment: the place, its attributes, and how a row names it. */
const SET = [
  ['prod:web/tomcat', { max_threads: '771' }, 'component web/tomcat (max_threads)'],
  ['prod:$LEVEL', { value: '771' }, 'variable $LEVEL (value)'],
  ['prod:web/$HOME', { value: '771' }, 'variable web/$HOME (value)'],
  ['prod:web/deployer/motd', { content: '771' }, 'attachment web/deployer/motd (content)'],
] as const;

eachDialect('%s', (test, world) => {
  const own = eachStack(world);

  /** Writes in the environment, with a lock or without one, and deploys it. */
  const setInProd = async (place: string, attributes: Attributes, owner = '', values = attributes): Promise<void> => {
    world.clock.advance(1000);
    await world.maria.set(place, values, ownedBy(owner, place, attributes));
    await world.maria.rollOut();
    world.clock.advance(1000);
  };
  const setThreads = (): Promise<void> => setInProd('prod:web/tomcat', { max_threads: '771' }, LOCK);

  const liveAt = async (place: string, name: string) => (await world.admin.read(place)).ciAttributes[name];

  const expectIdle = async (spec: StackSpec): Promise<void> => {
    const { steps, errors } = await own.up(spec, { refresh: true });
    expect({ steps, errors }).toEqual({ steps: [], errors: [] });
  };

  /** A run with a refresh has set everything back, and says so; the next one has nothing to do. */
  const setsBack = async (spec: StackSpec, ...named: readonly string[]): Promise<void> => {
    const notices = await own.said(spec, { refresh: true });
    for (const each of named) expect(notices).toContain(each);
    if (!notices.includes('encrypted_value')) expect(notices).not.toMatch(/brings along/);
    expect(await differences(world, spec)).toEqual([]);
    await expectIdle(spec);
    expect(await wrongIn(world, own.stack, spec)).toEqual([]);
  };

  test('values of several users over the file are named with each of them, and accepted one by one', async () => {
    await own.said(shop('100'));
    await setThreads();
    const pia = handOf(world.third, (milliseconds) => world.clock.advance(milliseconds));
    await pia.set('prod:web/tomcat', { protocol: 'HTTP/1.0' }, { owner: { max_threads: LOCK, protocol: LOCK } });
    await pia.rollOut();
    world.clock.advance(1000);
    const spec = shop('200');
    const tomcat = { attributes: { max_threads: '200', protocol: 'HTTP/1.1' } };
    const web = { ...spec.platforms?.['web'], components: { ...spec.platforms?.['web']?.components, tomcat } };
    const said = await own.said({ ...spec, platforms: { web } });
    expect(said).toMatch(/component web\/tomcat \(max_threads\) by maria, release \d+.*in place of/);
    expect(said).toMatch(/component web\/tomcat \(protocol\) by pia, release \d+.*in place of/);
  });

  test('what a refresh alone saw is set back by the next run', async () => {
    await own.said(shop('100'));
    await setThreads();
    expect(await own.said(shop('100'), { refresh: true, targets: [] })).not.toContain('set back');
    world.nextRun();
    expect(await own.said(shop('100'))).toContain('set back as the file declares: component web/tomcat (max_threads)');
    expect(await liveAt('prod:web/tomcat', 'max_threads')).toBe('100');
  });

  test('a question of the search that the service does not answer names the environment', async () => {
    await own.said(shop('100'));
    await setInProd('prod:web/tomcat', { max_threads: '771' }, LOCK);
    // An engine refreshes in any order.
    own.stack = new Map([...own.stack].reverse());
    const lost = new ConnectionFailed('cannot reach the service', undefined, { method: 'GET', path: '/' }, true);
    const deaf = { ...world, api: failing(world.api, routes.environmentReleases.list, lost) };
    expect(await own.refused(shop('100'), { refresh: true }, deaf)).toMatch(
      /^Environment::prod: cannot read environment acme\/shop\/prod: cannot reach the service/,
    );
  });

  test('what is committed between the search of a refresh and its deployment is set back by the next one', async () => {
    await own.said(shop('100'));
    await setThreads();
    let isTaken = false;
    const racing = through(world, (next) => async (route, input) => {
      const answer = await next(route, input);
      if (route.name !== routes.environmentPlatforms.updateComponent.name || isTaken) return answer;
      isTaken = true;
      await world.maria.set('prod:$LEVEL', { value: '771' }, ownedBy('', 'prod:$LEVEL', {}));
      await world.maria.commitEnvironment();
      return answer;
    });
    await own.said(shop('100'), { refresh: true }, racing);
    expect(await liveAt('prod:$LEVEL', 'value')).toBe('771');
    expect(await own.said(shop('100'), { refresh: true })).toContain('variable $LEVEL (value) by maria');
    expect(await liveAt('prod:$LEVEL', 'value')).toBe('100');
  });

  describe.each(SET)('%s', (place, attributes, words) => {
    const line = `${words} by maria, release `;

    test('locked, and changed in the file later: named, and a refresh sets it back', async () => {
      await own.fine(shop('100'));
      await setInProd(place, attributes, LOCK);
      // Names the change, as one of the environment.
      await own.up({ ...shop('100'), platforms: { ...shop('100').platforms, db: { pack: 'mysql' } } });
      const said = await own.said(shop('200'));
      expect(said).toContain(line);
      expect(said).toMatch(/in place of what this file declares/);
      await setsBack(shop('200'), `set back as the file declares: ${line}`);
    });

    test('locked and not deployed, before the run that changes it in the file: named once', async () => {
      await own.fine(shop('100'));
      world.clock.advance(1000);
      await world.maria.set(place, attributes, ownedBy(LOCK, place, attributes));
      await world.maria.commitEnvironment();
      const said = await own.said(shop('200'));
      expect(said.split(words.split(' (')[0] ?? '')).toHaveLength(2);
      expect(said).toMatch(/in place of what this file declares/);
      await setsBack(shop('200'), `set back as the file declares: ${line}`);
    });

    test.each([
      ['', shop('100')],
      [', and deployed by this stack without a pull', DESCRIBED],
    ])('not locked%s: a refresh sets it back', async (_, spec) => {
      await own.fine(shop('100'));
      await setInProd(place, attributes);
      if (spec === DESCRIBED) await own.said(spec);
      await setsBack(spec, `set back as the file declares: ${line}`);
    });
  });

  test('a secret that is locked: named when the file changes it, and set back', async () => {
    await own.fine(shop('100'));
    await setInProd('prod:$TOKEN', { encrypted_value: 'foreign' }, LOCK);
    await own.said(DESCRIBED);
    const changed = shop('100', OURS, 'canary-b');
    expect(await own.said(changed)).toMatch(/variable \$TOKEN \(encrypted_value\) by maria, .* in place of what/);
    await setsBack(changed, 'variable $TOKEN (encrypted_value) by maria');
  });

  test('a secret that is not locked is set back', async () => {
    await own.fine(shop('100'));
    await setInProd('prod:$TOKEN', { encrypted_value: 'foreign' });
    await setsBack(shop('100'), 'variable $TOKEN (encrypted_value) by maria');
  });

  const addWest = (): Promise<void> => world.maria.useClouds({ west: '2' });

  const WIDE: EnvironmentSpec = { clouds: { ...PROD.clouds, west: { priority: 2 } } };

  // A release that adds a cloud names the newest design release, too, and one that pulls may pull nothing new.
  test.each<readonly [string, () => Promise<void>, EnvironmentSpec]>([
    ['adds a cloud', addWest, WIDE],
    ['pulls the same design again', () => world.maria.pull(), PROD],
  ])('a secret that is not locked, in a release that %s, is set back; after other commits', async (_, act, prod) => {
    await own.fine(shop('100'));
    for (const value of ['771', '772']) {
      await setInProd('prod:web/tomcat', { max_threads: value });
      await act();
      await setInProd('prod:$TOKEN', { encrypted_value: 'foreign' });
      const said = await own.said(shop('100', prod), { refresh: true });
      expect(said).toMatch(/set back as the file declares: .*variable \$TOKEN \(encrypted_value\) by maria/);
      await setsBack(shop('100', prod));
    }
  });

  test('others: refuse stops a run that would deploy it', async () => {
    const spec = (text: string, deploy = {}): StackSpec =>
      shop(text, { ...PROD, deploy: { others: 'refuse', ...deploy } });
    await own.fine(spec('100'));
    await setThreads();
    const { errors } = await own.up(spec('200'));
    expect(errors.join()).toMatch(/component web\/tomcat \(max_threads\) by maria, .* in place of what/);
    const entry = /accept: \["([^"]*)"\]/.exec(errors.join())?.[1];
    expect(await own.said(spec('200', { accept: [entry] }))).toMatch(/component web\/tomcat \(max_threads\) by maria/);
  });

  test('what the file does not declare stays', async () => {
    const spec: StackSpec = { platforms: { web: { pack: 'tomcat' } }, environments: { prod: PROD } };
    await own.up(spec);
    await setThreads();
    await own.said(spec, { refresh: true });
    await expectIdle(spec);
    expect(await liveAt('prod:web/tomcat', 'max_threads')).toBe('771');
  });

  test('what the file declares below the environment stays', async () => {
    const laid: EnvironmentSpec = {
      ...PROD,
      variables: { LEVEL: '300' },
      overrides: { web: { components: { tomcat: { attributes: { max_threads: '300' } } } } },
    };
    await own.fine(shop('100', laid));
    await setInProd('prod:web/deployer', { description: 'by maria' }, LOCK);
    const foreign = [
      'prod/web/deployer description: by maria, wanted nothing',
      'prod/web/deployer locks: description, wanted nothing',
    ];
    for (const refresh of [false, true]) {
      await own.said(shop('200', laid), { refresh });
      expect(await differences(world, shop('200', laid))).toEqual(foreign);
    }
    await expectIdle(shop('200', laid));
  });

  test.each([1, 2, 3])(
    'a run that sets back is killed after %s writes, and the next one ends it',
    async (killAfter) => {
      await own.fine(shop('100'));
      await setThreads();
      await setInProd('prod:$LEVEL', { value: '771' });
      await own.said(DESCRIBED);
      const { killed, errors } = await own.up(DESCRIBED, { refresh: true, killAfter });
      expect({ killed, errors }).toEqual({ killed: true, errors: [] });
      world.clock.advance(60_000);
      await setsBack(DESCRIBED);
      const at = { assembly: 'shop', environment: 'prod' };
      expect(await leftToDeploy(world.api, at, () => world.clock.advance(5_000))).toEqual([]);
    },
  );

  test('a value of the environment that another user changed is set back to the declared one', async () => {
    await own.fine(shop('100', LAID));
    await setThreads();
    const described = shop('100', { ...LAID, description: 'ours' });
    await own.said(described);
    expect(await own.said(described, { refresh: true })).not.toMatch(/set back as the file declares/);
    await setsBack(described);
  });

  const LAID: EnvironmentSpec = {
    ...PROD,
    variables: { LEVEL: '300', TOKEN: { encryptedValue: 'canary-prod' } },
    overrides: {
      web: {
        variables: { HOME: '300' },
        components: {
          tomcat: { attributes: { max_threads: '300' } },
          deployer: { type: 'user', attachments: { motd: { content: '300' } } },
        },
      },
    },
  };

  test.each([...SET, ['prod:$TOKEN', { encrypted_value: '' }, 'variable $TOKEN (encrypted_value)'] as const])(
    '%s, declared below the environment and unlocked by another user: written again by the run that pulls',
    async (place, attributes) => {
      await own.fine(shop('100', LAID));
      await setInProd(place, attributes, '', {});
      const spec = shop('200', LAID, 'canary-b');
      const said = await own.said(spec);
      expect(said).toMatch(/the pull replaced .*: written again as declared/);
      // A secret that the deployment wrote is not known to its own row, which writes it once more.
      if ('encrypted_value' in attributes) await own.said(spec, { refresh: true });
      expect(await wrongIn(world, own.stack, spec)).toEqual([]);
      await expectIdle(spec);
    },
  );

  /** What may happen between two runs, and in the file. */
  const MOVE = fc.record({
    act: fc.constantFrom('set', 'set', 'lock', 'unlock', 'pull', 'edit', 'lay', 'up', 'up', 'refresh'),
    place: fc.constantFrom(...SET),
    isLocked: fc.boolean(),
    isDeployed: fc.boolean(),
  });

  type Move = typeof MOVE extends fc.Arbitrary<infer M> ? M : never;

  /** Plays moves, and answers where a law does not hold. */
  const played = async (moves: readonly Move[]): Promise<string[]> => {
    const broken: string[] = [];
    let [text, isLaid, said, unique] = [100, false, '', 770];
    const steps: string[] = [];
    const spec = (): StackSpec => shop(String(text), isLaid ? LAID : PROD);
    await own.fine(spec());
    for (const { act, place, isLocked, isDeployed } of [...moves, { ...moves[0]!, act: 'refresh' }]) {
      steps.push(`${act} ${place[0]} ${isLocked} ${isDeployed}`);
      const when = steps.join(', ');
      world.clock.advance(60_000);
      if (act === 'edit') text += 100;
      else if (act === 'lay') isLaid = !isLaid;
      else if (act === 'pull') {
        await world.maria.pull();
        await world.maria.commitEnvironment();
      } else if (act === 'up' || act === 'refresh') {
        const { errors, steps, notices: lines } = await own.up(spec(), { refresh: act === 'refresh' });
        said += lines.join('\n');
        // What the file declares for the first time, and somebody locked, has to be adopted.
        if (errors.join().includes('declare adopt: true')) return broken;
        const isJudged = act === 'refresh' || steps.some((step) => step.includes('Deployment'));
        for (const [at, attributes, words] of isJudged ? SET : []) {
          const there = (await world.admin.read(at)).ciAttributes[Object.keys(attributes)[0] ?? ''];
          const path = (words.split(' ')[1] ?? '').replace('deployer/', '');
          const isNamed = act === 'up' && (errors.length > 0 || said.replaceAll('deployer/', '').includes(path));
          if (there !== String(isLaid ? 300 : text) && !isNamed) broken.push(`${when}: ${at} has ${there}`);
        }
        if (act === 'refresh') {
          const again = await own.up(spec(), { refresh: true });
          const found = [...errors, ...again.errors, ...again.steps];
          if (found.length > 0) broken.push(`${when}: ${found.join()}`);
          said = '';
        }
      } else {
        const [at, attributes] = place;
        const owner = act === 'unlock' || (act === 'set' && !isLocked) ? '' : LOCK;
        unique += 1;
        const names = act === 'set' ? Object.keys(attributes) : [];
        const values = Object.fromEntries(names.map((name) => [name, String(unique)]));
        await world.maria.set(at, values, ownedBy(owner, at, attributes));
        await (isDeployed ? world.maria.rollOut() : world.maria.commitEnvironment());
      }
    }
    return broken;
  };

  const HISTORIES = Number(process.env['HISTORIES'] ?? 4);
  const SEED = Number(process.env['SEED'] ?? 20_261_127);

  test.each(
    fc
      .sample(fc.array(MOVE, { minLength: 3, maxLength: 8 }), { seed: SEED, numRuns: HISTORIES })
      .map((moves, index) => [index, moves] as const),
  )('history %s: after a refresh all is as the file says, and before it what is not was named', async (_, moves) => {
    expect(await played(moves)).toEqual([]);
  });
});
