// The stacks that are measured, as data: so many assemblies, each with platforms, components,
// variables and attachments.
import type { ProgramResource } from '../../world/engine';

/** How many of each, in the one above it. */
export interface Shape {
  readonly assemblies: number;
  readonly platforms: number;
  /** In each platform; the first ones have the attachments. */
  readonly components: number;
  /** In each platform. */
  readonly variables: number;
  /** Components of each platform that have attachments. */
  readonly holders: number;
  /** On each of those. */
  readonly attachments: number;
  /** Of each assembly. */
  readonly globals: number;
}

/** The two sizes, by their number of resources. */
export const SHAPES: { readonly [resources: string]: Shape } = {
  100: { assemblies: 1, platforms: 4, components: 8, variables: 5, holders: 2, attachments: 5, globals: 2 },
  1000: { assemblies: 2, platforms: 4, components: 40, variables: 22, holders: 2, attachments: 30, globals: 6 },
};

/** `4 platforms, each with 8 components, …`, for a reader. */
export const describe = (shape: Shape): string =>
  `${shape.assemblies === 1 ? 'one assembly' : `${shape.assemblies} assemblies, each`} with ${shape.globals} variables, a design release and ${shape.platforms} platforms; ` +
  `each platform with ${shape.components} components, ${shape.variables} variables and ${shape.holders * shape.attachments} attachments on ${shape.holders} of the components`;

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** The resources, parents first. `revision`: how often the content of one attachment changed. */
export function resourcesOf(shape: Shape, revision = 0): readonly ProgramResource[] {
  return range(shape.assemblies).flatMap((number) => assemblyOf(shape, `shop${number}`, number === 0 ? revision : 0));
}

function assemblyOf(shape: Shape, assembly: string, revision: number): readonly ProgramResource[] {
  const within = { assembly: { resource: `Assembly::${assembly}` } };
  return [
    { token: 'Assembly', name: assembly, args: { name: assembly, owner: 'team@acme.io', description: 'Shop' } },
    ...range(shape.globals).map((number) => variable(assembly, `GLOBAL_${number}`, within)),
    ...range(shape.platforms).flatMap((number) =>
      platformOf(shape, assembly, `web${number}`, number === 0 ? revision : 0),
    ),
    { token: 'DesignRelease', name: assembly, args: within },
  ];
}

function platformOf(shape: Shape, assembly: string, platform: string, revision: number): readonly ProgramResource[] {
  const path = `${assembly}/${platform}`;
  const within = { platform: { resource: `Platform::${path}` } };
  const pack = { source: 'oneops', pack: 'custom', version: '1' };
  const args = { assembly: { resource: `Assembly::${assembly}` }, name: platform, ...pack, description: 'Front' };
  return [
    { token: 'Platform', name: path, args },
    ...range(shape.variables).map((number) => variable(path, `LEVEL_${number}`, within)),
    ...range(shape.components).flatMap((number) => {
      const name = `user${number}`;
      const attributes = { username: name, description: `User ${number}`, sudoer: true };
      const component = {
        token: 'Component',
        name: `${path}/${name}`,
        args: { ...within, name, type: 'user', attributes },
      };
      const count = number < shape.holders ? shape.attachments : 0;
      return [
        component,
        ...range(count).map((file) => attachment(path, name, file, number + file === 0 ? revision : 0)),
      ];
    }),
  ];
}

const variable = (path: string, name: string, within: object): ProgramResource => ({
  token: 'Variable',
  name: `${path}/${name}`,
  args: { ...within, name, value: `value of ${name}` },
});

const attachment = (path: string, component: string, number: number, revision: number): ProgramResource => ({
  token: 'Attachment',
  name: `${path}/${component}/file${number}`,
  args: {
    component: { resource: `Component::${path}/${component}` },
    name: `${component}-file${number}`,
    path: `/etc/shop/${component}/file${number}`,
    content: `text ${number} of ${component}, revision ${revision}`,
    runsOn: ['after-add', 'after-update'],
  },
});
