// A small stack as plain data, and the resources a program that says so registers: as the YAML stack and the classes do it.
import { addressOf, scopeAt, type DeclaredRecord, type Derive, type Inputs } from '../../provider';
import { predecessorsOf, settle } from '../../provider/kinds/settled';
import { inOrder, fromState, reference, type Declared } from './engine-simulation';
import { kindOf } from './world';

/** What the engine's options say. */
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
interface LaidComponentSpec extends Options {
  /** Default: its name. */
  readonly type?: string;
  readonly attributes?: Inputs;
  readonly touch?: string;
  readonly comments?: string;
  readonly attachments?: { readonly [name: string]: AttachmentSpec };
  readonly monitors?: { readonly [name: string]: Inputs };
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
  /** Mail relays, by name. */
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
  return { of, address: addressOf(of, words), args, mark, declared };
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

/** The name that a value is, or refers to. */
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

/** The resources of a stack, in the order a program constructs them. Links between parents and children are outputs, so that they replace along. */
export function resourcesOf(spec: StackSpec): readonly Declared[] {
  const shop = spec.assembly ?? 'shop';
  const assembly: Declared = {
    key: `Assembly::${spec.logical ?? shop}`,
    token: 'Assembly',
    args: {
      name: shop,
      ...(spec.existing ? { existing: true } : { owner: 'team@acme.io' }),
      ...(spec.adopt ? { adopt: true } : {}),
    },
  };
  const globals = variableResources('', { assembly: named(assembly.key, shop) }, takesAlong(assembly), spec.variables);
  const platforms = Object.entries(spec.platforms ?? {}).flatMap(([name, platform]) =>
    platformResources(spec, assembly, shop, name, platform),
  );
  const design = [...globals, ...platforms];
  const release: Declared = {
    key: `DesignRelease::${spec.logical ?? shop}`,
    token: 'DesignRelease',
    args: { assembly: named(assembly.key, shop) },
    ...takesAlong(assembly),
  };
  const environments = Object.entries(spec.environments ?? {}).flatMap(([name, environment]) =>
    environmentResources(spec, assembly, shop, name, environment),
  );
  return inOrder(settled([assembly, ...design, release, ...environments]));
}

/** Arguments of a variable. */
export const variableArgs = (spec: VariableSpec): Inputs => {
  if (typeof spec === 'string') return { value: spec };
  const { mark: _, ...args } = spec;
  return args;
};

function variableResources(
  path: string,
  parents: Inputs,
  along: Pick<Declared, 'deletedWith'>,
  variables: Variables = {},
): readonly Declared[] {
  return Object.entries(variables).map(([name, spec]) => ({
    key: `Variable::${path}variables/${name}`,
    token: 'Variable',
    args: { ...parents, name, ...variableArgs(spec) },
    ...along,
    mark: typeof spec === 'string' ? undefined : spec.mark,
  }));
}

function platformResources(
  spec: StackSpec,
  assembly: Declared,
  shop: string,
  name: string,
  { pack = 'custom', version = '1', components = {}, variables, logical = name, mark, links, ...args }: PlatformSpec,
): readonly Declared[] {
  const platform: Declared = {
    key: `Platform::${logical}`,
    token: 'Platform',
    args: {
      assembly: named(assembly.key, shop),
      name,
      ...(args.existing ? {} : { source: 'oneops', pack, version }),
      ...args,
      ...(links === undefined ? {} : { links }),
    },
    after: (links ?? []).map((link) => `Platform::${spec.platforms?.[link]?.logical ?? link}`),
    ...takesAlong(assembly),
    mark,
  };
  const inside = Object.entries(components).flatMap(([componentName, component]) => {
    const { type = componentName, attributes, depends, adopt, attachments = {}, monitors = {}, mark: own } = component;
    const parent: Declared = {
      key: `Component::${logical}/${componentName}`,
      token: 'Component',
      args: {
        assembly: shop,
        platform: named(platform.key, name),
        name: componentName,
        type,
        ...(attributes ? { attributes } : {}),
        ...(depends ? { depends } : {}),
        ...(adopt ? { adopt } : {}),
      },
      after: (depends ?? []).map((other) => `Component::${logical}/${other}`),
      ...takesAlong(platform),
      mark: own,
    };
    const children = Object.entries(attachments).map(([attachmentName, { mark: its, ...rest }]): Declared => ({
      key: `Attachment::${logical}/${attachmentName}`,
      token: 'Attachment',
      args: {
        assembly: shop,
        platform: name,
        component: named(parent.key, componentName),
        name: attachmentName,
        ...rest,
      },
      ...takesAlong(platform),
      mark: its,
    }));
    const checks = Object.entries(monitors).map(([monitor, rest]): Declared => ({
      key: `Monitor::${logical}/${componentName}/monitors/${monitor}`,
      token: 'Monitor',
      args: {
        assembly: shop,
        platform: name,
        component: named(parent.key, componentName),
        name: monitor,
        ...rest,
      },
      ...takesAlong(platform),
    }));
    return [parent, ...children, ...checks];
  });
  const parents = { assembly: shop, platform: named(platform.key, name) };
  return [platform, ...variableResources(`platforms/${logical}/`, parents, takesAlong(platform), variables), ...inside];
}

/** What an environment lays over components; one of which only attachments say something is no resource. */
function laidComponents(
  path: string,
  place: Inputs,
  along: Pick<Declared, 'deletedWith'>,
  components: OverrideSpec['components'] = {},
): readonly Declared[] {
  return Object.entries(components).flatMap(
    ([component, { type = component, attachments = {}, monitors = {}, mark, ...own }]) => {
      const record: Declared = {
        key: `EnvironmentComponent::${path}/${component}`,
        token: 'EnvironmentComponent',
        args: { ...place, component, type, ...own },
        ...along,
        mark,
      };
      const inside = Object.entries(attachments).map(([name, { mark: its, ...args }]): Declared => ({
        key: `EnvironmentAttachment::${path}/${name}`,
        token: 'EnvironmentAttachment',
        args: { ...place, component, name, ...args },
        ...along,
        mark: its,
      }));
      const checks = Object.entries(monitors).map(([name, args]): Declared => ({
        key: `Monitor::${path}/components/${component}/monitors/${name}`,
        token: 'Monitor',
        args: { ...place, component, name, ...args },
        ...along,
      }));
      return [...(Object.keys(own).length > 0 ? [record] : []), ...inside, ...checks];
    },
  );
}

function environmentResources(
  spec: StackSpec,
  assembly: Declared,
  shop: string,
  name: string,
  {
    clouds,
    platforms = {},
    overrides = {},
    switches = {},
    relays = {},
    variables,
    deploy = {},
    mark,
    logical: id = name,
    ...args
  }: EnvironmentSpec,
): readonly Declared[] {
  const environment: Declared = {
    key: `Environment::${id}`,
    token: 'Environment',
    args: {
      assembly: named(assembly.key, shop),
      name,
      ...(clouds ? { clouds } : {}),
      ...args,
    },
    mark,
  };
  const configurations = Object.entries(platforms).flatMap(([platform, links]) =>
    Object.entries(links).map(([cloud, { mark: own, ...link }]): Declared => {
      const logical = spec.platforms?.[platform]?.logical ?? platform;
      return {
        key: `CloudConfiguration::${id}/${logical}/${cloud}`,
        token: 'CloudConfiguration',
        args: {
          assembly: shop,
          environment: named(environment.key, name),
          platform: platformNamed(spec, platform),
          cloud,
          ...link,
        },
        ...takesAlong(environment),
        mark: own,
      };
    }),
  );
  const parents = { assembly: shop, environment: named(environment.key, name) };
  const switched = Object.entries(switches).map(([platform, { mark: own, ...rest }]): Declared => {
    const logical = spec.platforms?.[platform]?.logical ?? platform;
    const args = { ...parents, platform: platformNamed(spec, platform), ...rest };
    const key = `EnvironmentPlatform::${id}/${logical}`;
    return { key, token: 'EnvironmentPlatform', args, ...takesAlong(environment), mark: own };
  });
  const values = variableResources(`environments/${id}/`, parents, takesAlong(environment), variables);
  const laidOver = Object.entries(overrides).flatMap(([platform, { variables: own, components }]) => {
    const logical = spec.platforms?.[platform]?.logical ?? platform;
    const place = { ...parents, platform: platformNamed(spec, platform) };
    const along = takesAlong(environment);
    return [
      ...variableResources(`environments/${id}/platforms/${logical}/`, place, along, own),
      ...laidComponents(`${id}/${logical}`, place, along, components),
    ];
  });
  const mails = Object.entries(relays).map(([relay, own]): Declared => ({
    key: `Relay::${id}/relays/${relay}`,
    token: 'Relay',
    args: { ...parents, name: relay, ...own },
    ...takesAlong(environment),
  }));
  const inside = [...switched, ...configurations, ...laidOver, ...values, ...mails];
  if (deploy === false) return [environment, ...inside];
  return [
    environment,
    ...inside,
    {
      key: `Deployment::${id}`,
      token: 'Deployment',
      args: {
        assembly: shop,
        environment: named(environment.key, name),
        ...deploy,
      },
    },
  ];
}

/** Resources with further arguments of those of some kinds. */
export const withArgs = (all: readonly Declared[], tokens: readonly string[], args: Inputs): readonly Declared[] =>
  all.map((each) => (tokens.includes(each.token) ? { ...each, args: { ...each.args, ...args } } : each));

/** Resources of a stack, with what they do where others have left something open. */
export const whenBusy = (spec: StackSpec, word: string): readonly Declared[] =>
  withArgs(resourcesOf(spec), ['DesignRelease', 'Environment', 'Deployment'], { whenBusy: word });
