// What programs register: names, edges, members, secrets. Against a recording engine.
import timers from 'node:timers/promises';
import { all, type Input, output, type Output, secret, unsecret } from '@pulumi/pulumi/output';
import { ComponentResource, type CustomResourceOptions, type ResourceTransformation } from '@pulumi/pulumi/resource';
import { setMocks } from '@pulumi/pulumi/runtime/mocks';
import { setMockOptions } from '@pulumi/pulumi/runtime/settings';
import { specialSecretSig, specialSigKey } from '@pulumi/pulumi/runtime/rpc';
import { type JavaScriptValue, Struct } from 'google-protobuf/google/protobuf/struct_pb';
import { IGNORED, KEPT, OPTIONS } from '../provider';
import { kinds } from '../provider/kinds';
import { recorded, type Registered } from '../test/recording-monitor';
import * as sdk from '.';
import { readStateRecords, recordsBelow } from './state-records';

const find = (all: readonly Registered[], key: string): Registered => {
  const found = all.find((registered) => registered.key === key);
  if (!found) throw new Error(`${key} is not among ${all.map((registered) => registered.key).join(', ')}`);
  return found;
};

const BOTH = { east: { priority: 1 }, west: { priority: 2 } };
/** The pack of a platform. */
const TOMCAT = { source: 'oneops', pack: 'tomcat', version: '1' };

/** Options that a transformation gives. */
const transforming = (options: CustomResourceOptions): CustomResourceOptions => ({
  transformations: [({ props, opts }) => ({ props, opts: { ...opts, ...options } })],
});

/** How a program gives options. */
const WAYS: readonly (readonly [string, (options: CustomResourceOptions) => CustomResourceOptions])[] = [
  ['by itself', (options) => options],
  ['by a transformation', transforming],
];

describe('registration', () => {
  let stamp = 0;
  /** Every resource answers its own revision; pack-born is what says so in its name. */
  const written = ({ key }: Registered) => ({
    revision: String(++stamp),
    origin: key.includes('compute') ? 'pack' : 'created',
    ciId: stamp,
  });

  beforeEach(() => {
    stamp = 0;
  });

  function design() {
    const shop = new sdk.Assembly('shop', { owner: 'team@acme.io' });
    const web = new sdk.Platform('web', { assembly: shop, ...TOMCAT });
    const compute = new sdk.Component('compute', { platform: web, type: 'compute' });
    const motd = new sdk.Attachment('motd', { component: compute, content: 'hello', basicAuthPassword: 's3cret' });
    return { shop, web, compute, motd };
  }

  test('every kind has a class, and it registers the type and provider text of its kind', async () => {
    const all = await recorded(() => {
      for (const { token } of kinds) sdk.declareResource(token, `a-${token}`, {});
      expect(Object.keys(sdk)).toEqual(expect.arrayContaining(kinds.map(({ token }) => token)));
    });
    for (const { token } of kinds) {
      const { type, inputs } = find(all, `${token}::a-${token}`);
      expect(type).toBe(`pulumi-nodejs:dynamic/oneops:${token}`);
      expect(inputs['__provider']).toBe(`exports.handler = () => require("pulumi-oneops/dynamic").${token};`);
    }
  });

  describe('a program', () => {
    /** Records of every sort, given by objects, by names, and by outputs; of another stack, too. */
    const program = (): void => {
      new sdk.Platform('early', { assembly: 'other', ...TOMCAT });
      const { shop, web, compute } = design();
      new sdk.Platform('words', { assembly: 'shop', ...TOMCAT, links: ['web'] });
      new sdk.Platform('app', { assembly: shop.name, ...TOMCAT, links: [web, 'elsewhere'] });
      new sdk.Component('outputs', { assembly: shop.name, platform: 'web', name: 'user', type: 'user' });
      const prod = new sdk.Environment('prod', {
        assembly: shop,
        clouds: { north: { priority: 1 }, east: { priority: 2 } },
      });
      const cloud = new sdk.Cloud('north', { location: 'aws' });
      new sdk.CloudService('ebs', { cloud });
      new sdk.CloudService('by-name', { cloud: 'east', name: 's3' });
      new sdk.Cloud('south', { location: 'aws' });
      new sdk.CloudService('nova', { cloud: 'south' });
      new sdk.Variable('LEVEL', { assembly: shop, value: 'info' });
      new sdk.Variable('web/HEAP', { platform: web, name: 'HEAP', encryptedValue: 's3cret' });
      new sdk.Variable('prod/LEVEL', { environment: prod, name: 'LEVEL', value: 'warn' });
      new sdk.Variable('prod/web/LEVEL', { platform: web, environment: prod, name: 'LEVEL', value: 'warn' });
      new sdk.CloudConfiguration('east', { environment: prod, platform: web, cloud: 'east', pctScale: 50 });
      const on = { environment: prod, platform: web, component: compute };
      new sdk.Procedure('restart', { ...on, action: 'reboot' });
      new sdk.Relay('ops', { environment: prod, emails: ['ops@acme.io'] });
      new sdk.Monitor('load', { component: compute, cmd: 'check' });
      new sdk.InstanceReplacement('image', { ...on, triggers: { image: '1' } });
      new sdk.Deployment('prod', { environment: prod });
      new sdk.Deployment('dev', { environment: new sdk.Environment('dev', { assembly: shop }) });
      const other = new sdk.Assembly('other');
      new sdk.Platform('late', { assembly: other.name, ...TOMCAT });
      new sdk.Environment('prod-of-other', { assembly: 'other', name: 'prod' });
      new sdk.Environment('elsewhere', { assembly: 'elsewhere' });
      const theirs = new sdk.Assembly('theirs', { existing: true });
      const front = new sdk.Platform('front', { assembly: theirs, existing: true, ...TOMCAT });
      new sdk.Component('ours', { platform: front, type: 'user' });
      new sdk.Component('within', { platform: new sdk.Platform('own', { assembly: theirs, ...TOMCAT }), type: 'user' });
    };

    const PLACES = ['assembly', 'environment', 'platform', 'component', 'cloud', 'name'];
    /** Its address, what it is in and deleted with, the resource of each argument, and what else it comes after. */
    const shown = ({ key, inputs, parent, deletedWith, edges, dependencies }: Registered): string => {
      const ofArguments = new Set(Object.values(edges).flat());
      const after = dependencies.filter((each) => !ofArguments.has(each));
      return [
        `${key} = ${PLACES.flatMap((place) => (place in inputs ? String(inputs[place]) : [])).join('/')}`,
        ...(parent === '' ? [] : [`in ${parent}`]),
        ...(deletedWith === '' ? [] : [`with ${deletedWith}`]),
        ...Object.entries(edges).map(([argument, keys]) => `${argument}: ${keys.join(' ')}`),
        ...(after.length === 0 ? [] : [`after ${after.join(' ')}`]),
      ].join(' | ');
    };

    // A pack-born component's delete gives it back and deletes nothing else: its attachment goes with the platform.
    const SHOWN = `
Assembly::other = other
Assembly::shop = shop
Assembly::theirs = theirs
Attachment::motd = shop/web/compute/motd | in Component::compute | with Platform::web | component: Component::compute
Cloud::north = north
Cloud::south = south
CloudConfiguration::east = shop/prod/web/east | in Environment::prod | with Environment::prod | environment: Environment::prod | platform: Platform::web
CloudService::by-name = east/s3
CloudService::ebs = north/ebs | in Cloud::north | cloud: Cloud::north
CloudService::nova = south/nova | after Cloud::south
Component::compute = shop/web/compute | in Platform::web | with Platform::web | platform: Platform::web
Component::ours = theirs/front/ours | in Platform::front | platform: Platform::front
Component::outputs = shop/web/user | assembly: Assembly::shop
Component::within = theirs/own/within | in Platform::own | with Platform::own | platform: Platform::own
Deployment::dev = shop/dev | in Environment::dev | __stamps: Environment::dev | environment: Environment::dev
Deployment::prod = shop/prod | in Environment::prod | __stamps: CloudConfiguration::east Environment::prod InstanceReplacement::image Variable::prod/LEVEL Variable::prod/web/LEVEL | environment: Environment::prod
DesignRelease::other = other | in Assembly::other | __stamps: Platform::early Platform::late | assembly: Assembly::other
DesignRelease::shop = shop | in Assembly::shop | __stamps: Attachment::motd Component::compute Component::outputs Monitor::load Platform::app Platform::web Platform::words Variable::LEVEL Variable::web/HEAP | assembly: Assembly::shop
DesignRelease::theirs = theirs | in Assembly::theirs | __stamps: Component::ours Component::within Platform::own | assembly: Assembly::theirs
Environment::dev = shop/dev | in Assembly::shop | __designRelease: DesignRelease::shop | assembly: Assembly::shop
Environment::elsewhere = elsewhere/elsewhere
Environment::prod = shop/prod | in Assembly::shop | __designRelease: DesignRelease::shop | assembly: Assembly::shop | after Cloud::north CloudService::by-name CloudService::ebs
Environment::prod-of-other = other/prod | __designRelease: DesignRelease::other | after Assembly::other
InstanceReplacement::image = shop/prod/web/compute/image | in Environment::prod | with Environment::prod | component: Component::compute | environment: Environment::prod | platform: Platform::web
Monitor::load = shop/web/compute/load | in Component::compute | with Platform::web | component: Component::compute
Platform::app = shop/app | assembly: Assembly::shop | links: Platform::web
Platform::early = other/early
Platform::front = theirs/front | in Assembly::theirs | assembly: Assembly::theirs
Platform::late = other/late | assembly: Assembly::other
Platform::own = theirs/own | in Assembly::theirs | assembly: Assembly::theirs
Platform::web = shop/web | in Assembly::shop | with Assembly::shop | assembly: Assembly::shop
Platform::words = shop/words | after Assembly::shop Platform::web
Procedure::restart = shop/prod/web/compute/restart | in Environment::prod | with Environment::prod | component: Component::compute | environment: Environment::prod | platform: Platform::web | after Deployment::prod
Relay::ops = shop/prod/ops | in Environment::prod | with Environment::prod | environment: Environment::prod
Variable::LEVEL = shop/LEVEL | in Assembly::shop | with Assembly::shop | assembly: Assembly::shop
Variable::prod/LEVEL = shop/prod/LEVEL | in Environment::prod | with Environment::prod | environment: Environment::prod
Variable::prod/web/LEVEL = shop/prod/web/LEVEL | in Environment::prod | with Environment::prod | environment: Environment::prod | platform: Platform::web
Variable::web/HEAP = shop/web/HEAP | in Platform::web | with Platform::web | platform: Platform::web
`;

    test('registers each record at its address, with an edge to the nearest of what it is in, after all that it needs', async () => {
      const all = await recorded(program, ({ key }) => ({
        revision: `r-${key}`,
        origin: key.includes('compute') ? 'pack' : 'created',
      }));
      expect(all.map(shown).sort()).toEqual(SHOWN.trim().split('\n'));
      const stamped = all.filter(({ edges }) => edges['__stamps'] !== undefined);
      for (const { inputs, edges } of stamped)
        expect(inputs['__stamps']).toBe(edges['__stamps']?.map((each) => `r-${each}`).join(' '));
      expect(find(all, 'Platform::app').inputs['links']).toEqual(['web', 'elsewhere']);
      expect(find(all, 'Deployment::prod').inputs['__clouds']).toEqual(['north', 'east']);
      expect(find(all, 'Environment::elsewhere').inputs).not.toHaveProperty('__designRelease');
    });
  });

  test('a parent that contradicts a name, or is no such parent, is an error', async () => {
    const contradiction = recorded(() => {
      const { web } = design();
      new sdk.Component('user', { platform: web, assembly: 'other', type: 'user' });
    });
    await expect(contradiction).rejects.toThrow('Component "user": assembly is "other", but its parent is in "shop"');
    const stranger = recorded(() => {
      const { shop } = design();
      new sdk.Component('user', { platform: shop as unknown as sdk.Platform, type: 'user' });
    });
    await expect(stranger).rejects.toThrow(
      'Component "user": platform is a resource, but not a Platform of this program',
    );
  });

  test.each(WAYS)('the option import is refused with the command that takes the record over: %s', async (_, giving) => {
    const declare = (): unknown => new sdk.Assembly('shop', {}, giving({ import: 'acme/shop' }));
    await expect(recorded(declare)).rejects.toThrow(
      /Assembly "shop": the option import does not work[^]*pulumi-oneops import-file Assembly:ADDRESS=shop/,
    );
  });

  test('secret arguments are secret on their way in, and as outputs', async () => {
    const all = await recorded(design);
    expect(find(all, 'Attachment::motd').inputs['basicAuthPassword']).toEqual({ secret: 's3cret' });
    expect(find(all, 'Attachment::motd').secretOutputs).toEqual(['basicAuthPassword']);
    const twice = await recorded(() => {
      const { compute, web } = design();
      new sdk.Variable('HEAP', { platform: web, encryptedValue: 's3cret' });
      new sdk.Attachment('once', { component: compute, basicAuthPassword: secret('x') });
      new sdk.Attachment('never', { component: compute });
    });
    expect(find(twice, 'Attachment::once').inputs['basicAuthPassword']).toEqual({ secret: 'x' });
    expect(find(twice, 'Variable::HEAP')).toMatchObject({
      inputs: { encryptedValue: { secret: 's3cret' } },
      secretOutputs: ['encryptedValue'],
    });
    expect(find(twice, 'Attachment::never').inputs).not.toHaveProperty('basicAuthPassword');
  });

  test('an attribute that is given as a secret stays one alone, whatever its class', async () => {
    const all = await recorded(() => {
      const attributes = { api_token: secret('x'), size: 'M' };
      new sdk.Component('own', { platform: design().web, type: 'private-thing', attributes });
    });
    expect(find(all, 'Component::own').inputs['attributes']).toEqual({ api_token: { secret: 'x' }, size: 'M' });
  });

  describe('the design release', () => {
    test('knows what may not be removed, by option or through a Pulumi parent', async () => {
      const all = await recorded(
        () => {
          const shop = new sdk.Assembly('shop');
          const args = { assembly: shop, ...TOMCAT };
          const kept = new sdk.Platform('kept', args, { protect: true });
          const left = new sdk.Platform('left', args, { retainOnDelete: true });
          const user = new sdk.Component('user', { platform: left, type: 'user' });
          new sdk.Attachment('motd', { component: user });
          new sdk.Variable('own', { platform: left, value: '' }, { retainOnDelete: false });
          new sdk.Platform('inside', args, { parent: kept });
          new sdk.Platform('open', args, { parent: kept, protect: false });
        },
        () => ({ revision: '7', origin: 'created' }),
      );
      const platforms = ['kept', 'left', 'inside', 'open'].map((name) => `Platform::${name}`);
      const keys = [...platforms, 'Component::user', 'Attachment::motd', 'Variable::own'];
      const kept = ['protect', 'retain', 'protect', '', 'retain', 'retain', ''];
      expect(keys.map((key) => find(all, key).inputs[KEPT])).toEqual(kept);
    });

    test('knows it from transformations of what is around, too, which see nothing of ours', async () => {
      const seen: string[][] = [];
      const all = await recorded(() => {
        const transformations: ResourceTransformation[] = [
          ({ name, props, opts }) => {
            seen.push(Object.keys(props as object).filter((each) => each === KEPT));
            if (name === 'left') return { props, opts: { ...opts, retainOnDelete: true } };
            return name === 'kept' ? { props, opts: { ...opts, protect: true } } : undefined;
          },
        ];
        const args = { assembly: new sdk.Assembly('shop', {}, { transformations }), ...TOMCAT };
        new sdk.Component('user', { platform: new sdk.Platform('left', args), type: 'user' });
        new sdk.Component('own', { platform: new sdk.Platform('kept', args), type: 'user' });
      });
      const keys = ['Assembly::shop', 'Platform::left', 'Component::user', 'Platform::kept', 'Component::own'];
      expect(keys.map((key) => find(all, key).inputs[KEPT])).toEqual(['', 'retain', 'retain', 'protect', '']);
      expect(seen.flat()).toEqual([]);
    });

    test.each(WAYS)('is committed and deployed where * is ignored, which the program gives: %s', async (_, giving) => {
      const all = await recorded(() => {
        const options = giving({ ignoreChanges: ['*'], replaceOnChanges: ['*'] });
        const shop = new sdk.Assembly('shop');
        const prod = new sdk.Environment('prod', { assembly: shop }, options);
        new sdk.Deployment('prod', { environment: prod }, options);
      }, written);
      for (const [key, settled, given] of [
        ['Environment::prod', 'designRelease', 'clouds'],
        ['Deployment::prod', 'stamps', 'timeout'],
      ] as const) {
        const { inputs, ignores, replaces } = find(all, key);
        for (const paths of [Object.keys(inputs[IGNORED] as object), ignores, replaces]) {
          expect(paths).toContain(given);
          for (const name of ['*', settled]) expect(paths).not.toContain(name);
        }
        expect(inputs[OPTIONS]).toEqual({ replaceOnChanges: replaces });
      }
    });

    test('in a preview the stamps are unknown when a record is to be written', async () => {
      const known = { revision: '3', origin: 'created' };
      const all = await recorded(design, ({ key }) => (key === 'Platform::web' ? {} : known), true);
      expect(find(all, 'DesignRelease::shop').inputs['__stamps']).toBe('UNKNOWN');
    });

    test('goes by the former names of its assembly', async () => {
      const all = await recorded(() => {
        const older = 'urn:pulumi:dev::story::pulumi-nodejs:dynamic/oneops:Assembly::older';
        new sdk.Assembly('shop', {}, { aliases: [{ name: 'store' }, older] });
      });
      const [first, second] = find(all, 'DesignRelease::shop').aliases;
      expect(first).toMatchObject({ spec: { name: 'store', type: '' } });
      expect(second).toMatchObject({ urn: 'urn:pulumi:dev::story::pulumi-nodejs:dynamic/oneops:DesignRelease::older' });
    });

    test('a record declared too late is an error with a way out, and the way out works', async () => {
      const afterTurns = async (count: number): Promise<void> => {
        for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
      };
      const { promise: committed, resolve: released } = Promise.withResolvers<void>();
      const tooLate = async (): Promise<void> => {
        const { web } = design();
        await committed;
        new sdk.Component('late', { platform: web, type: 'user' });
      };
      const late = recorded(tooLate, (registered) => {
        if (registered.key === 'DesignRelease::shop') released();
        return written(registered);
      });
      await expect(late).rejects.toThrow(
        /Component "late" was declared after the design release[^]*assembly\.hold\(\)/,
      );
      const held = await recorded(async () => {
        const { shop, web } = design();
        const release = shop.hold();
        await afterTurns(20);
        new sdk.Component('late', { platform: web, type: 'user' });
        release();
      }, written);
      expect(find(held, 'DesignRelease::shop').edges['__stamps']).toContain('Component::late');
    });
  });

  test('arguments that a program gives to a deployment are left to it', async () => {
    const all = await recorded(() => {
      const prod = new sdk.Environment('prod', { assembly: design().shop, clouds: BOTH });
      new sdk.Deployment('by-hand', { environment: prod, stamps: '1', clouds: ['east'] });
    }, written);
    expect(find(all, 'Deployment::by-hand').inputs).toMatchObject({ stamps: '1', clouds: ['east'] });
  });

  describe('what a delete includes', () => {
    test.each(['dependsOn', 'dependsOn of a transformation', 'an output'])(
      'nothing of the design comes after what waits for its commit, and would wait for ever: %s',
      async (way) => {
        const program = () => {
          const { shop } = design();
          const prod = new sdk.Environment('prod', { assembly: shop });
          const other = new sdk.Environment('other', { assembly: new sdk.Assembly('other') });
          const early = { assembly: shop, ...TOMCAT, description: other.id.apply(String) };
          const { id } = new sdk.Platform('early', early, { dependsOn: [other] });
          const late = way === 'an output' ? { description: all([prod.id, id]).apply(String) } : {};
          const giving = { dependsOn: { dependsOn: [prod] }, 'an output': {} }[way];
          const options = giving ?? transforming({ dependsOn: [prod] });
          new sdk.Platform('late', { assembly: shop, ...TOMCAT, ...late }, options);
        };
        await expect(recorded(program)).rejects.toThrow(/Platform "late" comes after Environment "prod", which waits/);
      },
    );

    test.each(
      (['Environment', 'Deployment', 'Platform'] as const).flatMap((token) =>
        WAYS.map(([way, giving]) => [token, way, giving] as const),
      ),
    )(
      'the option deletedWith is refused where it would leave the record in the service: %s, %s',
      async (token, _, giving) => {
        const program = () => {
          const { shop, web } = design();
          const prod = new sdk.Environment('prod', { assembly: shop });
          const args = { assembly: shop, platform: web, environment: prod, ...TOMCAT };
          const deletedWith = { Environment: shop, Deployment: prod, Platform: web }[token];
          const given = token === 'Deployment' ? { environment: prod } : args;
          sdk.declareResource(token, 'other', given, giving({ deletedWith }));
        };
        await expect(recorded(program)).rejects.toThrow(/it is not deleted with[^]*leave the option deletedWith out/);
      },
    );
  });

  test('a resource follows the provider of its parent object, and so do releases', async () => {
    const all = await recorded(() => {
      const east = new sdk.Provider('east', { url: 'https://east.acme.io', organization: 'acme', tokenEnv: 'EAST' });
      const shop = new sdk.Assembly('shop', {}, { provider: east });
      new sdk.Platform('web', { assembly: shop, ...TOMCAT });
      const same = new sdk.Assembly('same', { name: 'shop' });
      new sdk.Platform('there', { assembly: same, name: 'web', ...TOMCAT });
      // Another user of one service, and a provider of what is around.
      const maria = new sdk.Provider('maria', { url: 'https://east.acme.io', organization: 'acme', tokenEnv: 'MARIA' });
      new sdk.Environment('prod', { assembly: 'shop' }, { provider: maria });
      const box = new ComponentResource('acme:Box', 'box', {}, { providers: [maria] });
      const boxed = new sdk.Assembly('boxed', {}, { parent: box });
      new sdk.Platform('within', { assembly: boxed, ...TOMCAT }, { parent: box });
    }, written);
    const provider = 'east::id-of-east';
    expect(find(all, 'pulumi-nodejs::east').inputs).toEqual({
      'oneops:url': 'https://east.acme.io',
      'oneops:organization': 'acme',
      'oneops:tokenEnv': 'EAST',
      'oneops:explicit': 'true',
    });
    for (const key of ['Assembly::shop', 'Platform::web', 'DesignRelease::shop'])
      expect(find(all, key).provider).toBe(provider);
    for (const key of ['Assembly::same', 'Platform::there', 'DesignRelease::same'])
      expect(find(all, key).provider).toBe('');
    // The same names at two services are two trees.
    expect(find(all, 'DesignRelease::shop').edges['__stamps']).toEqual(['Platform::web']);
    expect(find(all, 'DesignRelease::same').edges['__stamps']).toEqual(['Platform::there']);
    expect(find(all, 'DesignRelease::boxed').edges['__stamps']).toEqual(['Platform::within']);
    expect(find(all, 'Environment::prod').edges['__designRelease']).toEqual(['DesignRelease::shop']);
  });

  test.each([
    [{ create: '10m' }, undefined, 10],
    [{ create: '1h30m', update: '90s' }, undefined, 90],
    [{ update: '61s' }, undefined, 2],
    [{ create: '10m' }, 5, 5],
    [{ create: 'soon' }, undefined, undefined],
    [{}, undefined, undefined],
  ])('custom time-outs %j with a timeout of %j are a wait of %j minutes', async (customTimeouts, timeout, minutes) => {
    const all = await recorded(() => {
      const own = timeout === undefined ? {} : { timeout };
      sdk.declareResource('Deployment', 'prod', { assembly: 'shop', environment: 'prod', ...own }, { customTimeouts });
      sdk.declareResource('Platform', 'web', { assembly: 'shop' }, { customTimeouts });
    });
    expect(find(all, 'Deployment::prod').inputs['timeout']).toBe(minutes);
    expect(find(all, 'Platform::web').inputs).not.toHaveProperty('timeout');
  });

  test('what to do when others are busy is said once, for the assembly or a deployment, or for each', async () => {
    const all = await recorded(() => {
      const shop = new sdk.Assembly('shop', { whenBusy: 'wait' });
      const prod = new sdk.Environment('prod', { assembly: shop });
      new sdk.Deployment('prod', { environment: prod, whenBusy: 'proceed' });
      const dev = new sdk.Environment('dev', { assembly: shop, whenBusy: 'fail' });
      new sdk.Deployment('dev', { environment: dev });
      const other = new sdk.Assembly('other');
      new sdk.Environment('other', { assembly: other });
    }, written);
    const said = Object.fromEntries(all.map(({ key, inputs }) => [key, inputs['whenBusy']]));
    expect(said).toMatchObject({
      ...{ 'DesignRelease::shop': 'wait', 'Environment::prod': 'proceed', 'Deployment::prod': 'proceed' },
      ...{ 'Environment::dev': 'fail', 'Deployment::dev': 'wait' },
      ...{ 'DesignRelease::other': undefined, 'Environment::other': undefined },
    });
  });
});

// Which cloud configuration is written first, whatever their values are made of: a platform always
// has an active primary (flows §3.7).

type Link = { readonly priority?: Input<number>; readonly adminstatus?: Input<'active' | 'offline' | 'inactive'> };
type Form = <T>(value: T) => Input<T>;

const FORMS: readonly (readonly [string, Form])[] = [
  ['plain', (value) => value],
  ['an output', (value) => output(value) as unknown as Input<typeof value>],
  ['a promise', (value) => Promise.resolve(value)],
];

/** A platform of an environment with these clouds. */
function placeWith(clouds: unknown) {
  const shop = new sdk.Assembly('shop', { owner: 'team@acme.io' });
  const web = new sdk.Platform('web', { assembly: shop, ...TOMCAT });
  const given = clouds as { [cloud: string]: sdk.CloudLink };
  return { environment: new sdk.Environment('prod', { assembly: shop, clouds: given }), platform: web };
}

/** Keys of the other cloud configurations that one comes after. */
const beforeOf = (all: readonly Registered[], name: string): string[] => {
  const { dependencies = [] } = all.find(({ key }) => key === `CloudConfiguration::${name}`) ?? {};
  return dependencies.filter((key) => key.startsWith('CloudConfiguration'));
};

test.each(
  FORMS.flatMap(([how, form]) => {
    const [one, two, offline] = [
      { priority: form(1) },
      { priority: form(2) },
      { adminstatus: form('offline' as const) },
    ];
    const rows: readonly (readonly [what: string, first: string, west: Link, east: Link, clouds?: unknown])[] = [
      ['a priority', 'west', one, two],
      ['a priority', 'east', two, one],
      ['a status', 'west', { priority: 1 }, offline],
      ['a status', 'east', { priority: 1, ...offline }, { priority: 1 }],
      ['all clouds of the environment', 'west', {}, {}, form({ east: { priority: 2 }, west: { priority: 1 } })],
      ['clouds of the environment in part', 'west', {}, {}, { east: two, west: one }],
      ['all clouds of the environment', 'east', {}, {}, form(BOTH)],
    ];
    return rows.map(([what, first, west, east, clouds = BOTH]) => ({ how, what, first, west, east, clouds }));
  }),
)('$how, $what: $first is written first', async ({ first, west, east, clouds }) => {
  const all = await recorded(() => {
    const place = placeWith(clouds);
    new sdk.CloudConfiguration('west', { ...place, cloud: 'west', pctScale: 50, ...west });
    new sdk.CloudConfiguration('east', { ...place, cloud: 'east', pctScale: 100, ...east });
  });
  const second = first === 'west' ? 'east' : 'west';
  expect([beforeOf(all, first), beforeOf(all, second)]).toEqual([[], [`CloudConfiguration::${first}`]]);
});

test('one that is made of another comes after it, whatever their priorities: nothing waits for itself', async () => {
  const all = await recorded(() => {
    const place = placeWith(BOTH);
    const east = new sdk.CloudConfiguration('east', { ...place, cloud: 'east', priority: 2 });
    const note = new sdk.Cloud('note', { location: 'aws', description: east.priority.apply((own) => `${own}`) });
    const priority = note.description.apply((own) => (own === '2' ? 1 : 2));
    new sdk.CloudConfiguration('west', { ...place, cloud: 'west', priority });
  });
  expect(beforeOf(all, 'east')).toEqual([]);
  expect(all.find(({ key }) => key === 'CloudConfiguration::west')?.edges['priority']).toEqual(['Cloud::note']);
});

test.each([
  ['the same platform, after an active primary', 'web', 1],
  ['another platform', 'db', 2],
])('a value that is waited for without saying of whom, in %s, holds nothing up', async (_, name, own) => {
  const all = await recorded(() => {
    const shop = new sdk.Assembly('shop', { owner: 'team@acme.io' });
    const prod = new sdk.Environment('prod', { assembly: shop, clouds: BOTH });
    const place = { assembly: shop, environment: prod };
    const east = new sdk.CloudConfiguration('east', { ...place, platform: 'web', cloud: 'east', priority: own });
    const priority = new Promise<number>((resolve) => east.priority.apply((known) => resolve(known === 1 ? 2 : 1)));
    new sdk.CloudConfiguration('west', { ...place, platform: name, cloud: 'west', priority });
  });
  expect(beforeOf(all, 'east')).toEqual([]);
  expect(all.map(({ key }) => key)).toContain('CloudConfiguration::west');
});

// Secret entries of an open map are secret, whatever the map and its class are made of; the others
// stay readable.

type Attributes = { readonly [name: string]: unknown };

/** What a component, or a cloud service, is registered with. */
async function registered(
  make: (shop: sdk.Assembly) => { readonly type?: unknown; readonly attributes: unknown },
  preview = false,
): Promise<Registered> {
  const program = (): void => {
    const shop = new sdk.Assembly('shop', { owner: 'team@acme.io' });
    const platform = new sdk.Platform('web', { assembly: shop, source: 'oneops', pack: 'mysql', version: '1' });
    const { type = 'mysql', attributes } = make(shop);
    new sdk.Component('subject', { platform, type: type as string, attributes: attributes as Attributes });
  };
  return find(await recorded(program, () => ({ ciId: 7 }), preview), 'Component::subject');
}

const VALUES = { password: 'canary', port: '3307' };
const MARKED = { password: { secret: 'canary' }, port: '3307' };

const CLASS = { key: 'canary', cert: 'public' };
const OF_CLASS = { key: { secret: 'canary' }, cert: 'public' };

test.each<[string, (shop: sdk.Assembly) => unknown, expected?: unknown, type?: () => unknown]>([
  ['there already', () => VALUES],
  ['a promise', () => Promise.resolve(VALUES)],
  ['an output', () => output(VALUES)],
  ['with an output in it', (shop) => ({ ...VALUES, password: shop.ciId.apply(() => 'canary') })],
  ['an output with an output in it', (shop) => shop.ciId.apply(() => ({ ...VALUES, password: output('canary') }))],
  ['a promise with an output in it', () => Promise.resolve({ ...VALUES, password: output('canary') })],
  ['secret as a whole', () => secret({ port: '3307' }), { secret: { port: '3307' } }],
  ['secret twice', () => secret(VALUES), { password: { secret: 'canary' }, port: { secret: '3307' } }],
  ['without secrets', () => output({ port: '3307' }), { port: '3307' }],
  ['of a class that is an output', () => CLASS, OF_CLASS, () => output('certificate')],
  ['an output of such a class', () => output(CLASS), OF_CLASS, () => output('certificate')],
  ['of a class that is a promise', () => CLASS, OF_CLASS, () => Promise.resolve('certificate')],
  ['an output of such a promise', () => output(CLASS), OF_CLASS, () => Promise.resolve('certificate')],
])('%s', async (_, attributes, expected = MARKED, type = () => 'mysql') => {
  const { inputs } = await registered((shop) => ({ type: type(), attributes: attributes(shop) }));
  expect(inputs['attributes']).toEqual(expected);
});

test('what it is made of stays an edge', async () => {
  const { inputs, edges } = await registered((shop) => ({ attributes: shop.ciId.apply(() => VALUES) }));
  expect([inputs['attributes'], edges['attributes']]).toEqual([MARKED, ['Assembly::shop']]);
});

test('unknown, it is handed on as it is', async () => {
  const unknown = (shop: sdk.Assembly): Output<unknown> => all([shop.revision]).apply(() => VALUES);
  const whole = await registered((shop) => ({ attributes: unknown(shop) }), true);
  expect(whole.inputs['attributes']).toBe('UNKNOWN');
  const type = await registered((shop) => ({ type: unknown(shop), attributes: CLASS }), true);
  expect(type.inputs['attributes']).toEqual(OF_CLASS);
});

test('the attributes of a cloud service, too', async () => {
  const found = await recorded(() => {
    const north = new sdk.Cloud('north', { location: 'aws' });
    new sdk.CloudService('nova', { cloud: north, attributes: north.name.apply(() => VALUES) });
  });
  expect(find(found, 'CloudService::nova').inputs['attributes']).toEqual(MARKED);
});

// Secrets that a program gives to arguments: a variable keeps one as its secret value. A warning
// says where the service keeps an argument readable.
describe('warnings', () => {
  const place = () => {
    const shop = new sdk.Assembly('shop', { owner: 'team@acme.io' });
    const web = new sdk.Platform('web', { assembly: shop, pack: 'oneops/tomcat', version: '1' } as never);
    return { shop, web };
  };

  /** What a program registers, and the warnings it logs. */
  async function run(
    program: (made: ReturnType<typeof place>) => void,
    preview = false,
  ): Promise<{ readonly all: readonly Registered[]; readonly warnings: readonly string[] }> {
    const warnings: string[] = [];
    const spy = jest.spyOn(console, 'warn').mockImplementation((text: string) => {
      if (/secret/.test(text)) warnings.push(text);
    });
    try {
      const all = await recorded(() => program(place()), undefined, preview);
      return { all, warnings };
    } finally {
      spy.mockRestore();
    }
  }

  describe('the value of a variable', () => {
    const values = [
      ['a secret', () => secret('canary'), true],
      ['made of a secret', () => secret('canary').apply((text) => `${text}!`), true],
      ['a promise of a secret', () => Promise.resolve(secret('canary')), true],
      ['an output that is no secret', () => output('plain'), false],
      ['a secret no more', () => unsecret(secret('plain')), false],
      ['a text', () => 'plain', false],
    ] as const;

    test.each(values)('%s', async (_, make, isSecret) => {
      const { all, warnings } = await run(({ shop, web }) => {
        const prod = new sdk.Environment('prod', { assembly: shop });
        new sdk.Variable('one', { assembly: shop, value: make() as never });
        new sdk.Variable('two', { platform: web, value: make() as never });
        new sdk.Variable('three', { environment: prod, name: 'one', value: make() as never });
      });
      for (const key of ['Variable::one', 'Variable::two', 'Variable::three']) {
        const { inputs } = find(all, key);
        if (isSecret) expect(inputs).toHaveProperty('encryptedValue', { secret: expect.stringMatching(/^canary/) });
        else expect(inputs).toHaveProperty('value', 'plain');
        expect(inputs).not.toHaveProperty(isSecret ? 'value' : 'encryptedValue');
      }
      expect(warnings).toEqual([]);
    });

    test('next to a secret value it stays, and is refused by the provider', async () => {
      const { all } = await run(({ shop }) => {
        new sdk.Variable('one', { assembly: shop, value: secret('canary'), encryptedValue: 'other' });
      });
      expect(Object.keys(find(all, 'Variable::one').inputs)).toEqual(
        expect.arrayContaining(['value', 'encryptedValue']),
      );
    });
  });

  describe('elsewhere', () => {
    const text = (name: string): string =>
      `warning: [runtime] "${name}" is given a secret, but the service does not encrypt it: everybody who may read the assembly can read it: keep the secret in a secret variable of the assembly, and write $OO_GLOBAL{NAME} here`;

    test.each([false, true])('a warning for each argument that is readable; preview %s', async (preview) => {
      const { warnings } = await run(({ web }) => {
        new sdk.Platform('app', { assembly: 'shop', ...TOMCAT, description: secret('canary') });
        const tomcat = new sdk.Component('tomcat', {
          platform: web,
          type: 'tomcat',
          attributes: { environment: { A: secret('canary'), B: secret('canary') }, port: output('8080') },
        });
        new sdk.Attachment('motd', { component: tomcat, content: secret('canary'), runsOn: ['after-add'] });
      }, preview);
      expect([...warnings].sort()).toEqual([text('content'), text('description'), text('environment')]);
      expect(JSON.stringify(warnings)).not.toContain('canary');
    });

    test('none for what is encrypted, alone or within a map that is secret as a whole, nor for what is no secret', async () => {
      const { warnings } = await run(({ web }) => {
        new sdk.Component('db', { platform: web, type: 'mysql', attributes: { password: secret('canary') } });
        const attributes = secret('canary').apply((password) => ({ password, port: '3307' }));
        new sdk.Component('own', { platform: web, type: 'mysql', attributes });
        const content = output('plain');
        new sdk.Attachment('motd', { component: 'db', basicAuthPassword: secret('canary'), content });
        new sdk.CloudService('nova', { cloud: 'east', attributes: { password: secret('canary') } });
        new sdk.Deployment('prod', { assembly: 'shop', environment: 'prod', timeout: 5 });
      });
      expect(warnings).toEqual([]);
    });
  });
});

// What a run keeps of its state: what finds and describes its records, and no value of a secret.
describe('state records', () => {
  const secret = (value: JavaScriptValue): { [name: string]: JavaScriptValue } => ({
    [specialSigKey]: specialSecretSig,
    value,
  });

  type Callback = (error: { readonly details: string } | null, response?: unknown) => void;

  const answerOf = (answer: Struct): object => ({ getReturn: () => answer, getFailuresList: () => [] });

  /** Begins a run of which the engine answers as given. */
  const run = (answer: (callback: Callback) => void): void =>
    setMockOptions({ invoke: (_: unknown, reply: Callback) => answer(reply) }, 'story', 'dev', false, 'organization');

  const URN = 'urn:pulumi:dev::story::pulumi-nodejs:dynamic/oneops:Attachment::web/key';

  test('secrets are read without their marks, and their values are not kept', async () => {
    const outputs = {
      ...{ assembly: 'shop', platform: secret('web'), component: 'user', name: 'key', ciId: 1233 },
      ...{ headers: secret({ token: 'canary' }), basicAuthPassword: secret('canary') },
    };
    const answer = Struct.fromJavaScript({ outputs: { [URN]: { type: URN.split('::')[2] ?? '', outputs } } });
    run((callback) => callback(null, answerOf(answer)));
    const records = await readStateRecords();
    expect(records.map(({ id, ciId, names }) => [id, ciId, names['headers'], names['basicAuthPassword']])).toEqual([
      ['/shop/web/user/key', 1233, { token: '' }, ''],
    ]);
    expect(JSON.stringify(records)).not.toMatch(new RegExp(`canary|${specialSigKey}`));
  });

  test('a state that the engine is writing is read again; one that cannot be read is an error', async () => {
    const pauses = jest.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
    let asked = 0;
    run((callback) => {
      asked += 1;
      if (asked < 3) callback({ details: 'failed to load checkpoint: EOF' });
      else callback(null, answerOf(Struct.fromJavaScript({ outputs: {} })));
    });
    expect([await readStateRecords(), asked]).toEqual([[], 3]);
    run((callback) => callback({ details: 'no access' }));
    await expect(readStateRecords()).rejects.toThrow(/could not be read, .*: no access; nothing was taken away/);
    expect(pauses.mock.calls.map(([milliseconds]) => milliseconds)).toEqual([50, 200, 50, 200, 800, 2000]);
  });

  test("there are none under the SDK's own mocks, which name no organization", async () => {
    await setMocks({ newResource: () => ({ id: '1', state: {} }), call: () => ({}) }, 'story', 'dev');
    expect(await readStateRecords()).toEqual([]);
  });

  test('of a component are none of another one whose name begins alike', async () => {
    const type = 'web:index:Stack$oneops:index:';
    const stateOf = (token: string, name: string, outputs: object) => [
      `urn:pulumi:dev::story::${type}${token}::${name}`,
      { type: `oneops:index:${token}`, outputs },
    ];
    const outputs = Object.fromEntries([
      stateOf('Assembly', 'web/shop', { name: 'shop' }),
      stateOf('Platform', 'web/api', { assembly: 'shop', name: 'api' }),
      stateOf('Component', 'web/api/os', { assembly: 'shop', platform: 'api', name: 'os' }),
      stateOf('Assembly', 'web/api/other', { name: 'other' }),
      stateOf('Platform', 'web/api/db', { assembly: 'other', name: 'db' }),
    ]);
    run((callback) => callback(null, answerOf(Struct.fromJavaScript({ outputs }))));
    const records = await readStateRecords();
    const below = (name: string) =>
      recordsBelow(records, { type: 'web:index:Stack', name }).map(({ of, id }) => `${of.token} ${id}`);
    expect([below('web'), below('web/api')]).toEqual([
      ['Assembly /shop', 'Component /shop/api/os', 'Platform /shop/api'],
      ['Assembly /other', 'Platform /other/db'],
    ]);
  });
});
