// Functions for assemblies, platforms and variables (service-facts §2.2.7, §4.4, §4.5, §4.7.5).
import { routes, type Record as WireRecord } from '../../api/contract';
import { apiFunction, inDesign, inEither, name } from './api-function';
import { attribute, byName, cloudLink, inAttributes, recordFacts, stagedFacts, wire } from './records';
import * as result from './result';

const assemblyFacts = {
  ...recordFacts,
  /** Description of the application. */
  description: inAttributes.text('description'),
  /** E-mail address of its owner. */
  owner: inAttributes.text('owner'),
  /** Words by key, for reports. */
  tags: inAttributes.texts('tags'),
};

/** An assembly. */
const assemblyRecord = result.recordType('AssemblyRecord', assemblyFacts);

/** The assemblies of the organization. */
export const getAssemblies = apiFunction({
  token: 'getAssemblies',
  arguments: {},
  result: {
    /** Assemblies, by name in alphabetical order. */
    assemblies: result.records(assemblyRecord),
  },
  read: async (ask) => ({ assemblies: byName(result.rowsIn(assemblyRecord, await ask(routes.assemblies.list))) }),
});

/** An assembly of the organization. */
export const getAssembly = apiFunction({
  token: 'getAssembly',
  arguments: {
    /** Name of the assembly. */
    name: name(),
  },
  result: assemblyFacts,
  read: async (ask, args) =>
    result.valuesIn(assemblyFacts, await ask(routes.assemblies.read, { address: { assembly: args.name } })),
});

const platformFacts = {
  ...recordFacts,
  /** Description of the platform. */
  description: inAttributes.text('description'),
  /** Register the pack comes from. */
  source: inAttributes.text('source'),
  /** Pack it is made from. */
  pack: inAttributes.text('pack'),
  /** Version of the pack. */
  version: inAttributes.text('version'),
  /** Version of the platform itself. */
  majorVersion: inAttributes.int('major_version', 1),
  /** Open change of the record: `add`, `update` or `delete`; empty when it has none. */
  change: wire.text('rfcAction'),
};

const runningFacts = {
  /** `single` or `redundant`; in an environment. */
  availability: inAttributes.text('availability').optional(),
  /** Whether it is the version of the platform that is in use; in an environment. */
  isActive: result.flag((record: WireRecord) => attribute(record, 'is_active') !== 'false').optional(),
  /** Whether failing instances are repaired; in an environment. */
  autorepair: inAttributes.flag('autorepair').optional(),
  /** Whether instances that stay broken are replaced; in an environment. */
  autoreplace: inAttributes.flag('autoreplace').optional(),
  /** Whether it scales by load; in an environment. */
  autoscale: inAttributes.flag('autoscale').optional(),
};

/** A platform, as lists show it: only getPlatform returns its links and clouds. */
const platformRecord = result.recordType('PlatformRecord', { ...platformFacts, ...runningFacts });

/** The platforms of a design, or of an environment. */
export const getPlatforms = apiFunction({
  token: 'getPlatforms',
  arguments: {
    ...inDesign,
  },
  result: {
    /** Platforms in alphabetical order, with those whose deletion is not committed yet. */
    platforms: result.records(platformRecord),
  },
  read: async (ask, place) => {
    const facts = place.environment === undefined ? platformFacts : platformRecord.members;
    const platforms = await inEither(ask, [routes.platforms.list, routes.environmentPlatforms.list], { ...place });
    return { platforms: byName(platforms.map((each) => result.valuesIn(facts, each))) };
  },
});

const linkFacts = {
  /** Names of the platforms it uses, in alphabetical order. */
  links: result.list(
    result.text(),
    ({ links_to: links }: { readonly links_to?: readonly string[] | null | undefined }) => [...(links ?? [])].sort(),
  ),
};

/** A platform of a design, or of an environment. */
export const getPlatform = apiFunction({
  token: 'getPlatform',
  arguments: {
    ...inDesign,
    /** Name of the platform. */
    name: name(),
  },
  result: {
    ...platformFacts,
    ...linkFacts,
    ...runningFacts,
    /** How it uses each cloud, by the cloud's name; in an environment. */
    clouds: result.map(result.record(cloudLink)).optional(),
  },
  read: async (ask, { assembly, name: platform, environment }) => {
    if (environment === undefined) {
      const record = await ask(routes.platforms.read, { address: { assembly, platform } });
      return result.valuesIn({ ...platformFacts, ...linkFacts }, record);
    }
    const record = await ask(routes.environmentPlatforms.read, { address: { assembly, environment, platform } });
    const clouds = (record.consumes ?? []).map(
      ({ toCi, toCiId, relationAttributes }) =>
        [toCi?.ciName ?? String(toCiId), result.valuesIn(cloudLink.members, relationAttributes)] as const,
    );
    return {
      ...result.valuesIn({ ...platformFacts, ...linkFacts, ...runningFacts }, record),
      clouds: Object.fromEntries(clouds),
    };
  },
});

const isSecure = (record: WireRecord): boolean => attribute(record, 'secure') === 'true';

/** A variable. */
const variable = result.recordType('VariableRecord', {
  ...stagedFacts,
  /** Its value; empty when it is secure, because the service does not return that value. */
  value: result.text((record: WireRecord) => (isSecure(record) ? '' : attribute(record, 'value'))),
  /** Whether its value is encrypted. */
  secure: result.flag(isSecure),
});

/** The variables of a design or of an environment, or of one platform there. */
export const getVariables = apiFunction({
  token: 'getVariables',
  arguments: {
    ...inDesign,
    /** Name of a platform, to read its own variables. */
    platform: name().optional(),
  },
  result: {
    /** Variables in alphabetical order, with those whose deletion is not committed yet. */
    variables: result.records(variable),
  },
  read: async (ask, place) => {
    const found =
      place.platform === undefined
        ? await inEither(ask, [routes.designVariables.list, routes.environmentVariables.list], { ...place })
        : await inEither(ask, [routes.platformVariables.list, routes.environmentPlatformVariables.list], { ...place });
    return { variables: byName(result.rowsIn(variable, found)) };
  },
});
