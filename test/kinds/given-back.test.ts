// Every attribute of every class that a pack's templates make, and of every cloud service, declared
// and no longer declared: the run succeeds, the next one has nothing to do, and what has no value
// to go back to stays as it is.
import {
  attributeFault,
  type AttributeMetadata,
  classMetadata,
  type ClassMetadata,
  DIALECTS,
  routes,
  type Template,
  type WireRequest,
  type WireResponse,
} from '../../api/contract';
import { check, diff, type Inputs, type Kind, secretIn } from '../../provider';
import { dialectsInTurn, rowsInTurn, testInTurn } from '../dialects-in-turn';
import { type Declared, drift, emptyStack, preview, run, type Stack } from '../world/engine-simulation';
import { kindsInTurn, TITLED } from '../world/each-dialect';
import { closedAfterEach, eachWorld, kindOf, outlivesDelete, ROW, type World } from '../world/world';
import { importFile } from '../../provider/import';
import { kinds } from '../../provider/kinds';
import { lifecycle, type Lifecycle, type State } from '../../provider/lifecycle';
import { newSession, remembering } from '../../provider/session';
import { secretPathsIn } from '../../provider/secrets';
import { formatPropertyPath, isPlainObject, valueIn, withoutAt } from '../../provider/values';
import { type Api, createApi } from '../../api/client';
import { keptOf, reviewIn } from '../world/drift-world';
import { pluginFaces } from '../world/plugin-face';
import { tampered, type Tampering, tamperings } from '../world/tampering';
import { resourcesOf, type StackSpec } from '../world/stack-spec';

const open = closedAfterEach();

describe('given back', () => {
  const AT = { assembly: 'shop', platform: 'web' };

  /** Texts of which one fits any attribute of the catalogue. */
  const CANDIDATES = [
    ...['canary', '2', 'true', '10.0.0.1', 'a.acme.io', 'http://a.acme.io/', '/opt/a', '2G', '755', 'us-east-1a'],
    ...['["canary"]', '{"canary":"2"}', '["22 22 tcp 0.0.0.0/0"]', '["a.acme.io"]', '["80:http"]'],
    ...['["http 80 http 8080"]', '* * * * *', '{}', '[]'],
  ];

  /** Another value of an attribute than its default, where one is known; else the default. */
  function valueFor(attribute: AttributeMetadata): string {
    const fits = (text: string): boolean => attributeFault(attribute, text) === undefined;
    const others = CANDIDATES.filter((text) => text !== attribute.default);
    const found = others.find(fits) ?? attribute.default;
    if (!fits(found)) throw new Error(`no value for ${attribute.description}: ${attribute.pattern}`);
    return found;
  }

  /** A value for every attribute that a template's records have. */
  function everyAttribute({ ciClassName, ciAttributes }: Template): Inputs {
    const className = ciClassName ?? '';
    const attributes: ClassMetadata['attributes'] = classMetadata(className)?.attributes ?? {};
    const entries = Object.entries(attributes).filter(([name]) => name in ciAttributes);
    counts.classes.add(className);
    counts.attributes += entries.length;
    return Object.fromEntries(entries.map(([name, attribute]) => [name, valueFor(attribute)]));
  }

  const counts = { classes: new Set<string>(), attributes: 0, kept: 0 };

  afterAll(() => {
    process.stdout.write(
      `classes ${counts.classes.size}, attributes declared and removed ${counts.attributes}, rows that keep one ${counts.kept}\n`,
    );
    expect(counts.attributes).toBeGreaterThan(100);
  });

  /**
   * Declares records with attributes, takes the attributes back, and the records out. Each run
   * succeeds, and after each nothing is left to do.
   */
  async function declaredAndTakenBack(
    world: World,
    rest: readonly Declared[],
    whole: readonly Declared[],
    before: Stack,
  ): Promise<void> {
    const bare = whole.map(({ args: { attributes: _, ...args }, ...own }) => ({ ...own, args }));
    let stack = before;
    for (const declared of [whole, bare, whole, []]) {
      const all = [...rest, ...declared];
      const done = await run(world, stack, all);
      expect(done.errors).toEqual([]);
      stack = done.stack;
      if (declared === bare) counts.kept += done.notices.filter((notice) => /stays? as (it|they)/.test(notice)).length;
      expect(await preview(world, stack, all)).toMatchObject({ steps: [], errors: [] });
      expect(await drift(world, stack)).toEqual([]);
      expect((await run(world, stack, all, { refresh: true })).steps).toEqual([]);
    }
  }

  describe.each(DIALECTS)('%s', (dialect) => {
    const test = testInTurn(dialect);
    /** Templates that an earlier pack of this dialect has in the same form. */
    const seen = new Set<string>();
    const world = eachWorld(dialect);

    test.each(['apache', 'custom', 'customlb', 'java', 'mysql', 'nginx', 'postgresql', 'redisio', 'tomcat'])(
      'components of %s',
      async (pack) => {
        const rest: readonly Declared[] = [
          { key: 'Assembly::shop', token: 'Assembly', args: { name: 'shop', owner: 'team@acme.io' } },
          {
            key: 'Platform::web',
            token: 'Platform',
            args: { assembly: 'shop', name: 'web', source: 'oneops', pack, version: '1' },
            after: ['Assembly::shop'],
          },
        ];
        const { stack, errors } = await run(world, emptyStack, rest);
        expect(errors).toEqual([]);
        const types = await world.api.call(routes.platforms.componentTypes, { address: AT });
        const whole: Declared[] = [];
        for (const [type, { min }] of Object.entries(types)) {
          const query = { template_name: type };
          const template = await world.api.call(routes.components.template, { address: AT, query });
          const form = JSON.stringify([type, min, template.ciClassName, template.ciAttributes]);
          if (seen.has(form)) continue;
          seen.add(form);
          const name = min > 0 ? type : `own-${type}`;
          const args = { assembly: 'shop', platform: 'web', name, type, attributes: everyAttribute(template) };
          whole.push({ key: `Component::${name}`, token: 'Component', after: ['Platform::web'], args });
        }
        await declaredAndTakenBack(world, rest, whole, stack);
      },
    );

    test('services of a cloud', async () => {
      const rest: readonly Declared[] = [
        { key: 'Cloud::north', token: 'Cloud', args: { name: 'north', location: 'aws' } },
      ];
      const { stack } = await run(world, emptyStack, rest);
      const address = { cloud: 'north' };
      const offered = await world.api.call(routes.cloudServices.available, { address });
      const whole: Declared[] = [];
      // A cloud has one service of each type.
      for (const [record] of Object.values(offered)) {
        if (record === undefined) continue;
        const { ciName: service, ciId } = record;
        const query = { mgmtCiId: String(ciId) };
        const template = await world.api.call(routes.cloudServices.template, {
          address: { ...address, service },
          query,
        });
        const args = { cloud: 'north', name: service, attributes: everyAttribute(template) };
        whole.push({ key: `CloudService::${service}`, token: 'CloudService', after: ['Cloud::north'], args });
      }
      await declaredAndTakenBack(world, rest, whole, stack);
    });
  });
});

// What a stack declares of a record, of every kind, is what `import-file --declared` takes over:
// the next preview has nothing to change. A secret that the stack does not declare is left out.

describe('import files', () => {
  test.each(kindsInTurn())('%s %s', async (dialect, _, of) => {
    const world = open(dialect);
    const { inputs, made } = await world.makeSample(of);
    const shares = [inputs, secretPathsIn(of, inputs).reduce(withoutAt, inputs)];
    // Such as a cloud that an administrator owns: nothing of it but its name is declared.
    if ('existing' in of.fields) shares.push({ name: inputs['name'], existing: true });
    for (const declared of shares) {
      const session = world.freshSession();
      const reading = remembering(world.api, session.answers);
      const life = (kind: Kind) => lifecycle(kind, () => Promise.resolve(reading), session, true);
      const { resources, leftOut } = await importFile([{ of, id: made.id, name: 'sample', declared }], life);
      expect(leftOut).toEqual([]);
      const { inputs: taken = {}, outputs = {} } = resources[0] ?? {};
      expect(outputs).toMatchObject(taken);
      const differing = diff(of, opened(taken), declared).map(({ path }) => [of.token, ...path].join('.'));
      expect(differing.filter((path) => !(path in SETTLED))).toEqual([]);
    }
  });
  const EMPTIED = [
    ['Environment', { subdomain: '' }],
    ['Component', { attributes: { username: 'deployer', login_shell: '' } }],
  ] as const;
  test.each(rowsInTurn(EMPTIED))('%s %s: a text that is empty, and not by default, is imported', async (...row) => {
    const [dialect, token, emptied] = row;
    const world = open(dialect);
    const { made } = await world.makeSample(kindOf(token), { ...kindOf(token).sample.create, ...emptied });
    const read = await world.life(token).read(made.id, undefined, ROW);
    expect(read?.outputs).toMatchObject(emptied);
  });
});

/** What follows from everything else that is taken over, which here is nothing. */
const SETTLED: { readonly [path: string]: string } = {
  'DesignRelease.stamps': 'the records of the design',
  'Environment.designRelease': 'the release of the design',
  'Deployment.stamps': 'the records of the environment',
};

const opened = (values: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name !== '__provider')
      .map(([name, value]) => {
        const secret = secretIn(value);
        if (typeof secret === 'object') return [name, secret.value];
        return [name, isPlainObject(value) ? opened(value) : value];
      }),
  );

// A refresh never takes trouble for absence: whatever is in place of any one answer, or of all of
// them, a read fails or shows the truth. Gone is what answers 404 below an ancestor that can be
// read, up to the organization.
describe('refresh trouble', () => {
  /** What comes in place of an answer. */
  type Trouble = (answer: WireResponse, request: WireRequest) => WireResponse | Promise<WireResponse>;

  const json = (status: number, body: unknown): WireResponse => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const html = (status: number, headers: { readonly [name: string]: string } = {}): WireResponse => ({
    status,
    headers: { 'content-type': 'text/html', ...headers },
    body: '<html><title>Gateway</title></html>',
  });

  /** Lists lose their last entry, at any depth. */
  const shorter = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, -1).map(shorter);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorter(inner)]));
  };

  const TROUBLES: { readonly [name: string]: Trouble } = {
    '401': () => json(401, { error: 'no such token' }),
    '403': () => json(403, { error: 'not allowed' }),
    '429': () => json(429, { error: 'too many' }),
    '500': () => json(500, { error: 'broken' }),
    '502 with a page': () => html(502),
    '404 with a page': () => html(404),
    'a page': () => html(200),
    'a redirect': () => html(302, { location: 'https://login.acme.io/' }),
    'a redirect to the sign-in page': () => html(302, { location: '/users/sign_in' }),
    'a redirect to the page for what is not there': () => html(302, { location: '/not_found_error' }),
    'no answer': () => Promise.reject(new Error('socket hang up')),
    'nothing in the answer': (answer) => ({ ...answer, body: '' }),
    'half an answer': (answer) => ({ ...answer, body: answer.body.slice(0, answer.body.length / 2) }),
    'an empty list': () => json(200, []),
    null: () => json(200, null),
    'another shape': () => json(200, { message: 'welcome' }),
    'a list of another shape': () => json(200, [{ message: 'welcome' }]),
  };

  /** Trouble that looks like content: a record must not count as deleted because of it. */
  const SHORTENED: Trouble = (answer) => ({ ...answer, body: JSON.stringify(shorter(JSON.parse(answer.body))) });

  /** Kinds that need something to run, which keeps the service from deleting the assembly. */
  const DEPLOYED = ['Deployment', 'Procedure', 'InstanceReplacement'];

  // Each kind is read by lists in one dialect and by single reads in the other, by turns.
  const cases = rowsInTurn(
    kinds.flatMap((of, index) =>
      [index % 2 === 0, index % 2 !== 0].map(
        (cached) => [of.token, cached ? 'lists' : 'single reads', of, cached] as const,
      ),
    ),
  );

  describe.each(cases)('%s %s by %s', (dialect, token, _, of, cached) => {
    const world = eachWorld(dialect);
    let made: State;

    beforeEach(async () => {
      ({ made } = await world.makeSample(of));
      world.nextRun();
    });

    /** A refresh in a separate run, with trouble at one of its requests or at all of them. */
    const refreshed = async (trouble: Trouble | undefined, at: number | 'all') => {
      const paths: string[] = [];
      const send = async (request: WireRequest): Promise<WireResponse> => {
        if (!paths.includes(request.path)) paths.push(request.path);
        const answer = await world.service.handle(request);
        const struck = at === 'all' || paths.indexOf(request.path) === at;
        return trouble !== undefined && struck ? trouble(answer, request) : answer;
      };
      const options = { url: 'http://127.0.0.1', organization: 'acme', token: 'admin-token', dialect, send };
      const api: Api = createApi({ ...options, attempts: 2, pause: () => Promise.resolve() });
      const life = lifecycle(of, () => Promise.resolve(api), { ...newSession(kinds), readCache: cached });
      const outcome = await life.read(made.id, made.outputs, ROW).then(
        (state): Inputs | 'gone' => state?.inputs ?? 'gone',
        (error: Error) => error,
      );
      return { outcome, requests: paths.length };
    };

    const expectTruth = async (): Promise<Inputs | 'gone'> => {
      const { outcome: truth, requests } = await refreshed(undefined, 'all');
      if (truth instanceof Error) throw truth;
      for (const [name, trouble] of Object.entries(TROUBLES)) {
        for (const at of [...Array(requests).keys(), 'all' as const]) {
          const { outcome } = await refreshed(trouble, at);
          if (!(outcome instanceof Error)) expect({ name, at, outcome }).toEqual({ name, at, outcome: truth });
          else if (at === 'all') expect(outcome.message).toMatch(/^cannot read/);
          else expect(outcome.message).not.toBe('');
        }
      }
      return truth;
    };

    test('existing, it is found or the read fails, and fails with trouble everywhere', async () => {
      expect(await expectTruth()).toEqual(made.inputs);
      const { requests } = await refreshed(undefined, 'all');
      for (const at of [...Array(requests).keys(), 'all' as const])
        expect({ at, outcome: (await refreshed(SHORTENED, at)).outcome }).not.toEqual({ at, outcome: 'gone' });
      for (const trouble of [...Object.values(TROUBLES), () => json(404, { error: 'not found' })])
        expect((await refreshed(trouble, 'all')).outcome).toBeInstanceOf(Error);
    });

    test('deleted by somebody, it no longer exists or the read fails', async () => {
      if (outlivesDelete(of)) return;
      await world.life(token).delete(made.id, made.outputs, ROW);
      expect(await expectTruth()).toBe('gone');
    });

    test('with its whole assembly deleted by somebody, it no longer exists or the read fails', async () => {
      if (!of.path.includes('{assembly}')) return;
      if (DEPLOYED.includes(token)) await world.life('Deployment').delete('acme/shop/prod', { origin: 'created' }, ROW);
      await world.other.call(routes.assemblies.delete, {
        address: { assembly: token === 'Assembly' ? 'sample' : 'shop' },
      });
      expect(await expectTruth()).toBe('gone');
    });
  });
});

// What a run ignores: for every kind, and at every depth, an ignored path keeps the value that
// another user gave it, and stops no edit of anything else. Through both faces: `make test` plays
// each kind in one dialect through one face, `make verify` in the other through both, and `make
// soak-stories` all. No answer of the plugin has a secret in clear.
describe('ignored', () => {
  const FACES = ['dynamic', 'plugin'] as const;

  const isWritable = (of: Kind): boolean => of.verbs.isAction !== true && tamperings(of, of.sample.create).length > 0;

  const cases = kindsInTurn(isWritable).flatMap(([dialect, title, of], turn) => {
    const first = (turn >> 1) % FACES.length;
    const faces = process.env['DIALECTS'] === undefined ? FACES.slice(first, first + 1) : FACES;
    return faces.map((face) => [dialect, face, title, of] as const);
  });

  const plugin = pluginFaces(/s3cret|k3y-|canary/);
  afterAll(() => expect(plugin.leaks).toEqual([]));

  /** What is declared, with another value of an attribute that is not the tampered one, if any. */
  function edited(of: Kind, inputs: Inputs, { path: [argument = '', entry] }: Tampering): Inputs {
    const update = of.sample.update ?? {};
    for (const [name, value] of Object.entries(update)) {
      if (of.fields[name]?.channel === 'control' || name === 'comments') continue;
      if (name !== argument) return { ...inputs, [name]: value };
      if (entry === undefined) continue;
      const [other] = Object.entries(value as Inputs).filter(
        ([each, text]) => each !== entry && JSON.stringify(text) !== JSON.stringify((inputs[name] as Inputs)[each]),
      );
      if (other) return { ...inputs, [name]: { ...(inputs[name] as Inputs), [other[0]]: other[1] } };
    }
    return inputs;
  }

  test.each(cases)('%s %s %s', async (dialect, face, _, of) => {
    const inner = open(dialect);
    const world: World = face === 'plugin' ? { ...inner, faceOf: plugin.faceOf } : inner;
    const address = await world.prepare(of);
    const inputs: Inputs = { ...address, ...of.sample.create };
    const key = `${of.token}::sample`;
    let stack: Stack = emptyStack;
    const up = async (args: Inputs, ignored: readonly string[], options = {}): Promise<readonly string[]> => {
      const declared: Declared = { key, token: of.token, args, ignoreChanges: ignored };
      const result = await run(world, stack, [declared], options);
      ({ stack } = result);
      return result.errors;
    };
    const record = (): { readonly id: string; readonly outputs: Inputs } => stack.get(key) as never;
    const maria = async (news: Inputs): Promise<void> => {
      world.clock.advance(1000);
      const { __provider: _, ...known } = record().outputs;
      await world.lifeOf(of).update(record().id, known, { ...news, overwrite: true }, ROW);
    };
    const there = async (): Promise<Inputs> => {
      // Comments that our last write could not store read as declared: another user wrote last.
      const { __provider: _, ...known } = record().outputs;
      world.nextRun();
      return (await world.life(of.token).read(record().id, { ...known, revision: 'another' }, ROW))?.inputs ?? {};
    };
    const insisting = of.fields['overwrite'] ? { overwrite: true } : {};
    expect(await up(inputs, [])).toEqual([]);
    const writable = tamperings(of, inputs, dialect).filter((one) => check(of, tampered(inputs, [one])).length === 0);
    for (const one of writable) {
      const path = [...one.path, ...one.within];
      const named = formatPropertyPath(path);
      for (const ignored of new Set([named, formatPropertyPath(one.path)])) {
        const other = tampered(inputs, [one]);
        await maria(other);
        const seen = valueIn(await there(), path);
        const edit = edited(of, inputs, one);
        expect([ignored, await up(edit, [ignored])]).toEqual([ignored, []]);
        expect([ignored, valueIn(await there(), path)]).toEqual([ignored, seen]);
        // The state now has her value, and she takes it back: no refresh must write over that.
        expect([ignored, await up(edit, [ignored], { refresh: true })]).toEqual([ignored, []]);
        await maria(edit);
        const back = valueIn(await there(), path);
        expect([ignored, await up({ ...inputs, ...insisting }, [ignored])]).toEqual([ignored, []]);
        expect([ignored, valueIn(await there(), path)]).toEqual([ignored, back]);
        expect([ignored, await up(inputs, [], { refresh: true })]).toEqual([ignored, []]);
      }
    }
  });
});

// Comments of platforms, components, attachments and variables: declared, read and written in both
// dialects, reported where a service does not store them alone, and never touched where they are
// not declared (service-facts §2.1.3, §13).
describe('comments', () => {
  const commented = TITLED.filter(([, { fields, stage }]) => 'comments' in fields && stage !== 'none');

  test('the design and what is set in an environment have them: ten places', () => {
    expect(commented).toHaveLength(10);
  });

  const without = ({ comments: _, ...inputs }: Inputs): Inputs => inputs;

  // What a service stores of a comment differs by dialect.
  const cases = DIALECTS.flatMap((dialect) => commented.map(([title, of]) => [dialect, title, of] as const));

  describe.each(cases)('%s %s', (dialect, _, of) => {
    const storesAlone = dialect === 'documented';
    const change = of.sample.update as Inputs;
    const world = eachWorld(dialect);
    let inputs: Inputs;
    let made: State;

    /** Our stack in its next run, some time later. */
    const life = (): Lifecycle => {
      world.nextRun();
      world.clock.advance(1000);
      world.notices.length = 0;
      return world.life(of.token);
    };
    const update = async (known: Inputs, news: Inputs): Promise<void> => {
      made = await life().update(made.id, known, news, ROW);
    };
    const read = async (known?: Inputs): Promise<State> => {
      const state = await life().read(made.id, known, ROW);
      if (state === undefined) throw new Error(`${made.id} is gone`);
      return state;
    };
    /** What the service has, whatever a state says. */
    const stored = async (): Promise<unknown> => (await read()).inputs['comments'];

    beforeEach(async () => {
      inputs = { ...(await world.prepare(of)), ...of.sample.create };
      made = await life().create(inputs, ROW);
    });

    test('written with the record, and with another change of it', async () => {
      expect([await stored(), world.notices]).toEqual(['made first', []]);
      await update(made.outputs, { ...inputs, ...change });
      expect(world.notices).toEqual([]);
      expect(await stored()).toBe(change['comments']);
    });

    test('a change of comments alone: stored, or reported before and after it, and no drift', async () => {
      const news = { ...inputs, comments: 'said again' };
      const run = life();
      const { warning } = await run.diff(made.id, made.outputs, run.check(news).inputs);
      expect(warning ?? '').toMatch(storesAlone ? /^$/ : /^its comments will stay as they are: this service stores/);
      await update(made.outputs, news);
      expect(world.notices.join()).toMatch(storesAlone ? /^$/ : /^its comments stay as they are/);
      expect(await stored()).toBe(storesAlone ? 'said again' : 'made first');
      const refreshed = await read(made.outputs);
      expect(refreshed.inputs['comments']).toBe('said again');
      expect(refreshed.outputs['revision']).toBe(made.outputs['revision']);
      // Changed again, they are no change of another user.
      await update(refreshed.outputs, { ...inputs, comments: 'said once more' });
      await update(made.outputs, news);
      // The next change writes them, too.
      await update(made.outputs, { ...inputs, ...change, comments: 'said again' });
      expect([await stored(), world.notices]).toEqual(['said again', []]);
    });

    test('declared no more and nothing else, they are emptied, or it is reported that they stay', async () => {
      await update(made.outputs, without(inputs));
      const noticed = world.notices.join();
      expect(await stored()).toBe(storesAlone ? undefined : 'made first');
      const stays = 'its comments stay as they are: this service stores comments only together with another change';
      expect(noticed).toBe(storesAlone ? '' : `${stays} of the record`);
    });

    test('declared no more, they are emptied with the next change', async () => {
      await update(made.outputs, without({ ...inputs, ...change }));
      expect(await stored()).toBeUndefined();
    });
  });

  const SHOP: StackSpec = {
    platforms: { web: { pack: 'tomcat', components: { compute: { attachments: { motd: { path: '/etc/motd' } } } } } },
    environments: { prod: { clouds: { east: { priority: 1 } } } },
  };
  const OVERRIDDEN: StackSpec = {
    ...SHOP,
    environments: {
      prod: {
        ...SHOP.environments?.['prod'],
        switches: { web: { autorepair: false, comments: 'of prod' } },
        overrides: {
          web: {
            components: {
              tomcat: { attributes: { max_threads: 300 }, comments: 'of prod' },
              compute: { attachments: { motd: { path: '/etc/motd-prod', comments: 'of prod' } } },
            },
          },
        },
      },
    },
  };

  test.each(dialectsInTurn(0))(
    'comments in an environment go with the record that declared them, before the deployment: %s',
    async (dialect) => {
      const world = open(dialect);
      const at = { assembly: 'shop', environment: 'prod', platform: 'web' };
      const there = async (): Promise<readonly unknown[]> => {
        const platform = await world.api.call(routes.environmentPlatforms.read, { address: at });
        const tomcat = await world.api.call(routes.environmentPlatforms.component, {
          address: { ...at, component: 'tomcat' },
        });
        const [motd] = await world.api.call(routes.environmentAttachments.list, {
          address: { ...at, component: 'compute' },
        });
        return [platform, tomcat, motd].map((record) => record?.comments || '');
      };
      const made = await run(world, emptyStack, resourcesOf(OVERRIDDEN));
      expect([made.errors, await there()]).toEqual([[], ['of prod', 'of prod', 'of prod']]);
      const left = await run(world, made.stack, resourcesOf(SHOP));
      expect([left.errors, await there()]).toEqual([[], ['', '', '']]);
    },
  );

  test.each(['tags["a.b/c"]', 'tags'])('a review shows nothing that the file says otherwise at %s', async (path) => {
    const world = open('classic');
    const args = { name: 'shop', owner: 'team@acme.io', tags: { 'a.b/c': 'one' } };
    const { stack } = await run(world, emptyStack, [{ key: 'Assembly::shop', token: 'Assembly', args }]);
    const reviewed = async (ignored: string): Promise<number> => {
      const text = `assembly: { name: shop, owner: team@acme.io, tags: { a.b/c: two }, pulumi: { ignoreChanges: ['${ignored}'] } }\n`;
      const { findings } = await reviewIn(world, keptOf(stack), { text });
      return findings.filter(({ attribute }) => attribute?.startsWith('tags')).length;
    };
    expect([await reviewed(path), await reviewed('description')]).toEqual([0, 1]);
  });
});
