// A stack of the stories as a program that the real engine runs: the same logical names as in process, parents as resource objects.
import { keyOf, type ProgramResource } from './engine';
import {
  variableArgs,
  type CloudSpec,
  type EnvironmentSpec,
  type Options,
  type OverrideSpec,
  type PlatformSpec,
  type StackSpec,
  type Variables,
} from './stack-spec';

const resource = (token: string, name: string) => ({ resource: keyOf({ token, name }) });

type Parents = { readonly [argument: string]: { readonly resource: string } };

/** Resource options a mark stands for. */
const marked = (mark: Options['mark'], options: ProgramResource['options'] = {}): Pick<ProgramResource, 'options'> => {
  const all = {
    ...options,
    ...(mark === 'protect' ? { protect: true } : {}),
    ...(mark === 'retain' ? { retainOnDelete: true } : {}),
  };
  return Object.keys(all).length > 0 ? { options: all } : {};
};

/** The program of a stack, parents first. `former`: logical names of platforms that are aliases of the present ones. */
export function programOfSpec(
  spec: StackSpec,
  former: { readonly [logical: string]: string } = {},
): readonly ProgramResource[] {
  const name = spec.assembly ?? 'shop';
  const logical = spec.logical ?? name;
  const parents = { assembly: resource('Assembly', logical) };
  const own = spec.existing ? { existing: true } : { owner: 'team@acme.io' };
  return [
    { token: 'Assembly', name: logical, args: { name, ...own } },
    // What the class of an assembly declares with itself.
    { token: 'DesignRelease', name: logical, args: parents },
    ...variables('', parents, spec.variables),
    ...linkedFirst(spec).flatMap(([platform, declared]) => platformOf(spec, parents, platform, declared, former)),
    ...Object.entries(spec.environments ?? {}).flatMap(([environment, declared]) =>
      environmentOf(spec, parents, environment, declared),
    ),
  ];
}

/** Platforms, each after those it links to: a program can name only what it has declared. */
function linkedFirst({ platforms = {} }: StackSpec): readonly (readonly [string, PlatformSpec])[] {
  const ordered = new Map<string, PlatformSpec>();
  const add = (name: string): void => {
    const declared = platforms[name];
    if (declared === undefined || ordered.has(name)) return;
    declared.links?.forEach(add);
    ordered.set(name, declared);
  };
  Object.keys(platforms).forEach(add);
  return [...ordered];
}

function variables(path: string, parents: Parents, declared: Variables = {}): readonly ProgramResource[] {
  return Object.entries(declared).map(([name, variable]) => ({
    token: 'Variable',
    name: `${path}variables/${name}`,
    args: { ...parents, name, ...variableArgs(variable) },
    ...marked(typeof variable === 'string' ? undefined : variable.mark),
  }));
}

function platformOf(
  spec: StackSpec,
  parents: Parents,
  name: string,
  declared: PlatformSpec,
  former: { readonly [logical: string]: string },
): readonly ProgramResource[] {
  const {
    pack = 'custom',
    version = '1',
    components = {},
    variables: own,
    logical = name,
    mark,
    links,
    ...args
  } = declared;
  const alias = (path: string): ProgramResource['options'] =>
    former[logical] === undefined ? {} : { aliases: [{ name: `${former[logical]}${path}` }] };
  const platform: ProgramResource = {
    token: 'Platform',
    name: logical,
    args: {
      ...parents,
      name,
      ...(args.existing ? {} : { source: 'oneops', pack, version }),
      ...args,
      // What is not declared is named as a person would name it, and refused as it would be.
      ...(links
        ? {
            links: links.map((link) => {
              const other = spec.platforms?.[link];
              return other ? resource('Platform', other.logical ?? link) : link;
            }),
          }
        : {}),
    },
    ...marked(mark, alias('')),
  };
  const inside = Object.entries(components).flatMap(([component, declaredComponent]) => {
    const { type = component, attributes, depends, attachments = {}, monitors = {}, mark: its } = declaredComponent;
    const path = `${logical}/${component}`;
    return [
      {
        token: 'Component',
        name: path,
        args: {
          platform: resource('Platform', logical),
          name: component,
          type,
          ...(attributes ? { attributes } : {}),
          ...(depends ? { depends: depends.map((other) => resource('Component', `${logical}/${other}`)) } : {}),
        },
        ...marked(its, alias(`/${component}`)),
      },
      ...Object.entries(attachments).map(([attachment, { mark: own, ...rest }]) => ({
        token: 'Attachment',
        name: `${logical}/${attachment}`,
        args: { component: resource('Component', path), name: attachment, ...rest },
        ...marked(own, alias(`/${attachment}`)),
      })),
      ...Object.entries(monitors).map(([monitor, own]) => ({
        token: 'Monitor',
        name: `${path}/monitors/${monitor}`,
        args: { component: resource('Component', path), name: monitor, ...own },
      })),
    ];
  });
  return [platform, ...variables(`platforms/${logical}/`, { platform: resource('Platform', logical) }, own), ...inside];
}

/** What an environment lays over the components of a platform; one of which only parts are declared is no resource. */
const laidOver = (
  path: string,
  place: Parents,
  components: OverrideSpec['components'] = {},
): readonly ProgramResource[] =>
  Object.entries(components).flatMap(
    ([component, { type = component, attachments = {}, monitors = {}, mark, ...own }]): readonly ProgramResource[] => [
      ...(Object.keys(own).length > 0
        ? [
            {
              token: 'EnvironmentComponent',
              name: `${path}/${component}`,
              args: { ...place, component, type, ...own },
              ...marked(mark),
            },
          ]
        : []),
      ...Object.entries(attachments).map(([name, { mark: its, ...args }]) => ({
        token: 'EnvironmentAttachment',
        name: `${path}/${name}`,
        args: { ...place, component, name, ...args },
        ...marked(its),
      })),
      ...Object.entries(monitors).map(([name, args]) => ({
        token: 'Monitor',
        name: `${path}/components/${component}/monitors/${name}`,
        args: { ...place, component, name, ...args },
      })),
    ],
  );

function environmentOf(
  spec: StackSpec,
  parents: Parents,
  name: string,
  declared: EnvironmentSpec,
): readonly ProgramResource[] {
  const { clouds, platforms = {}, variables: own, deploy = {}, mark, logical = name, ...others } = declared;
  const { switches = {}, overrides = {}, relays = {}, ...args } = others;
  const environment = resource('Environment', logical);
  const logicalOf = (platform: string): string => spec.platforms?.[platform]?.logical ?? platform;
  const placeOf = (platform: string): Parents => ({
    environment,
    platform: resource('Platform', logicalOf(platform)),
  });
  const switched = Object.entries(switches).map(([platform, { mark: its, ...rest }]) => ({
    token: 'EnvironmentPlatform',
    name: `${logical}/${logicalOf(platform)}`,
    args: { ...placeOf(platform), ...rest },
    ...marked(its),
  }));
  const laid = Object.entries(overrides).flatMap(([platform, { variables: values, components }]) => [
    ...variables(`environments/${logical}/platforms/${logicalOf(platform)}/`, placeOf(platform), values),
    ...laidOver(`${logical}/${logicalOf(platform)}`, placeOf(platform), components),
  ]);
  const mails = Object.entries(relays).map(([relay, its]) => ({
    token: 'Relay',
    name: `${logical}/relays/${relay}`,
    args: { environment, name: relay, ...its },
  }));
  const configurations = Object.entries(platforms).flatMap(([platform, links]) => {
    return Object.entries(links).map(([cloud, { mark: its, ...link }]: [string, CloudSpec & Options]) => ({
      token: 'CloudConfiguration',
      name: `${logical}/${logicalOf(platform)}/${cloud}`,
      args: { ...placeOf(platform), cloud, ...link },
      ...marked(its),
    }));
  });
  return [
    {
      token: 'Environment',
      name: logical,
      args: { ...parents, name, ...(clouds ? { clouds } : {}), ...args },
      ...marked(mark),
    },
    ...switched,
    ...configurations,
    ...laid,
    ...mails,
    ...variables(`environments/${logical}/`, { environment }, own),
    ...(deploy === false ? [] : [{ token: 'Deployment', name: logical, args: { environment, ...deploy } }]),
  ];
}
