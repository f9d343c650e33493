// A stack that holds a sample of every kind, and what becomes of it in each promise: for the suite on the engine.
// It must not know the engine, nor how a promise is judged.
import type { Dialect } from '../../api/contract';
import { addressNames, kinds, type Inputs, type Kind } from '../../provider';
import { deferredNames } from '../../sdk';
import { type ProgramResource } from '../engine';
import { kindOf } from './world';

/** `create`: every value of the sample; `update`: other values; `bare`: what is required alone; `replace`: another address or a fixed field. */
export type Variant = 'create' | 'update' | 'bare' | 'replace';

/** Where samples live: nothing of it changes. */
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
  { token: 'Cloud', name: 'north', args: { location: 'aws' } },
  { token: 'Cloud', name: 'south', args: { location: 'aws' } },
];

/** The environment of samples: after every design sample, so that its first pull takes them along. */
const ENVIRONMENT: ProgramResource = {
  token: 'Environment',
  name: 'prod',
  args: { assembly: { resource: 'Assembly::home' }, clouds: { east: { priority: 1 }, west: { priority: 2 } } },
};

/** What an address argument of a sample is given. */
const PLACES: { readonly [argument: string]: unknown } = {
  assembly: { resource: 'Assembly::home' },
  platform: { resource: 'Platform::web' },
  component: { resource: 'Component::parent' },
  environment: { resource: 'Environment::prod' },
  cloud: 'west',
};

/** Places of kinds that live elsewhere: a service in a cloud of its own, what is done to instances with a component that has some. */
const OWN_PLACES: { readonly [token: string]: Inputs } = {
  CloudService: { cloud: { resource: 'Cloud::north' } },
  Procedure: { component: 'compute' },
  InstanceReplacement: { component: 'compute' },
};

/** What a sample comes after, besides what its arguments name. */
const AFTER: { readonly [token: string]: readonly string[] } = { Procedure: ['Deployment::sample'] };

/** What a sample's other address is, where no name of its own can change. */
const OTHER_PLACES: { readonly [token: string]: Inputs } = {
  CloudConfiguration: { cloud: 'east' },
  CloudService: { cloud: { resource: 'Cloud::south' } },
};

/** Kinds that are replaced by a new name, although their sample has a value that replaces, and why. */
const RENAMED: { readonly [token: string]: string } = {
  Platform: 'a new pack is refused while an environment has the platform',
};

/** What cannot be left out besides what is required, and why. */
const STAYING: { readonly [path: string]: string } = {
  'Component.attributes': 'its user name is required by its class',
  'classic Assembly.owner': 'the live service demands an owner',
  'Cloud.location': 'required of a cloud that is not only referred to',
  'Variable.value': 'a variable has a value, or an encrypted one',
  'CloudService.attributes': 'its class requires an endpoint, a tenant and who logs in',
  'Environment.clouds': 'an environment without clouds has no primary: a story of its own',
};

/** Arguments that the program settles by itself are left to it. */
const isSettled = (of: Kind, name: string): boolean => deferredNames(of.token).includes(name);

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

/** The arguments of a kind's sample in a variant, address included. */
export function sampleArgs(of: Kind, variant: Variant, dialect: Dialect): Inputs {
  const { create, update = {}, replace } = of.sample;
  const full = Object.fromEntries(Object.entries(create as Inputs).filter(([name]) => !isSettled(of, name)));
  const place = { ...placeOf(of), ...(of.named ? { name: of.sample.name ?? 'sample' } : {}) };
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
      const moved = OTHER_PLACES[of.token] ?? { name: `${of.sample.name ?? 'sample'}-two` };
      return { ...place, ...full, ...(of.named || of.token in OTHER_PLACES ? moved : {}) };
    }
  }
}

/** The samples of all kinds, each as a resource of the program. */
export function samplesOf(variant: Variant, dialect: Dialect): readonly ProgramResource[] {
  return kinds.map((of) => {
    const after = AFTER[of.token]?.map((resource) => ({ resource }));
    const sample = { token: of.token, name: 'sample', args: sampleArgs(of, variant, dialect) };
    return { ...sample, ...(after ? { options: { dependsOn: after } } : {}) };
  });
}

/** The whole program: homes and samples, parents first. */
export function programOf(variant: Variant, dialect: Dialect): readonly ProgramResource[] {
  const samples = samplesOf(variant, dialect);
  const isInside = ({ token }: ProgramResource): boolean => addressNames(kindOf(token)).includes('environment');
  const environments = [ENVIRONMENT, ...samples.filter(({ token }) => token === 'Environment')];
  const ofEnvironments: ProgramResource = {
    token: 'Deployment',
    name: 'second',
    args: { environment: { resource: 'Environment::sample' } },
  };
  return [
    ...HOMES,
    ...samples.filter((sample) => sample.token !== 'Environment' && !isInside(sample)),
    ...environments,
    ...samples.filter(isInside),
    ofEnvironments,
  ];
}
