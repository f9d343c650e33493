// Functions for designs: assemblies, and platforms of a design or of an environment (service-facts §4.4, §4.5.1, §4.7.5).
// It must not know how functions are called.
import { routes, type Record as WireRecord } from '../../api/contract';
import { apiFunction } from './api-function';
import { name } from './arguments';
import { cloudLink, linkOf } from './cloud-links';
import { attribute, byName, factsOf, mapIn, numberIn, recordFacts } from './records';
import * as result from './result';

const assemblyFacts = {
  ...recordFacts,
  /** Description of the application. */
  description: result.textResult(),
  /** E-mail address of its owner. */
  owner: result.textResult(),
  /** Words by key, for reports. */
  tags: result.mapResult(result.textResult()),
};

/** An assembly. */
const assemblyRecord = result.recordType('AssemblyRecord', assemblyFacts);

const assemblyOf = (record: WireRecord): result.ResultValues<typeof assemblyFacts> => ({
  ...factsOf(record),
  description: attribute(record, 'description'),
  owner: attribute(record, 'owner'),
  tags: mapIn(attribute(record, 'tags')),
});

/** The assemblies of the organization. */
export const getAssemblies = apiFunction({
  token: 'getAssemblies',
  arguments: {},
  reads: [routes.assemblies.list],
  result: {
    /** Assemblies, by name in alphabetical order. */
    assemblies: result.listResult(result.recordResult(assemblyRecord)),
  },
  read: async (ask) => ({ assemblies: byName((await ask(routes.assemblies.list)).map(assemblyOf)) }),
});

/** An assembly of the organization. */
export const getAssembly = apiFunction({
  token: 'getAssembly',
  arguments: {
    /** Name of the assembly. */
    name: name(),
  },
  reads: [routes.assemblies.read],
  result: assemblyFacts,
  read: async (ask, args) => assemblyOf(await ask(routes.assemblies.read, { address: { assembly: args.name } })),
});

const platformFacts = {
  ...recordFacts,
  /** Description of the platform. */
  description: result.textResult(),
  /** Register the pack comes from. */
  source: result.textResult(),
  /** Pack it is made from. */
  pack: result.textResult(),
  /** Version of the pack. */
  version: result.textResult(),
  /** Version of the platform itself. */
  majorVersion: result.intResult(),
  /** Open change of the record: `add`, `update` or `delete`; empty when it has none. */
  change: result.textResult(),
};

const platformOf = (record: WireRecord): result.ResultValues<typeof platformFacts> => ({
  ...factsOf(record),
  description: attribute(record, 'description'),
  source: attribute(record, 'source'),
  pack: attribute(record, 'pack'),
  version: attribute(record, 'version'),
  majorVersion: numberIn(attribute(record, 'major_version'), 1),
  change: record.rfcAction ?? '',
});

const runningFacts = {
  /** `single` or `redundant`; in an environment. */
  availability: result.textResult().optional(),
  /** Whether it is the version of the platform that is in use; in an environment. */
  isActive: result.flagResult().optional(),
  /** Whether failing instances are repaired; in an environment. */
  autorepair: result.flagResult().optional(),
  /** Whether instances that stay broken are replaced; in an environment. */
  autoreplace: result.flagResult().optional(),
  /** Whether it scales by load; in an environment. */
  autoscale: result.flagResult().optional(),
};

const runningOf = (record: WireRecord): result.ResultValues<typeof runningFacts> => ({
  availability: attribute(record, 'availability'),
  isActive: attribute(record, 'is_active') !== 'false',
  autorepair: attribute(record, 'autorepair') === 'true',
  autoreplace: attribute(record, 'autoreplace') === 'true',
  autoscale: attribute(record, 'autoscale') === 'true',
});

/** A platform, as lists show it: only getPlatform returns its links and clouds. */
const platformRecord = result.recordType('PlatformRecord', { ...platformFacts, ...runningFacts });

/** The platforms of a design, or of an environment. */
export const getPlatforms = apiFunction({
  token: 'getPlatforms',
  arguments: {
    /** Name of the assembly. */
    assembly: name(),
    /** Name of an environment, to read the platforms as they were pulled into it. */
    environment: name().optional(),
  },
  reads: [routes.platforms.list, routes.environmentPlatforms.list],
  result: {
    /** Platforms in alphabetical order of their names, including those whose deletion is not committed yet. */
    platforms: result.listResult(result.recordResult(platformRecord)),
  },
  read: async (ask, { assembly, environment }) => {
    if (environment === undefined)
      return { platforms: byName((await ask(routes.platforms.list, { address: { assembly } })).map(platformOf)) };
    const records = await ask(routes.environmentPlatforms.list, { address: { assembly, environment } });
    return { platforms: byName(records.map((record) => ({ ...platformOf(record), ...runningOf(record) }))) };
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
    ...platformFacts,
    /** Names of the platforms it uses, in alphabetical order. */
    links: result.listResult(result.textResult()),
    ...runningFacts,
    /** How it uses each cloud, by the cloud's name; in an environment. */
    clouds: result.mapResult(result.recordResult(cloudLink)).optional(),
  },
  read: async (ask, { assembly, name: platform, environment }) => {
    if (environment === undefined) {
      const record = await ask(routes.platforms.read, { address: { assembly, platform } });
      return { ...platformOf(record), links: linksOf(record) };
    }
    const record = await ask(routes.environmentPlatforms.read, { address: { assembly, environment, platform } });
    const clouds = (record.consumes ?? []).map(
      ({ toCi, toCiId, relationAttributes }) => [toCi?.ciName ?? String(toCiId), linkOf(relationAttributes)] as const,
    );
    return {
      ...platformOf(record),
      links: linksOf(record),
      ...runningOf(record),
      clouds: Object.fromEntries(clouds),
    };
  },
});

const linksOf = ({
  links_to: links,
}: {
  readonly links_to?: readonly string[] | null | undefined;
}): readonly string[] => [...(links ?? [])].sort();
