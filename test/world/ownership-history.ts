// Random histories of two stacks and another user in one assembly, as plain data: what is done, in which order, with numbers for what is drawn.
import fc from 'fast-check';
import { DIALECTS, type Dialect } from '../../api/contract';
import type { ComponentSpec, EnvironmentSpec, PlatformSpec, StackSpec, VariableSpec } from './stack-spec';

/** How the second stack uses the assembly of the first: its own environments, a platform, too, or the same file under another name. */
type SecondStack = 'guest' | 'sharing' | 'copy';

/** 0: the stack that owns the assembly. */
export type StackIndex = 0 | 1;

/** A write of the other user, and what she does next. */
export interface ForeignWrite {
  readonly what: number;
  readonly draw: number;
  readonly then: 'nothing' | 'commit' | 'deploy';
}

/** One `pulumi up` after edits of the file. */
export interface UpAct {
  readonly act: 'up';
  readonly stack: StackIndex;
  /** Numbers that choose edits. */
  readonly edits: readonly number[];
  readonly refresh: boolean;
  readonly limit: 'target' | 'exclude' | undefined;
  readonly kill: { readonly request: number; readonly when: 'before' | 'after' } | undefined;
  /** The first work order of this component fails. */
  readonly fails: string | undefined;
  /** A write of the other user before the request of this number. */
  readonly during: (ForeignWrite & { readonly at: number }) | undefined;
  /** What the user does when the run is refused. */
  readonly answer: 'nothing' | 'refresh' | 'accept';
  readonly draw: number;
}

/** Something that is done to the state of a stack with the engine's commands. */
export interface StateAct {
  readonly act: 'state';
  readonly what: 'move' | 'delete' | 'restore' | 'unprotect';
  readonly stack: StackIndex;
  readonly draw: number;
}

export type Act = UpAct | StateAct | ({ readonly act: 'foreign' } & ForeignWrite);

export interface History {
  readonly dialect: Dialect;
  readonly second: SecondStack;
  readonly acts: readonly Act[];
  /** The stack that is destroyed at the end. */
  readonly destroyed: StackIndex;
}

const foreign = {
  what: fc.nat(1000),
  draw: fc.nat(100_000),
  then: fc.constantFrom<ForeignWrite['then']>('nothing', 'commit', 'commit', 'deploy', 'deploy'),
};
const stack = fc.constantFrom<StackIndex>(0, 0, 0, 1, 1);

const up: fc.Arbitrary<UpAct> = fc.record({
  act: fc.constant('up' as const),
  stack,
  edits: fc.array(fc.nat(100_000), { maxLength: 3 }),
  refresh: fc.constantFrom(false, false, false, true),
  limit: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, undefined, 'target', 'exclude'),
  kill: oneIn(6, fc.record({ request: fc.integer({ min: 1, max: 60 }), when: fc.constantFrom('before', 'after') })),
  fails: oneIn(8, fc.constantFrom('web/compute', 'web/deployer', 'db/compute')),
  during: oneIn(3, fc.record({ ...foreign, at: fc.integer({ min: 1, max: 60 }) })),
  answer: fc.constantFrom('nothing', 'refresh', 'accept', 'accept'),
  draw: fc.nat(100_000),
});

/** A value in one case of `count`. */
function oneIn<T>(count: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.tuple(fc.nat(count - 1), value).map(([turn, each]) => (turn === 0 ? each : undefined));
}

const state: fc.Arbitrary<StateAct> = fc.record({
  act: fc.constant('state' as const),
  what: fc.constantFrom('move', 'move', 'delete', 'restore', 'unprotect'),
  stack,
  draw: fc.nat(100_000),
});

const foreignAct: fc.Arbitrary<Act> = fc.record({ act: fc.constant('foreign' as const), ...foreign });

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: up },
  { weight: 3, arbitrary: foreignAct },
  { weight: 2, arbitrary: state },
);

const historiesOf = (acts: fc.Arbitrary<readonly Act[]>, seconds: readonly SecondStack[]): fc.Arbitrary<History> =>
  fc.record({
    dialect: fc.constantFrom(...DIALECTS),
    second: fc.constantFrom(...seconds),
    acts,
    destroyed: fc.constantFrom<StackIndex>(0, 1),
  });

/** Histories of three to seven acts after both stacks went up once. */
export const histories = historiesOf(fc.array(act, { minLength: 3, maxLength: 7 }), ['guest', 'sharing', 'copy']);

/** Histories that change a state between two other acts, the last of them a run. */
export const shortHistories = historiesOf(fc.tuple(fc.oneof(foreignAct, up), state, up), [
  'guest',
  'sharing',
  'sharing',
  'copy',
]);

/** Draws one after the other from a number. */
export interface Draw {
  of<T>(values: readonly T[]): T;
  /** Undefined of nothing. */
  maybe<T>(values: readonly T[]): T | undefined;
}

export function drawFrom(number: number): Draw {
  let left = number;
  const maybe = <T>(values: readonly T[]): T | undefined => {
    if (values.length === 0) return undefined;
    const value = values[left % values.length];
    left = Math.floor(left / values.length) + 7 * (left % 13);
    return value;
  };
  return { of: <T>(values: readonly T[]) => maybe(values) as T, maybe };
}

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

const owned = ({ platforms = {} }: StackSpec): readonly string[] =>
  Object.keys(platforms).filter((name) => platforms[name]?.existing !== true);

/** The stack without a platform, and without what its environments say of it. */
export const withoutPlatform = (spec: StackSpec, name: string): StackSpec => ({
  ...spec,
  platforms: without(spec.platforms, name),
  environments: eachEnvironment(spec, (environment) => ({
    ...environment,
    ...(environment.platforms ? { platforms: without(environment.platforms, name) } : {}),
    ...(environment.switches ? { switches: without(environment.switches, name) } : {}),
    ...(environment.overrides ? { overrides: without(environment.overrides, name) } : {}),
  })),
});

export const eachEnvironment = (
  { environments = {} }: StackSpec,
  change: (of: EnvironmentSpec, name: string) => EnvironmentSpec,
): Named<EnvironmentSpec> =>
  Object.fromEntries(Object.entries(environments).map(([name, of]) => [name, change(of, name)]));

const withPlatform = (spec: StackSpec, name: string, change: (of: PlatformSpec) => PlatformSpec): StackSpec => ({
  ...spec,
  platforms: { ...spec.platforms, [name]: change(spec.platforms?.[name] ?? {}) },
});

const withEnvironment = (
  spec: StackSpec,
  name: string,
  change: (of: EnvironmentSpec) => EnvironmentSpec,
): StackSpec => ({
  ...spec,
  environments: { ...spec.environments, [name]: change(spec.environments?.[name] ?? {}) },
});

/** An edit of a file; undefined where it has nothing to change. */
type Edit = (spec: StackSpec, draw: Draw) => StackSpec | undefined;

const ofPlatform =
  (change: (of: PlatformSpec, draw: Draw) => PlatformSpec | undefined): Edit =>
  (spec, draw) => {
    const name = draw.maybe(owned(spec));
    const changed = name === undefined ? undefined : change(spec.platforms?.[name] ?? {}, draw);
    return name === undefined || changed === undefined ? undefined : withPlatform(spec, name, () => changed);
  };

const ofEnvironment =
  (change: (of: EnvironmentSpec, draw: Draw, spec: StackSpec) => EnvironmentSpec | undefined): Edit =>
  (spec, draw) => {
    const name = draw.maybe(Object.keys(spec.environments ?? {}));
    const changed = name === undefined ? undefined : change(spec.environments?.[name] ?? {}, draw, spec);
    return name === undefined || changed === undefined ? undefined : withEnvironment(spec, name, () => changed);
  };

const PACKS: Named<string> = { web: 'tomcat', db: 'mysql', cache: 'redisio', api: 'tomcat' };

const toggled = <T>(map: Named<T> = {}, name: string, value: T): Named<T> =>
  name in map ? without(map, name) : { ...map, [name]: value };

const marked = <T extends { readonly mark?: unknown }>(of: T, mark: 'protect' | 'retain' | undefined): T => {
  const { mark: _, ...rest } = of;
  return { ...(rest as T), ...(mark ? { mark } : {}) };
};

/** Each kind of edit by its name. */
const EDITS: Named<Edit> = {
  'a platform leaves': (spec, draw) => {
    const name = draw.maybe(owned(spec));
    return name === undefined || (owned(spec).length === 1 && spec.existing !== true)
      ? undefined
      : withoutPlatform(spec, name);
  },
  'a platform comes': (spec, draw) => {
    const name = draw.maybe(Object.keys(PACKS).filter((each) => spec.platforms?.[each] === undefined));
    return name === undefined ? undefined : withPlatform(spec, name, () => ({ pack: PACKS[name] ?? 'custom' }));
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
  'a user': ofPlatform((of, draw) => {
    const own = of.components?.['deployer'];
    if (own === undefined) return undefined;
    const attributes = { username: draw.of(['deployer', 'robot']), description: draw.of(['first', 'second']) };
    return { ...of, components: { ...of.components, deployer: { ...own, attributes } } };
  }),
  'an attachment comes or leaves': ofPlatform((of) => {
    const own = of.components?.['deployer'];
    if (own === undefined) return undefined;
    const attachments = toggled(own.attachments, 'motd', { path: '/etc/motd', content: 'again' });
    return { ...of, components: { ...of.components, deployer: { ...own, attachments } } };
  }),
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
  'a share of a cloud': ofEnvironment((of, draw, spec) => {
    const name = draw.maybe(Object.keys(spec.platforms ?? {}));
    const share = draw.of<number>([50, 100, 200]);
    return name === undefined ? undefined : { ...of, platforms: { [name]: { east: { pctScale: share } } } };
  }),
  'a switch': ofEnvironment((of, draw, spec) => {
    const name = draw.maybe(Object.keys(spec.platforms ?? {}));
    const change = draw.of([{ enabled: false }, { enabled: true }, { autorepair: false }]);
    return name === undefined ? undefined : { ...of, switches: toggled(of.switches, name, change) };
  }),
  'a setting of an environment': ofEnvironment((of, draw, spec) => {
    const name = draw.maybe(Object.keys(spec.platforms ?? {}));
    const components = { compute: { attributes: { size: draw.of(['M', 'L']) } } };
    return name === undefined ? undefined : { ...of, overrides: toggled(of.overrides, name, { components }) };
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
    if (name === undefined) return undefined;
    return withPlatform(spec, name, (of) => {
      const part = draw.maybe(['', ...Object.keys(of.components ?? {})]) ?? '';
      const component = of.components?.[part];
      return component === undefined
        ? marked(of, mark)
        : { ...of, components: { ...of.components, [part]: marked(component, mark) } };
    });
  },
  'another logical name': ofPlatform((of, draw) => ({ ...of, logical: draw.of(['front', 'back', 'side']) })),
};

const NAMES = Object.keys(EDITS);

/** The name of the edit that a number chooses, and the file after it. */
export function edited(spec: StackSpec, number: number): { readonly name: string; readonly spec: StackSpec } {
  const draw = drawFrom(number);
  const name = draw.of(NAMES);
  const changed = EDITS[name]?.(spec, draw) ?? spec;
  const logicals = Object.entries(changed.platforms ?? {}).map(([own, { logical = own }]) => logical);
  // Two resources cannot have one logical name.
  return new Set(logicals).size < logicals.length ? { name: 'nothing', spec } : { name, spec: changed };
}
