// Functions of designs: an assembly, and a platform of its design or of an environment (service-facts §4.7.5).
// It must not know how functions are called.
import { routes, type Record as WireRecord } from '../../api/contract';
import { apiFunction } from './api-function';
import { name } from './arguments';
import { cloudLink, linkOf } from './cloud-links';
import { attribute, factsOf, mapIn, numberIn, recordFacts } from './records';
import * as result from './result';

/** An assembly of the organization. */
export const getAssembly = apiFunction({
  token: 'getAssembly',
  arguments: {
    /** Name of the assembly. */
    name: name(),
  },
  reads: [routes.assemblies.read],
  result: {
    ...recordFacts,
    /** What the application is. */
    description: result.text(),
    /** E-mail address of its owner. */
    owner: result.text(),
    /** Words by key, for reports. */
    tags: result.map(result.text()),
  },
  read: async (ask, args) => {
    const record = await ask(routes.assemblies.read, { address: { assembly: args.name } });
    return {
      ...factsOf(record),
      description: attribute(record, 'description'),
      owner: attribute(record, 'owner'),
      tags: mapIn(attribute(record, 'tags')),
    };
  },
});

/** A platform of a design, or of an environment. */
export const getPlatform = apiFunction({
  token: 'getPlatform',
  arguments: {
    /** Name of the assembly. */
    assembly: name(),
    /** Name of the platform. */
    name: name(),
    /** Name of an environment, to see the platform as it was pulled into it. */
    environment: name().optional(),
  },
  reads: [routes.platforms.read, routes.environmentPlatforms.read],
  result: {
    ...recordFacts,
    /** What the platform is. */
    description: result.text(),
    /** Register the pack comes from. */
    source: result.text(),
    /** Pack it is made from. */
    pack: result.text(),
    /** Version of the pack. */
    version: result.text(),
    /** Version of the platform itself. */
    majorVersion: result.int(),
    /** Names of the platforms it uses, in alphabetical order. */
    links: result.list(result.text()),
    /** `single` or `redundant`; in an environment. */
    availability: result.text().optional(),
    /** How it uses each cloud, by the cloud's name; in an environment. */
    clouds: result.map(result.one(cloudLink)).optional(),
  },
  read: async (ask, { assembly, name: platform, environment }) => {
    if (environment === undefined)
      return platformOf(await ask(routes.platforms.read, { address: { assembly, platform } }));
    const record = await ask(routes.environmentPlatforms.read, { address: { assembly, environment, platform } });
    const clouds = (record.consumes ?? []).map(
      ({ toCi, toCiId, relationAttributes }) => [toCi?.ciName ?? String(toCiId), linkOf(relationAttributes)] as const,
    );
    return {
      ...platformOf(record),
      availability: attribute(record, 'availability'),
      clouds: Object.fromEntries(clouds),
    };
  },
});

const platformOf = (record: WireRecord & { readonly links_to?: readonly string[] | null | undefined }) => ({
  ...factsOf(record),
  description: attribute(record, 'description'),
  source: attribute(record, 'source'),
  pack: attribute(record, 'pack'),
  version: attribute(record, 'version'),
  majorVersion: numberIn(attribute(record, 'major_version'), 1),
  links: [...(record.links_to ?? [])].sort(),
});
