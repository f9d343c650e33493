// Stacks at random, as plain data: what a person could write, without what is refused by rule.
import fc from 'fast-check';
import type {
  CloudSpec,
  ComponentSpec,
  EnvironmentSpec,
  PlatformSpec,
  StackSpec,
  Variables,
  VariableSpec,
} from './stack-spec';

const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(model, { noNullPrototype: true });

const partial = <T>(
  model: { [K in keyof T]: fc.Arbitrary<T[K]> },
  requiredKeys: (keyof T)[] = [],
): fc.Arbitrary<Partial<T>> => fc.record(model, { requiredKeys, noNullPrototype: true });

/** Platforms a stack may have, each always of the same pack: another one is refused while an environment has the platform. */
const PACKS = { web: 'tomcat', db: 'mysql', cache: 'play' } as const;
type PlatformName = keyof typeof PACKS;
const PLATFORMS = Object.keys(PACKS) as readonly PlatformName[];

/** Variables an assembly may have. */
const GLOBALS = ['LEVEL', 'KEY'];

const CLOUDS = ['east', 'west'] as const;
type CloudName = (typeof CLOUDS)[number];

/** Texts as people write them, and as they do not; `[]` and `{}` say nothing in an attribute. */
const text = fc.oneof(
  fc.constantFrom('', ' ', '0', 'true', 'null', '{"a": 1}', 'zwei\nZeilen\n', 'größer 🙂', 'a,b'),
  fc.string({ maxLength: 12 }),
);

/** A map with some of the given entries. */
const some = <T>(entries: { readonly [key: string]: fc.Arbitrary<T> }): fc.Arbitrary<{ readonly [key: string]: T }> =>
  fc.record(entries, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<{ readonly [key: string]: T }>;

const attachment = record({
  // What no variable answers stays as written, in a file's content.
  content: fc.oneof(text, fc.constant('$OO_LOCAL{port}')).filter((content) => content !== ''),
  path: fc.constantFrom('/etc/a', '/etc/b'),
});

const user: fc.Arbitrary<ComponentSpec> = record({
  type: fc.constant('user'),
  attributes: partial(
    {
      username: fc.constantFrom('deployer', 'robot'),
      description: text.filter((words) => words.trim() !== ''),
      sudoer: fc.boolean(),
      authorized_keys: fc.subarray(['ssh-rsa AAA', 'ssh-rsa BBB']),
    },
    ['username'],
  ),
  attachments: some({ motd: attachment }),
});

const job: fc.Arbitrary<ComponentSpec> = record({
  type: fc.constant('job'),
  attributes: record({ minute: fc.constantFrom('5', '10'), cmd: fc.constantFrom('true', 'sync') }),
});

const machine: fc.Arbitrary<ComponentSpec> = record({
  attributes: record({ size: fc.constantFrom('M', 'L', 'XL') }),
  attachments: some({ hosts: attachment }),
});

const components = some<ComponentSpec>({ compute: machine, deployer: user, extra: fc.oneof(user, job) });

/** Attachments are unique in their platform: of one name on two components the second is left out. */
function withUniqueAttachments(all: PlatformSpec['components'] = {}): NonNullable<PlatformSpec['components']> {
  const taken = new Set<string>();
  return Object.fromEntries(
    Object.entries(all).map(([name, { attachments = {}, ...component }]) => {
      const own = Object.entries(attachments).filter(([attachmentName]) => !taken.has(attachmentName));
      own.forEach(([attachmentName]) => taken.add(attachmentName));
      return [name, { ...component, attachments: Object.fromEntries(own) }];
    }),
  );
}

/** Plain or secret; what looks like other types is text. */
const variable: fc.Arbitrary<VariableSpec> = fc.oneof(
  fc.constantFrom('', 'info', '0', 'true', '512m', '{"a": 1}', 'zwei\nZeilen', 'größer 🙂', '$OO_GLOBAL{LEVEL}'),
  record({ encryptedValue: fc.constantFrom('k3y-one', 'k3y-two') }),
);

/** Variables that packs give their platforms themselves: a plain one and a secret. */
const PACK_VARIABLES: { readonly [pack: string]: readonly string[] } = { play: ['HEAP', 'SESSION_KEY'] };

const variables = (names: readonly string[]): fc.Arbitrary<Variables> =>
  some<VariableSpec>(Object.fromEntries(names.map((name) => [name, variable])));

const platform = (name: PlatformName): fc.Arbitrary<PlatformSpec> =>
  record({
    description: text,
    variables: variables(['HOME', ...(PACK_VARIABLES[PACKS[name]] ?? [])]),
    components,
    // Only those that come before: links in a circle are refused.
    links: fc.subarray([...PLATFORMS.slice(PLATFORMS.indexOf(name) + 1)]),
  }).map(({ description, components: parts, links, variables: own }) => ({
    pack: PACKS[name],
    links,
    variables: own,
    components: withUniqueAttachments(parts),
    ...(description.trim() === '' ? {} : { description }),
  }));

const SHARES = { pctScale: fc.constantFrom(50, 100, 200), dpmtOrder: fc.constantFrom(1, 2) };
const status = fc.constantFrom('active', 'inactive', 'offline');

const link: fc.Arbitrary<CloudSpec> = partial(SHARES);
/** Of a cloud that another one can stand in for. */
const spareLink: fc.Arbitrary<CloudSpec> = partial({ ...SHARES, adminstatus: status });
const ownLink: fc.Arbitrary<CloudSpec> = partial({ ...SHARES, adminstatus: status, priority: fc.constantFrom(1, 2) });

const clouds: fc.Arbitrary<{ readonly [cloud: string]: CloudSpec }> = record({
  primary: fc.constantFrom(...CLOUDS),
  second: fc.boolean(),
  secondIsPrimary: fc.boolean(),
  links: fc.tuple(link, spareLink),
}).map(({ primary, second, secondIsPrimary, links: [one, other] }) => {
  const rest = CLOUDS.find((cloud) => cloud !== primary) as CloudName;
  return {
    [primary]: { priority: 1, ...one },
    ...(second ? { [rest]: { priority: secondIsPrimary ? 1 : 2, ...other } } : {}),
  };
});

const ownLinks = some(Object.fromEntries(CLOUDS.map((cloud) => [cloud, ownLink])));

const environment: fc.Arbitrary<EnvironmentSpec> = record({
  clouds,
  description: text,
  variables: variables(GLOBALS),
  platforms: some(Object.fromEntries(PLATFORMS.map((name) => [name, ownLinks]))),
});

/** Stacks of some of these platforms and environments; what is said of platforms and clouds that a stack does not have is left out. */
export const stacksOf = (
  platformNames: readonly PlatformName[],
  environmentNames: readonly string[],
): fc.Arbitrary<StackSpec> =>
  record({
    platforms: some<PlatformSpec>(Object.fromEntries(platformNames.map((name) => [name, platform(name)]))),
    environments: some<EnvironmentSpec>(Object.fromEntries(environmentNames.map((name) => [name, environment]))),
    variables: variables(GLOBALS),
  }).map(withWhatIsThere);

/** A stack of up to three platforms and two environments. */
export const randomStack: fc.Arbitrary<StackSpec> = stacksOf(PLATFORMS, ['prod', 'dev']);

/** Availability of environments, and of single platforms. It is taken when a platform is pulled first, so it is always the same. */
const AVAILABILITY: { readonly [environment: string]: string } = { dev: 'redundant' };
const OWN_AVAILABILITY: { readonly [environment: string]: { readonly [platform: string]: string } } = {
  prod: { web: 'redundant' },
};

const picked = <T>(map: { readonly [name: string]: T }, isThere: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(map).filter(([name]) => isThere(name)));

function withWhatIsThere({
  platforms,
  environments,
  variables: globals,
}: {
  readonly platforms: NonNullable<StackSpec['platforms']>;
  readonly environments: NonNullable<StackSpec['environments']>;
  readonly variables: Variables;
}): StackSpec {
  const there = (name: string): boolean => name in platforms;
  const linked = Object.entries(platforms).map(([name, spec]) => [
    name,
    { ...spec, links: (spec.links ?? []).filter(there) },
  ]);
  // An environment of a design without platforms cannot be made.
  if (linked.length === 0) return { platforms: {}, environments: {}, variables: globals };
  return {
    variables: globals,
    platforms: Object.fromEntries(linked) as NonNullable<StackSpec['platforms']>,
    environments: Object.fromEntries(
      Object.entries(environments).map(([name, spec]) => {
        const known = withKnownClouds(spec, there);
        const availability = picked(OWN_AVAILABILITY[name] ?? {}, there);
        return [
          name,
          {
            ...known,
            availability: AVAILABILITY[name] ?? 'single',
            // An environment has the variables of its assembly.
            variables: picked(known.variables ?? {}, (variable) => variable in globals),
            ...(Object.keys(availability).length > 0 ? { platformAvailability: availability } : {}),
          },
        ];
      }),
    ),
  };
}

function withKnownClouds(spec: EnvironmentSpec, there: (platform: string) => boolean): EnvironmentSpec {
  const { description = '', platforms = {}, ...rest } = spec;
  const [primary] = Object.keys(spec.clouds ?? {});
  const own = Object.entries(platforms)
    .filter(([name]) => there(name))
    .map(([name, links]) => {
      const kept = Object.entries(links)
        .filter(([cloud]) => cloud in (spec.clouds ?? {}))
        .map(([cloud, texts]) => [cloud, cloud === primary ? stayingPrimary(texts) : texts] as const);
      return [name, Object.fromEntries(kept.filter(([, texts]) => Object.keys(texts).length > 0))];
    });
  return {
    ...rest,
    ...(description.trim() === '' ? {} : { description }),
    platforms: Object.fromEntries(own) as NonNullable<EnvironmentSpec['platforms']>,
  };
}

/** Without what would leave a platform no active primary: that is refused. */
const stayingPrimary = ({ priority: _, adminstatus: __, ...link }: CloudSpec): CloudSpec => link;
