// The moves of a play about ownership, as plain data: two stacks edit their files and go up, their
// states change hands, and Maria, another user, writes to the service. Numbers choose among them.
import fc from 'fast-check';
import type { Api } from '../../api/client';
import { DIALECTS, routes, type Record as WireRecord } from '../../api/contract';
import { attempted, committed, drawFrom, unlessGone, type Draw, type Person } from './foreign-writer';
import { handOf, type Hand } from './hand';
import type { ComponentSpec, EnvironmentSpec, PlatformSpec, StackSpec, VariableSpec } from './stack-spec';

/** 0: the stack that owns the assembly. */
export type StackIndex = 0 | 1;

const MARIA = {
  what: fc.nat(1000),
  draw: fc.nat(100_000),
  /** What she does next. */
  then: fc.constantFrom('nothing' as const, 'commit' as const, 'commit' as const, 'deploy' as const, 'deploy' as const),
};
const stack = fc.constantFrom<StackIndex>(0, 0, 0, 1, 1);

/** A value in one case of `count`. */
const oneIn = <T>(count: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.tuple(fc.nat(count - 1), value).map(([turn, each]) => (turn === 0 ? each : undefined));

/** One `pulumi up` after edits of the file. */
const up = fc.record({
  act: fc.constant('up' as const),
  stack,
  /** Numbers that choose edits. */
  edits: fc.array(fc.nat(100_000), { maxLength: 3 }),
  refresh: fc.constantFrom(false, false, false, true),
  limit: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, undefined, 'target', 'exclude'),
  kill: oneIn(6, fc.record({ request: fc.integer({ min: 1, max: 60 }), when: fc.constantFrom('before', 'after') })),
  /** The first work order of this component fails. */
  fails: oneIn(8, fc.constantFrom('web/compute', 'web/deployer', 'db/compute')),
  /** Maria writes before the request of this number. */
  during: oneIn(3, fc.record({ ...MARIA, at: fc.integer({ min: 1, max: 60 }) })),
  /** What the user does when the run is refused. */
  answer: fc.constantFrom('nothing', 'refresh', 'accept', 'accept'),
  draw: fc.nat(100_000),
});

/** Something that is done to the state of a stack with the engine's commands. */
const state = fc.record({
  act: fc.constant('state' as const),
  what: fc.constantFrom('move', 'move', 'delete', 'restore', 'unprotect'),
  stack,
  draw: fc.nat(100_000),
});

const maria = fc.record({ act: fc.constant('maria' as const), ...MARIA });

const act = fc.oneof({ weight: 5, arbitrary: up }, { weight: 3, arbitrary: maria }, { weight: 2, arbitrary: state });

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

export type UpAct = Drawn<typeof up>;
export type StateAct = Drawn<typeof state>;
type Act = Drawn<typeof act>;
export type Write = Omit<Drawn<typeof maria>, 'act'>;

/** What the second stack has: environments, a platform besides, or the file of the first one. */
type SecondStack = 'guest' | 'sharing' | 'copy';

const historiesOf = (acts: fc.Arbitrary<readonly Act[]>, seconds: readonly SecondStack[]) =>
  fc.record({
    dialect: fc.constantFrom(...DIALECTS),
    second: fc.constantFrom(...seconds),
    acts,
    /** The stack that is destroyed at the end. */
    destroyed: fc.constantFrom<StackIndex>(0, 1),
  });

export type History = Drawn<ReturnType<typeof historiesOf>>;

/** Histories of three to seven acts after both stacks went up once. */
export const histories = historiesOf(fc.array(act, { minLength: 3, maxLength: 7 }), ['guest', 'sharing', 'copy']);

/** Histories that change a state between two other acts, the last of them a run. */
export const shortHistories = historiesOf(fc.tuple(fc.oneof(maria, up), state, up), [
  'guest',
  'sharing',
  'sharing',
  'copy',
]);

const USER: ComponentSpec = { type: 'user', attributes: { username: 'deployer' } };

const SHOP: StackSpec = {
  variables: { LEVEL: 'info' },
  platforms: {
    web: {
      pack: 'tomcat',
      variables: { HOME: '/home' },
      components: {
        compute: { attributes: { size: 'M' } },
        deployer: { ...USER, attachments: { motd: { path: '/etc/motd', content: 'hello' } } },
      },
    },
    db: { pack: 'mysql' },
  },
  environments: {
    prod: { clouds: { east: { priority: 1 }, west: { priority: 1 } }, availability: 'redundant' },
  },
};

const QA: EnvironmentSpec = { clouds: { east: { priority: 1 } }, availability: 'single' };

/** What each stack declares first. */
export const firstSpecs = (second: SecondStack): readonly [StackSpec, StackSpec] => [
  SHOP,
  second === 'copy'
    ? { ...SHOP, environments: { qa: QA } }
    : {
        existing: true,
        environments: { qa: QA },
        ...(second === 'sharing' ? { platforms: { cache: { pack: 'redisio' } } } : {}),
      },
];

type Named<T> = { readonly [name: string]: T };

const without = <T>(map: Named<T> = {}, name: string): Named<T> =>
  Object.fromEntries(Object.entries(map).filter(([key]) => key !== name));

const toggled = <T>(map: Named<T> = {}, name: string, value: T): Named<T> =>
  name in map ? without(map, name) : { ...map, [name]: value };

const owned = ({ platforms = {} }: StackSpec): readonly string[] =>
  Object.keys(platforms).filter((name) => platforms[name]?.existing !== true);

export const eachEnvironment = (
  { environments = {} }: StackSpec,
  change: (of: EnvironmentSpec) => EnvironmentSpec,
): Named<EnvironmentSpec> => Object.fromEntries(Object.entries(environments).map(([name, of]) => [name, change(of)]));

/** The stack without a platform, and without what its environments say of it. */
export const withoutPlatform = (spec: StackSpec, name: string): StackSpec => ({
  ...spec,
  platforms: without(spec.platforms, name),
  environments: eachEnvironment(spec, ({ platforms, switches, overrides, ...rest }) => ({
    ...rest,
    ...(platforms ? { platforms: without(platforms, name) } : {}),
    ...(switches ? { switches: without(switches, name) } : {}),
    ...(overrides ? { overrides: without(overrides, name) } : {}),
  })),
});

/** An edit of a file; undefined where it has nothing to change. */
type Edit = (spec: StackSpec, draw: Draw) => StackSpec | undefined;

const ofPlatform =
  (change: (of: PlatformSpec, draw: Draw) => PlatformSpec | undefined): Edit =>
  (spec, draw) => {
    const name = draw.maybe(owned(spec));
    const changed = name === undefined ? undefined : change(spec.platforms?.[name] ?? {}, draw);
    return changed && { ...spec, platforms: { ...spec.platforms, [name as string]: changed } };
  };

const ofEnvironment =
  (change: (of: EnvironmentSpec, draw: Draw, spec: StackSpec) => EnvironmentSpec | undefined): Edit =>
  (spec, draw) => {
    const name = draw.maybe(Object.keys(spec.environments ?? {}));
    const changed = name === undefined ? undefined : change(spec.environments?.[name] ?? {}, draw, spec);
    return changed && { ...spec, environments: { ...spec.environments, [name as string]: changed } };
  };

/** An edit of what an environment says of a platform. */
const ofPlace = (change: (of: EnvironmentSpec, platform: string, draw: Draw) => EnvironmentSpec): Edit =>
  ofEnvironment((of, draw, spec) => {
    const name = draw.maybe(Object.keys(spec.platforms ?? {}));
    return name === undefined ? undefined : change(of, name, draw);
  });

/** An edit of the component that no pack gives. */
const ofDeployer = (change: (of: ComponentSpec, draw: Draw) => ComponentSpec): Edit =>
  ofPlatform(({ components = {}, ...of }, draw) => {
    const own = components['deployer'];
    return own && { ...of, components: { ...components, deployer: change(own, draw) } };
  });

const PACKS: Named<string> = { web: 'tomcat', db: 'mysql', cache: 'redisio', api: 'tomcat' };

const marked = <T extends { readonly mark?: unknown }>(
  { mark: _, ...rest }: T,
  mark: 'protect' | 'retain' | undefined,
) => ({ ...rest, ...(mark ? { mark } : {}) }) as T;

/** Each kind of edit by its name. */
const EDITS: Named<Edit> = {
  'a platform leaves': (spec, draw) => {
    const name = draw.maybe(owned(spec));
    const isLast = owned(spec).length === 1 && spec.existing !== true;
    return name === undefined || isLast ? undefined : withoutPlatform(spec, name);
  },
  'a platform comes': (spec, draw) => {
    const name = draw.maybe(Object.keys(PACKS).filter((each) => spec.platforms?.[each] === undefined));
    return name === undefined
      ? undefined
      : { ...spec, platforms: { ...spec.platforms, [name]: { pack: PACKS[name] ?? 'custom' } } };
  },
  'a description': ofPlatform((of, draw) => ({ ...of, description: draw.of(['front', 'of orders', 'new']) })),
  'a size': ofPlatform((of, draw) => ({
    ...of,
    components: { ...of.components, compute: { attributes: { size: draw.of(['M', 'L']) } } },
  })),
  'a component comes or leaves': ofPlatform((of, draw) => ({
    ...of,
    components: toggled(of.components, draw.of(['deployer', 'extra']), USER),
  })),
  'a user': ofDeployer((of, draw) => ({
    ...of,
    attributes: { username: draw.of(['deployer', 'robot']), description: draw.of(['first', 'second']) },
  })),
  'an attachment comes or leaves': ofDeployer((of) => ({
    ...of,
    attachments: toggled(of.attachments, 'motd', { path: '/etc/motd', content: 'again' }),
  })),
  'a variable of a platform comes or leaves': ofPlatform((of) => ({
    ...of,
    variables: toggled<VariableSpec>(of.variables, 'HOME', '/srv'),
  })),
  'a variable comes or leaves': (spec, draw) =>
    spec.existing
      ? undefined
      : {
          ...spec,
          variables: toggled<VariableSpec>(spec.variables, draw.of(['LEVEL', 'KEY']), 'debug'),
          environments: eachEnvironment(spec, ({ variables: _, ...rest }) => rest),
        },
  'a variable changes': (spec, draw) =>
    spec.variables?.['LEVEL'] === undefined
      ? undefined
      : { ...spec, variables: { ...spec.variables, LEVEL: draw.of(['info', 'warn', 'error']) } },
  'an environment comes or leaves': (spec) => ({
    ...spec,
    environments: toggled(spec.environments, spec.existing ? 'trial' : 'dev', QA),
  }),
  'a cloud comes or leaves': ofEnvironment((of) => ({
    ...of,
    clouds: toggled(of.clouds, 'west', { priority: 1 }),
    ...(of.platforms ? { platforms: {} } : {}),
  })),
  'a share of a cloud': ofPlace((of, platform, draw) => ({
    ...of,
    platforms: { [platform]: { east: { pctScale: draw.of([50, 100, 200]) } } },
  })),
  'a switch': ofPlace((of, platform, draw) => ({
    ...of,
    switches: toggled(of.switches, platform, draw.of([{ enabled: false }, { enabled: true }, { autorepair: false }])),
  })),
  'a setting of an environment': ofPlace((of, platform, draw) => {
    const components = { compute: { attributes: { size: draw.of(['M', 'L']) } } };
    return { ...of, overrides: toggled(of.overrides, platform, { components }) };
  }),
  'a variable of an environment': ofEnvironment((of, draw, spec) =>
    spec.variables?.['LEVEL'] === undefined
      ? undefined
      : { ...of, variables: toggled<VariableSpec>(of.variables, 'LEVEL', draw.of(['trace', 'fatal'])) },
  ),
  'others may come along, or not': ofEnvironment((of, draw) => ({
    ...of,
    deploy: { ...(of.deploy === false ? {} : of.deploy), others: draw.of(['name', 'refuse']) },
  })),
  'a mark': (spec, draw) => {
    const name = draw.maybe(owned(spec));
    const mark = draw.of(['protect', 'retain', undefined] as const);
    const of = spec.platforms?.[name ?? ''];
    if (of === undefined) return undefined;
    const part = draw.of(['', ...Object.keys(of.components ?? {})]);
    const component = of.components?.[part];
    const changed = component
      ? { ...of, components: { ...of.components, [part]: marked(component, mark) } }
      : marked(of, mark);
    return { ...spec, platforms: { ...spec.platforms, [name as string]: changed } };
  },
  'another logical name': ofPlatform((of, draw) => ({ ...of, logical: draw.of(['front', 'back', 'side']) })),
};

/** The name of the edit that a number chooses, and the file after it. */
export function edited(spec: StackSpec, number: number): { readonly name: string; readonly spec: StackSpec } {
  const draw = drawFrom(number);
  const name = draw.of(Object.keys(EDITS));
  const changed = EDITS[name]?.(spec, draw) ?? spec;
  const logicals = Object.entries(changed.platforms ?? {}).map(([own, { logical = own }]) => logical);
  // Two resources cannot have one logical name.
  return new Set(logicals).size < logicals.length ? { name: 'nothing', spec } : { name, spec: changed };
}

const DESIGN = { assembly: 'shop' };

interface Around {
  readonly maria: Hand;
  readonly api: Api;
  readonly draw: Draw;
  readonly platforms: readonly string[];
  readonly environments: readonly string[];
  /** A number that no other write has. */
  readonly unique: number;
}

const namesOf = async (list: Promise<readonly WireRecord[]>): Promise<readonly string[]> =>
  (await list).map(({ ciName }) => ciName).sort();

const platformOf = ({ draw, platforms }: Around): string => draw.of(platforms);
const environmentOf = ({ draw, environments }: Around): string => draw.of(environments);

const ofPack = (pack: string) => ({ source: 'oneops', pack, version: '1' });

async function switched(around: Around, verb: 'enable' | 'disable'): Promise<void> {
  const environment = environmentOf(around);
  const platforms = await around.api.call(routes.environmentPlatforms.list, { address: { ...DESIGN, environment } });
  await around.maria.at({ environment }).switch(verb, around.draw.of(platforms).ciName);
}

async function configured(around: Around, attributes: Named<string>): Promise<void> {
  const { api, draw, maria } = around;
  const environment = environmentOf(around);
  const platforms = await namesOf(api.call(routes.environmentPlatforms.list, { address: { ...DESIGN, environment } }));
  const clouds = (await api.call(routes.clouds.list, {})).filter(({ ciName }) => ['east', 'west'].includes(ciName));
  await maria.at({ environment }).configure(draw.of(platforms), draw.of(clouds).ciName, attributes);
}

async function again(of: Around, place: string, attributes: () => Named<string>): Promise<void> {
  await of.maria.delete(place);
  await of.maria.commit();
  await of.maria.create(place, attributes());
}

/** Whether a value is one that only Maria gives: the machines show who wrote it. */
export const isForeignValue = (value: unknown): boolean => /^(hers-\d+|XL|77\d+)$/.test(String(value));

/** Each write of Maria by its name. */
const WRITES: Named<(around: Around) => Promise<unknown>> = {
  'deletes a platform': (around) => around.maria.delete(platformOf(around)),
  'deletes a component': async (around) => {
    const platform = platformOf(around);
    const names = await namesOf(around.api.call(routes.components.list, { address: { ...DESIGN, platform } }));
    const added = names.filter((name) => ['deployer', 'extra', 'backdoor'].includes(name));
    await around.maria.delete(`${platform}/${around.draw.of(added)}`);
  },
  'deletes an attachment': (around) => around.maria.delete(`${platformOf(around)}/deployer/motd`),
  'deletes a variable': ({ maria }) => maria.delete('$LEVEL'),
  'deletes a variable of a platform': (around) => around.maria.delete(`${platformOf(around)}/$HOME`),
  'adds a component': (around) => {
    const place = `${platformOf(around)}/${around.draw.of(['backdoor', 'extra'])}`;
    const attributes = { username: 'backdoor', description: `hers-${around.unique}` };
    return around.maria.create(place, attributes, { template_name: 'user' });
  },
  'adds a platform': ({ maria, draw }) => maria.create(draw.of(['evil', 'api']), ofPack('tomcat')),
  'creates a platform again': (around) =>
    again(around, platformOf(around), () => ofPack(around.draw.of(['mysql', 'tomcat', 'redisio']))),
  'creates a variable again': (around) =>
    again(around, '$LEVEL', () => ({ value: `hers-${around.unique}`, secure: 'false' })),
  'sets a size': (around) => around.maria.set(`${platformOf(around)}/compute`, { size: 'XL' }),
  'sets threads': ({ maria, unique }) => maria.set('web/tomcat', { max_threads: `77${unique}` }),
  'sets a variable': ({ maria, unique }) => maria.set('$LEVEL', { value: `hers-${unique}` }),
  'commits the design': ({ maria }) => maria.commit(),
  'disables a platform': (around) => switched(around, 'disable'),
  'enables a platform': (around) => switched(around, 'enable'),
  'takes a cloud offline': (around) => configured(around, { adminstatus: 'offline' }),
  'takes the share of a cloud': (around) => configured(around, { pct_scale: around.draw.of(['0', '50']) }),
  'sets threads in an environment': (around) =>
    around.maria.set(`${environmentOf(around)}:web/tomcat`, { max_threads: `77${around.unique}` }),
  'scales a platform': (around) => {
    const [environment, platform] = [environmentOf(around), around.draw.of(['web', 'db', 'cache'])];
    const values = { current: around.draw.of(['1', '3']), min: '1' };
    return around.maria.at({ environment }).scale(values, around.draw.of([true, false]), platform);
  },
  'pulls the design': (around) => around.maria.at({ environment: environmentOf(around) }).pull(),
};

export const nameOfWrite = ({ what }: Write): string => Object.keys(WRITES)[what % Object.keys(WRITES).length] ?? '';

/** A list; empty where what it is of does not exist. */
export const orEmpty = async <T>(list: Promise<readonly T[]>): Promise<readonly T[]> =>
  (await list.catch(unlessGone)) ?? [];

/** Names of the environments of the assembly. */
export const environmentsOf = (api: Api): Promise<readonly string[]> =>
  namesOf(orEmpty(api.call(routes.environments.list, { address: DESIGN })));

/** Carries out a write of Maria, and what comes with it. */
export async function writeAs(person: Person, write: Write, unique: number): Promise<void> {
  const { api } = person;
  const platforms = await namesOf(orEmpty(api.call(routes.platforms.list, { address: DESIGN })));
  const environments = await environmentsOf(api);
  const maria = handOf(api);
  const around = { maria, api, draw: drawFrom(write.draw), platforms, environments, unique };
  await attempted(async () => WRITES[nameOfWrite(write)]?.(around));
  if (write.then === 'nothing') return;
  await attempted(() => maria.commit());
  for (const environment of environments) await committed(person, { ...DESIGN, environment }, write.then);
}
