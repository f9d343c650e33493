// A stack that contains a sample of every kind, and what becomes of it in each promise: for the suite on the engine.
import type { Dialect } from '../../api/contract';
import { addressNames, scopesOf, type Inputs, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import { settledNames } from '../../provider/kinds/settled';
import { keyOf, type ProgramResource } from './engine';
import { titleOf } from './world';

/** `create`: every value of the sample; `update`: other values; `bare`: what is required alone; `replace`: another address or a fixed field. */
export type Variant = 'create' | 'update' | 'bare' | 'replace';

/** Where samples live, and what they refer to: nothing of it changes. */
const HOMES: readonly ProgramResource[] = [
  { token: 'Assembly', name: 'home', args: { owner: 'team@acme.io' } },
  {
    token: 'Platform',
    name: 'web',
    args: { assembly: { resource: 'Assembly::home' }, source: 'oneops', pack: 'custom', version: '1' },
  },
  {
    token: 'Component',
    name: 'parent',
    args: { platform: { resource: 'Platform::web' }, type: 'user', attributes: { username: 'parent' } },
  },
  {
    token: 'Component',
    name: 'nightly',
    args: { platform: { resource: 'Platform::web' }, type: 'job', attributes: { minute: '1' } },
  },
  ...['db', 'cache'].map((name) => ({
    token: 'Platform',
    name,
    args: { assembly: { resource: 'Assembly::home' }, source: 'oneops', pack: 'custom', version: '1' },
  })),
  // What samples of an environment are laid over, and a secret.
  ...['laid-over', 'laid-over-two'].map((name) => ({
    token: 'Variable',
    name,
    args: { assembly: { resource: 'Assembly::home' }, value: 'of the design' },
  })),
  ...['laid-over-file', 'laid-over-file-two'].map((name) => ({
    token: 'Attachment',
    name,
    args: { component: { resource: 'Component::parent' }, path: '/etc/motd', source: 'http://files.acme.io/motd' },
  })),
  ...['laid-over-check', 'laid-over-check-two'].map((name) => ({
    token: 'Monitor',
    name,
    args: { component: { resource: 'Component::parent' }, cmd: 'check' },
  })),
  ...['laid-over-web', 'laid-over-web-two'].map((name) => ({
    token: 'Variable',
    name,
    args: { platform: { resource: 'Platform::web' }, value: 'of the design' },
  })),
  {
    token: 'Variable',
    name: 'key',
    args: { assembly: { resource: 'Assembly::home' }, encryptedValue: 's3cret-variable' },
  },
  { token: 'Cloud', name: 'north', args: { location: 'aws' } },
  { token: 'Cloud', name: 'south', args: { location: 'aws' } },
];

/** The environment of samples: after every design sample, so that its first pull includes them. */
const ENVIRONMENT: ProgramResource = {
  token: 'Environment',
  name: 'prod',
  args: {
    assembly: { resource: 'Assembly::home' },
    clouds: { east: { priority: 1 }, west: { priority: 1 } },
    platformAvailability: { db: 'redundant', cache: 'redundant' },
  },
};

/** What an address argument of a sample is given. */
const PLACES: { readonly [argument: string]: unknown } = {
  assembly: { resource: 'Assembly::home' },
  platform: { resource: 'Platform::web' },
  component: { resource: 'Component::parent' },
  environment: { resource: 'Environment::prod' },
  cloud: 'west',
};

/**
 * Places of kinds that live elsewhere: a service in its own cloud, what is done to instances with a component that has some, clouds that are
 * inactive apart from what is done to instances.
 */
const OWN_PLACES: { readonly [token: string]: Inputs } = {
  EnvironmentPlatform: { platform: { resource: 'Platform::db' } },
  CloudConfiguration: { platform: { resource: 'Platform::db' } },
  CloudService: { cloud: { resource: 'Cloud::north' } },
  Procedure: { component: 'compute' },
  InstanceReplacement: { component: 'compute' },
};

/** What a sample comes after, besides what its arguments name. */
const AFTER: { readonly [token: string]: readonly string[] } = {
  Procedure: ['Deployment::sample'],
  Platform: ['Platform::db'],
  Component: ['Component::parent', 'Component::nightly'],
};

/** Own names of samples that cannot have just any. */
const NAMES: { readonly [title: string]: string } = {
  'Variable of Environment': 'laid-over',
  'Variable of Platform in Environment': 'laid-over-web',
  EnvironmentAttachment: 'laid-over-file',
  'Monitor of Component in Environment': 'laid-over-check',
};

const nameOf = (of: Kind): string => NAMES[titleOf(of)] ?? of.sample.name ?? 'sample';

/** Kinds in each of their scopes: what has a sample. */
export const SAMPLED: readonly Kind[] = kinds.flatMap(scopesOf);

/** What the program's other resources call a kind's sample: `Platform::sample`, `Variable::sample-of-Platform`. */
export const sampleKey = (of: Kind): string => keyOf({ token: of.token, name: sampleName(of) });

const sampleName = (of: Kind): string => titleOf(of).replace(of.token, 'sample').replaceAll(' ', '-');

/** The kind, in its scope, whose sample has a key; undefined for what is no sample. */
export const sampledAs = (key: string): Kind | undefined => SAMPLED.find((of) => sampleKey(of) === key);

/** What a sample's other address is, where no name of its own can change. */
const OTHER_PLACES: { readonly [token: string]: Inputs } = {
  // It switches its platform off, and of web instances are needed.
  EnvironmentPlatform: { platform: { resource: 'Platform::cache' } },
  CloudConfiguration: { cloud: 'east' },
  EnvironmentComponent: {
    component: { resource: 'Component::nightly' },
    type: 'job',
    attributes: { minute: '5' },
  },
  CloudService: { cloud: { resource: 'Cloud::south' } },
};

/** Kinds that are replaced by a new name, although their sample has a value that replaces, and why. */
const RENAMED: { readonly [token: string]: string } = {
  Platform: 'a new pack is refused while an environment has the platform',
};

/** What cannot be left out besides what is required, and why. */
const STAYING: { readonly [path: string]: string } = {
  'Component.attributes': 'its user name is required by its class',
  'Assembly.owner': 'its class requires one, so what is no longer declared stays as it is',
  'Cloud.location': 'required of a cloud that is not only referred to',
  'Variable.value': 'a variable has a value, or an encrypted one',
  'Relay.emails': 'a relay of the stack has somebody to mail',
  'CloudService.attributes': 'its class requires an endpoint, a tenant and who logs in',
  'Environment.clouds': 'an environment without clouds has no primary: a story of its own',
  'Environment.availability': 'platforms keep the availability of their first pull, so another one is refused',
  'Environment.platformAvailability': 'the same',
};

/** Arguments that the program settles by itself are left to it. */
const isSettled = (of: Kind, name: string): boolean => settledNames(of).includes(name);

const staying = (of: Kind, dialect: Dialect, name: string): boolean =>
  of.fields[name]?.required === true ||
  [`${of.token}.${name}`, `${dialect} ${of.token}.${name}`].some((path) => path in STAYING);

/** Where the sample of a kind lives: names of its parents; a parent that a nearer one knows is left out. */
function placeOf(of: Kind): Inputs {
  const names = addressNames(of).filter((name) => name !== 'name');
  const farther = of.within ? addressNames(of.within).filter((name) => name !== 'name') : [];
  const near = names.filter((name) => !farther.includes(name));
  return Object.fromEntries(near.map((name) => [name, OWN_PLACES[of.token]?.[name] ?? PLACES[name]]));
}

function sampleArgs(of: Kind, variant: Variant, dialect: Dialect): Inputs {
  const { create, update = {}, replace } = of.sample;
  const full = Object.fromEntries(Object.entries(create as Inputs).filter(([name]) => !isSettled(of, name)));
  const place = { ...placeOf(of), ...(of.named ? { name: nameOf(of) } : {}) };
  switch (variant) {
    case 'create':
      return { ...place, ...full };
    case 'update':
      return {
        ...place,
        ...full,
        ...Object.fromEntries(Object.entries(update).filter(([name]) => !isSettled(of, name))),
      };
    case 'bare':
      return { ...place, ...Object.fromEntries(Object.entries(full).filter(([name]) => staying(of, dialect, name))) };
    case 'replace': {
      if (replace !== undefined && !(of.token in RENAMED)) return { ...place, ...full, ...replace };
      const moved = OTHER_PLACES[of.token] ?? { name: `${nameOf(of)}-two` };
      return { ...place, ...full, ...(of.named || of.token in OTHER_PLACES ? moved : {}) };
    }
  }
}

function sampleOf(of: Kind, variant: Variant, dialect: Dialect): ProgramResource {
  const after = AFTER[of.token]?.map((resource) => ({ resource }));
  const sample = { token: of.token, name: sampleName(of), args: sampleArgs(of, variant, dialect) };
  return { ...sample, ...(after ? { options: { dependsOn: after } } : {}) };
}

/** The complete program: homes and samples, parents first. */
export function programOf(variant: Variant, dialect: Dialect): readonly ProgramResource[] {
  const isInside = (of: Kind): boolean => addressNames(of).includes('environment');
  const samples = (which: (of: Kind) => boolean): readonly ProgramResource[] =>
    SAMPLED.filter(which).map((of) => sampleOf(of, variant, dialect));
  const ofEnvironments: ProgramResource = {
    token: 'Deployment',
    name: 'second',
    args: { environment: { resource: 'Environment::sample' } },
  };
  return [
    ...HOMES,
    ...samples((of) => of.token !== 'Environment' && !isInside(of)),
    ENVIRONMENT,
    ...samples(({ token }) => token === 'Environment'),
    ...samples(isInside),
    ofEnvironments,
  ];
}
