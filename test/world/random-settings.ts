// What environments set, at random, for stacks that already exist: switches, scaling, components, attachments, variables, monitors and relays.
// Drawn by a separate stream, so that everything else of a seed's stacks stays as it was.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type {
  ComponentSpec,
  EnvironmentSpec,
  OverrideSpec,
  PlatformSpec,
  StackSpec,
  SwitchesSpec,
  Variables,
} from './stack-spec';
import type { Inputs } from '../../provider';

type Laid = NonNullable<OverrideSpec['components']>[string];
type Named<T> = { readonly [name: string]: T };

const maybe = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc.record(model, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Partial<T>>;

const some = <T>(entries: Named<fc.Arbitrary<T>>): fc.Arbitrary<Named<T>> => maybe(entries) as fc.Arbitrary<Named<T>>;

/** The given platforms or components, each with what is said of it, or not at all. */
const someOf = <T, R>(map: Named<T>, of: (name: string, value: T) => fc.Arbitrary<R>): fc.Arbitrary<Named<R>> =>
  some(Object.fromEntries(Object.entries(map).map(([name, value]) => [name, of(name, value)])));

const isFilled = (value: object): boolean => Object.keys(value).length > 0;

const filled = <T>(map: Named<T>): Named<T> =>
  Object.fromEntries(
    Object.entries(map).filter(
      ([, value]) => value !== undefined && (typeof value !== 'object' || isFilled(value as object)),
    ),
  );

/** Packs that scale the machine of a redundant platform. */
const SCALING = ['tomcat', 'mysql'];

const SCALE = fc
  .record({ min: fc.nat(2), more: fc.nat(2), room: fc.nat(2), parts: fc.subarray(['current', 'min', 'max']) })
  .chain(({ min, more, room, parts }) => {
    const bounds = { current: min + more, min, max: min + more + room };
    const kept = Object.fromEntries(Object.entries(bounds).filter(([name]) => parts.includes(name)));
    return maybe({
      stepUp: fc.constantFrom(1, 2),
      stepDown: fc.constantFrom(1, 2),
      pctDpmt: fc.constantFrom(50, 100),
    }).map((steps) => ({ ...kept, ...steps }));
  });

const switchesOf = (isRedundant: boolean, { pack = '' }: PlatformSpec): fc.Arbitrary<SwitchesSpec> =>
  maybe<SwitchesSpec>({
    enabled: fc.constantFrom(true, false, false),
    autorepair: fc.boolean(),
    ...(isRedundant ? { autoscale: fc.boolean() } : {}),
    ...(isRedundant && SCALING.includes(pack) ? { scale: some({ compute: SCALE }).map(filled) } : {}),
  }).map((switches) => filled(switches as Named<unknown>) as SwitchesSpec);

const variable = fc.oneof(
  fc.constantFrom('', 'prod', '0', 'true', '1g', 'größer 🙂', '$OO_GLOBAL{LEVEL}'),
  fc.constantFrom('k3y-three', 'k3y-four').map((encryptedValue) => ({ encryptedValue })),
);

/** Values for attributes of a template; nothing of one that is not known. */
const ATTRIBUTES: Named<fc.Arbitrary<Inputs>> = {
  compute: maybe({ size: fc.constantFrom('S', 'M', 'XXL') }),
  tomcat: maybe({ max_threads: fc.constantFrom(100, 300), min_spare_threads: fc.constantFrom(25, 33) }),
  user: maybe({
    description: fc.constantFrom('in prod', 'größer 🙂'),
    sudoer: fc.boolean(),
    authorized_keys: fc.subarray(['ssh-rsa AAA', 'ssh-rsa CCC']),
  }),
  job: maybe({ minute: fc.constantFrom('5', '20'), cmd: fc.constantFrom('true', 'sync -a') }),
};

const attachment = maybe({
  content: fc.constantFrom('in prod\n', 'größer 🙂', '0'),
  path: fc.constantFrom('/etc/a', '/etc/c'),
  priority: fc.constantFrom(2, 3),
});

/** Names in alphabetical order, as the engine writes them. */
const monitor: fc.Arbitrary<Inputs> = maybe({
  sampleInterval: fc.constantFrom(30, 60, 120),
  enable: fc.boolean(),
  heartbeat: fc.boolean(),
  thresholds: fc.constantFrom(
    { High: { metric: 'used', reset: '<80', trigger: '>=90' } },
    { High: { metric: 'used', reset: '<80', trigger: '>=95' } },
  ),
});

/** The monitor that the stack itself gives a component. */
const WATCH = 'watch';

const watch: fc.Arbitrary<Inputs> = fc
  .tuple(fc.constantFrom('check_user', 'check_home'), monitor)
  .map(([cmd, rest]) => ({ cmd, metrics: { used: { unit: '%' } }, ...rest }));

/** Monitors that packs bring, by template. */
const PACK_MONITORS: Named<string> = { compute: 'ssh', tomcat: 'JvmInfo' };

const packMonitor = (platform: string, component: string): string | undefined =>
  PACK_MONITORS[component] && `${platform}-${component}-${PACK_MONITORS[component]}`;

/** What each template of a pack is called, next to what a platform declares. */
const PACK_COMPONENTS: Named<Named<ComponentSpec>> = { tomcat: { compute: {}, tomcat: {} } };
const PACK_VARIABLES: Named<Variables> = { play: { HEAP: '', SESSION_KEY: '' } };

const componentsOf = ({ pack = '', components = {} }: PlatformSpec): Named<ComponentSpec> => ({
  ...(PACK_COMPONENTS[pack] ?? { compute: {} }),
  ...components,
});

const laidOver = (platform: string, name: string, spec: ComponentSpec): fc.Arbitrary<Laid> => {
  const { type = name, attachments = {}, monitors = {} } = spec;
  const known = [packMonitor(platform, name) ?? [], Object.keys(monitors)].flat();
  return maybe({
    attributes: ATTRIBUTES[type] ?? fc.constant({}),
    touch: fc.constantFrom('once', 'again'),
    attachments: someOf(attachments, () => attachment).map(filled),
    monitors: some(Object.fromEntries(known.map((each) => [each, monitor]))).map(filled),
  }).map((laid) => {
    const own = filled(laid as Named<unknown>);
    return isFilled(own) ? { type, ...own } : {};
  });
};

const overridesOf = (name: string, platform: PlatformSpec): fc.Arbitrary<OverrideSpec> => {
  const variables = { ...PACK_VARIABLES[platform.pack ?? ''], ...platform.variables };
  return maybe<OverrideSpec>({
    variables: someOf(variables, () => variable),
    components: someOf(componentsOf(platform), (component, spec) => laidOver(name, component, spec)).map(filled),
  }).map((laid) => filled(laid as Named<unknown>) as OverrideSpec);
};

const SEVERITIES = ['info', 'warning', 'critical'];
const severity = fc.subarray(SEVERITIES, { minLength: 1 });
const emails = fc.subarray(['ops@acme.io', 'web@acme.io'], { minLength: 1 });

const relays: fc.Arbitrary<NonNullable<EnvironmentSpec['relays']>> = some<Inputs>({
  default: maybe({ emails, severity, enabled: fc.boolean() }),
  ops: fc
    .tuple(emails, maybe({ severity, enabled: fc.boolean(), textRegex: fc.constant('failed.*') }))
    .map(([to, rest]) => ({ emails: to, ...rest })),
}).map(filled);

const environmentSettings = (
  platforms: Named<PlatformSpec>,
  { availability, platformAvailability = {} }: EnvironmentSpec,
): fc.Arbitrary<Pick<EnvironmentSpec, 'switches' | 'overrides' | 'relays'>> =>
  fc.record(
    {
      switches: someOf(platforms, (name, platform) =>
        switchesOf((platformAvailability[name] ?? availability) === 'redundant', platform),
      ).map(filled),
      overrides: someOf(platforms, overridesOf).map(filled),
      relays,
    },
    { noNullPrototype: true },
  );

/** Monitors of components that the stack declares: those that it creates, and those of packs. */
function monitored(name: string, { components = {}, ...platform }: PlatformSpec): fc.Arbitrary<PlatformSpec> {
  const monitors = someOf(components, (component) => {
    const known = packMonitor(name, component);
    return some<Inputs>({
      ...(known ? { [known]: monitor } : {}),
      ...(component === 'deployer' ? { [WATCH]: watch } : {}),
    }).map(filled);
  });
  return monitors.map((chosen) => ({
    ...platform,
    components: Object.fromEntries(
      Object.entries(components).map(([component, spec]) => {
        const own = chosen[component] ?? {};
        return [component, isFilled(own) ? { ...spec, monitors: own } : spec];
      }),
    ),
  }));
}

const withMonitors = (platforms: Named<PlatformSpec>): fc.Arbitrary<Named<PlatformSpec>> =>
  fc.record(Object.fromEntries(Object.entries(platforms).map(([name, spec]) => [name, monitored(name, spec)])), {
    noNullPrototype: true,
  });

const settings = ({ platforms = {}, environments = {}, ...spec }: StackSpec): fc.Arbitrary<StackSpec> =>
  withMonitors(platforms).chain((all) =>
    fc
      .record(
        Object.fromEntries(
          Object.entries(environments).map(([name, own]) => [
            name,
            environmentSettings(all, own).map((added): EnvironmentSpec => ({ ...own, ...added })),
          ]),
        ),
        { noNullPrototype: true },
      )
      .map((set) => ({ ...spec, platforms: all, environments: set })),
  );

const seedOf = (spec: StackSpec): number => createHash('sha256').update(JSON.stringify(spec)).digest().readInt32BE(0);

/** A stack with what its environments set: always the same for the same stack. */
export function withSettings(spec: StackSpec): StackSpec {
  const [set] = fc.sample(settings(spec), { numRuns: 1, seed: seedOf(spec) });
  return set as StackSpec;
}
