// A small stack as plain data, and the resources a program that says so registers: as the YAML stack and the classes do it.
import { addressOf, scopeAt, type DeclaredRecord, type Derive, type Inputs } from '../../provider';
import { predecessorsOf, settle } from '../../provider/kinds/settled';
import { inOrder, fromState, reference, type Declared } from './engine-simulation';
import { kindOf } from './world';

export interface Options {
  readonly mark?: 'protect' | 'retain' | undefined;
}

/** A variable: its value, or the arguments of one. */
export type VariableSpec = string | ({ readonly value?: string; readonly encryptedValue?: string } & Options);

export interface Variables {
  readonly [name: string]: VariableSpec;
}

export interface ComponentSpec extends Options {
  /** Default: its name. */
  readonly type?: string;
  readonly attributes?: Inputs;
  readonly depends?: readonly string[];
  readonly adopt?: boolean;
  readonly attachments?: { readonly [name: string]: AttachmentSpec };
  readonly monitors?: { readonly [name: string]: Inputs };
}

interface AttachmentSpec extends Options {
  readonly content?: string;
  readonly [argument: string]: unknown;
}

export interface PlatformSpec extends Options {
  readonly pack?: string;
  readonly version?: string;
  readonly description?: string;
  readonly links?: readonly string[];
  readonly existing?: boolean;
  readonly adopt?: boolean;
  readonly components?: { readonly [name: string]: ComponentSpec };
  readonly variables?: Variables;
  /** Logical name, when it is not the platform's name. */
  readonly logical?: string;
}

export interface CloudSpec {
  readonly priority?: number;
  readonly pctScale?: number;
  readonly dpmtOrder?: number;
  readonly adminstatus?: string;
}

/** What an environment lays over one platform of its design. */
export interface OverrideSpec {
  readonly variables?: Variables;
  readonly components?: { readonly [name: string]: LaidComponentSpec };
}

/** What an environment lays over a component. */
interface LaidComponentSpec extends Omit<ComponentSpec, 'depends' | 'adopt'> {
  readonly touch?: string;
  readonly comments?: string;
}

/** What is switched and scaled on a platform of an environment. */
export interface SwitchesSpec extends Options {
  readonly enabled?: boolean;
  readonly autorepair?: boolean;
  readonly autoreplace?: boolean;
  readonly autoscale?: boolean;
  readonly autocomply?: boolean;
  readonly replaceAfterMinutes?: number;
  readonly replaceAfterRepairs?: number;
  readonly comments?: string;
  readonly adopt?: boolean;
  readonly scale?: { readonly [component: string]: { readonly [name: string]: number } };
}

export interface EnvironmentSpec extends Options {
  readonly clouds?: { readonly [cloud: string]: CloudSpec };
  readonly availability?: string;
  readonly description?: string;
  readonly platformAvailability?: { readonly [platform: string]: string };
  readonly recreatePlatforms?: readonly string[];
  readonly adopt?: boolean;
  /** Cloud configurations by platform and cloud. */
  readonly platforms?: { readonly [platform: string]: { readonly [cloud: string]: CloudSpec & Options } };
  readonly overrides?: { readonly [platform: string]: OverrideSpec };
  /** By platform. */
  readonly switches?: { readonly [platform: string]: SwitchesSpec };
  readonly relays?: { readonly [name: string]: Inputs };
  readonly variables?: Variables;
  /** Logical name, when it is not the environment's name. */
  readonly logical?: string;
  /** Arguments of the deployment; false: there is none. */
  readonly deploy?: Inputs | false;
}

export interface StackSpec {
  /** Default `shop`. */
  readonly assembly?: string;
  /** Logical name, when it is not the assembly's name. */
  readonly logical?: string;
  readonly existing?: boolean;
  readonly adopt?: boolean;
  readonly variables?: Variables;
  readonly platforms?: { readonly [name: string]: PlatformSpec };
  readonly environments?: { readonly [name: string]: EnvironmentSpec };
}

const out = (key: string, name: string) => reference([key], (outputs) => outputs?.[name]);

/** A resource, as the rules of what follows from it see it. */
interface DeclaredSpec extends DeclaredRecord {
  readonly declared: Declared;
}

function recordOf(declared: Declared): DeclaredSpec {
  const { token, args, mark } = declared;
  const words = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, nameIn(value)]));
  const of = scopeAt(kindOf(token), words) ?? kindOf(token);
  return { of, address: addressOf(of, words), args, declared, isRetained: mark === 'retain' };
}

const derived: Derive<DeclaredSpec> = (records, facts, make) =>
  reference(
    records.map(({ declared: { key } }) => key),
    (...outputs) =>
      make(
        records.map(({ declared: { args } }, index) =>
          Object.fromEntries(
            Object.entries(facts).map(([name, fact]) => {
              if ('output' in fact) return [name, outputs[index]?.[fact.output]];
              return [name, args['argument' in fact ? fact.argument : fact.entriesOf]];
            }),
          ),
        ),
      ),
  );

/** The same resources with what follows for each from all of them, as the SDK fills it in. */
export function settled(all: readonly Declared[]): readonly Declared[] {
  const records = all.map(recordOf);
  return records.map((own) => ({
    ...own.declared,
    args: { ...own.declared.args, ...settle(own, records, derived, fromState) },
    after: [...(own.declared.after ?? []), ...predecessorsOf(own, records).map(({ declared }) => declared.key)],
  }));
}

/** A reference to a name, with the name it will turn out to be. */
const named = (key: string, name: string) => Object.assign(out(key, 'name'), { name });

export const nameIn = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : String(value);

/** The name of a platform of the design; of one that the spec does not declare, which is its owner's, as a word. */
const platformNamed = ({ platforms }: StackSpec, name: string) => {
  const declared = platforms?.[name];
  return declared === undefined ? name : named(`Platform::${declared.logical ?? name}`, name);
};

/** What is in a record goes with it; in another user's it goes by itself. */
const takesAlong = ({ key, args }: Declared): Pick<Declared, 'deletedWith'> =>
  args['existing'] === true ? {} : { deletedWith: key };

export const variableArgs = (spec: VariableSpec): Inputs => {
  const { mark: _, ...args } = entryOf(spec);
  return args;
};

const entryOf = (spec: VariableSpec): Exclude<VariableSpec, string> =>
  typeof spec === 'string' ? { value: spec } : spec;

const resource = (token: string, name: string, args: Inputs, options: Partial<Declared> = {}): Declared => ({
  key: `${token}::${name}`,
  token,
  args,
  ...options,
});

/** A resource for each entry of a map, with the mark of the entry. */
const each = <T extends Options>(
  entries: { readonly [name: string]: T } = {},
  make: (name: string, args: Omit<T, 'mark'>) => Declared,
): readonly Declared[] => Object.entries(entries).map(([name, { mark, ...args }]) => ({ ...make(name, args), mark }));

/** The resources of a stack as a program declares them, each after what it needs. Links between parents and children are outputs, so that they replace along. */
export function declaredOf(spec: StackSpec): readonly Declared[] {
  const shop = spec.assembly ?? 'shop';
  const logical = spec.logical ?? shop;
  const assembly = resource('Assembly', logical, {
    name: shop,
    ...(spec.existing ? { existing: true } : { owner: 'team@acme.io' }),
    ...(spec.adopt ? { adopt: true } : {}),
  });
  const along = takesAlong(assembly);
  const parent = { assembly: named(assembly.key, shop) };
  return inOrder([
    assembly,
    ...variableResources('', parent, along, spec.variables),
    ...Object.entries(spec.platforms ?? {}).flatMap(([name, platform]) =>
      platformResources(spec, { parent, along }, shop, name, platform),
    ),
    resource('DesignRelease', logical, parent),
    ...Object.entries(spec.environments ?? {}).flatMap(([name, environment]) =>
      environmentResources(spec, parent, shop, name, environment),
    ),
  ]);
}

/** The same with what follows for each from all of them. */
export const resourcesOf = (spec: StackSpec): readonly Declared[] => inOrder(settled(declaredOf(spec)));

type Along = Pick<Declared, 'deletedWith'>;

const variableResources = (
  path: string,
  parents: Inputs,
  along: Along,
  variables: Variables = {},
): readonly Declared[] =>
  each(Object.fromEntries(Object.entries(variables).map(([name, spec]) => [name, entryOf(spec)])), (name, args) =>
    resource('Variable', `${path}variables/${name}`, { ...parents, name, ...args }, along),
  );

/** Attachments and monitors of a component, of the design or as an environment lays them over. */
const insideComponent = (
  token: 'Attachment' | 'EnvironmentAttachment',
  paths: { readonly attachments: string; readonly monitors: string },
  parents: Inputs,
  along: Along,
  { attachments, monitors }: { readonly [part in 'attachments' | 'monitors']: ComponentSpec[part] },
): readonly Declared[] => [
  ...each(attachments, (name, args) =>
    resource(token, `${paths.attachments}/${name}`, { ...parents, name, ...args }, along),
  ),
  ...each(monitors, (name, args) =>
    resource('Monitor', `${paths.monitors}/monitors/${name}`, { ...parents, name, ...args }, along),
  ),
];

function platformResources(
  spec: StackSpec,
  above: { readonly parent: Inputs; readonly along: Along },
  shop: string,
  name: string,
  { pack = 'custom', version = '1', components = {}, variables, logical = name, mark, links, ...args }: PlatformSpec,
): readonly Declared[] {
  const platform = resource(
    'Platform',
    logical,
    {
      ...above.parent,
      name,
      ...(args.existing ? {} : { source: 'oneops', pack, version }),
      ...args,
      ...(links === undefined ? {} : { links }),
    },
    {
      after: (links ?? []).map((link) => `Platform::${spec.platforms?.[link]?.logical ?? link}`),
      ...above.along,
      mark,
    },
  );
  const along = takesAlong(platform);
  const parents = { assembly: shop, platform: named(platform.key, name) };
  const inside = Object.entries(components).flatMap(
    ([component, { type = component, depends, attachments, monitors, mark: own, ...rest }]) => {
      const path = `${logical}/${component}`;
      const parent = resource(
        'Component',
        path,
        { ...parents, name: component, type, ...rest, ...(depends ? { depends } : {}) },
        { after: (depends ?? []).map((other) => `Component::${logical}/${other}`), ...along, mark: own },
      );
      const below = { assembly: shop, platform: name, component: named(parent.key, component) };
      const paths = { attachments: logical, monitors: path };
      return [parent, ...insideComponent('Attachment', paths, below, along, { attachments, monitors })];
    },
  );
  return [platform, ...variableResources(`platforms/${logical}/`, parents, along, variables), ...inside];
}

function environmentResources(
  spec: StackSpec,
  parent: Inputs,
  shop: string,
  name: string,
  {
    platforms = {},
    overrides = {},
    switches,
    relays,
    variables,
    deploy = {},
    mark,
    logical = name,
    ...args
  }: EnvironmentSpec,
): readonly Declared[] {
  const environment = resource('Environment', logical, { ...parent, name, ...args }, { mark });
  const parents = { assembly: shop, environment: named(environment.key, name) };
  const along = takesAlong(environment);
  const pathOf = (platform: string): string => `${logical}/${spec.platforms?.[platform]?.logical ?? platform}`;
  const placeOf = (platform: string): Inputs => ({ ...parents, platform: platformNamed(spec, platform) });
  return [
    environment,
    ...each(switches, (platform, own) =>
      resource('EnvironmentPlatform', pathOf(platform), { ...placeOf(platform), ...own }, along),
    ),
    ...Object.entries(platforms).flatMap(([platform, links]) =>
      each(links, (cloud, link) =>
        resource('CloudConfiguration', `${pathOf(platform)}/${cloud}`, { ...placeOf(platform), cloud, ...link }, along),
      ),
    ),
    ...Object.entries(overrides).flatMap(([platform, { variables: own, components }]) => [
      ...variableResources(
        `environments/${pathOf(platform).replace('/', '/platforms/')}/`,
        placeOf(platform),
        along,
        own,
      ),
      ...laidComponents(pathOf(platform), placeOf(platform), along, components),
    ]),
    ...variableResources(`environments/${logical}/`, parents, along, variables),
    ...each(relays, (relay, own) =>
      resource('Relay', `${logical}/relays/${relay}`, { ...parents, name: relay, ...own }, along),
    ),
    ...(deploy === false ? [] : [resource('Deployment', logical, { ...parents, ...deploy })]),
  ];
}

/** What an environment lays over components; one of which only attachments say something is no resource. */
const laidComponents = (
  path: string,
  place: Inputs,
  along: Along,
  components: OverrideSpec['components'] = {},
): readonly Declared[] =>
  Object.entries(components).flatMap(([component, { type = component, attachments, monitors, mark, ...own }]) => {
    const record = resource(
      'EnvironmentComponent',
      `${path}/${component}`,
      { ...place, component, type, ...own },
      { ...along, mark },
    );
    const paths = { attachments: path, monitors: `${path}/components/${component}` };
    return [
      ...(Object.keys(own).length > 0 ? [record] : []),
      ...insideComponent('EnvironmentAttachment', paths, { ...place, component }, along, { attachments, monitors }),
    ];
  });

export const withArgs = (all: readonly Declared[], tokens: readonly string[], args: Inputs): readonly Declared[] =>
  all.map((each) => (tokens.includes(each.token) ? { ...each, args: { ...each.args, ...args } } : each));

/** Resources of a stack, with what they do where others have left something open. */
export const whenBusy = (spec: StackSpec, word: string): readonly Declared[] =>
  withArgs(resourcesOf(spec), ['DesignRelease', 'Environment', 'Deployment'], { whenBusy: word });

/** A platform with a component that is described, and that has two attachments. */
export const WITH_DEPLOYER = {
  pack: 'custom',
  components: {
    deployer: {
      type: 'user',
      attributes: { username: 'deployer', description: 'deploys' },
      attachments: { motd: { content: 'hello', path: '/etc/motd' }, cron: { content: 'x', path: '/etc/cron' } },
    },
  },
};
