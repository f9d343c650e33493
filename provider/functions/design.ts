// Functions for assemblies, platforms and variables (service-facts §2.2.7, §4.4, §4.5, §4.7.5).
import { routes, type Record as WireRecord } from '../../api/contract';
import { apiFunction, inDesign, inEither, name } from './api-function';
import { attribute, byName, cloudLink, inAttributes, openChange, recordFacts, stagedFacts } from './records';
import * as result from './result';

const assembly = result.recordType('AssemblyRecord', 'An assembly.', {
  ...recordFacts,
  description: inAttributes.text('description').describe('Description of the application.'),
  owner: inAttributes.text('owner').describe('E-mail address of its owner.'),
  tags: inAttributes.texts('tags').describe('Words by key, for reports.'),
});

export const getAssemblies = apiFunction({
  token: 'getAssemblies',
  description: 'The assemblies of the organization.',
  arguments: {},
  result: {
    assemblies: result.records(assembly).describe('Assemblies, by name in alphabetical order.'),
  },
  read: async (ask) => ({ assemblies: byName(result.rowsIn(assembly, await ask(routes.assemblies.list))) }),
});

export const getAssembly = apiFunction({
  token: 'getAssembly',
  description: 'An assembly of the organization.',
  arguments: {
    name: name().describe('Name of the assembly.'),
  },
  result: assembly.members,
  read: async (ask, args) =>
    result.valuesIn(assembly.members, await ask(routes.assemblies.read, { address: { assembly: args.name } })),
});

const platformFacts = {
  ...recordFacts,
  description: inAttributes.text('description').describe('Description of the platform.'),
  source: inAttributes.text('source').describe('Register the pack comes from.'),
  pack: inAttributes.text('pack').describe('Pack it is made from.'),
  version: inAttributes.text('version').describe('Version of the pack.'),
  majorVersion: inAttributes.int('major_version', 1).describe('Version of the platform itself.'),
  change: openChange,
};

const runningFacts = {
  availability: inAttributes.text('availability').optional().describe('`single` or `redundant`; in an environment.'),
  isActive: result
    .flag((record: WireRecord) => attribute(record, 'is_active') !== 'false')
    .optional()
    .describe('Whether it is the version of the platform that is in use; in an environment.'),
  autorepair: inAttributes
    .flag('autorepair')
    .optional()
    .describe('Whether failing instances are repaired; in an environment.'),
  autoreplace: inAttributes
    .flag('autoreplace')
    .optional()
    .describe('Whether instances that stay broken are replaced; in an environment.'),
  autoscale: inAttributes.flag('autoscale').optional().describe('Whether it scales by load; in an environment.'),
};

const platformRecord = result.recordType(
  'PlatformRecord',
  'A platform, as lists show it: only getPlatform returns its links and clouds.',
  { ...platformFacts, ...runningFacts },
);

export const getPlatforms = apiFunction({
  token: 'getPlatforms',
  description: 'The platforms of a design, or of an environment.',
  arguments: inDesign,
  result: {
    platforms: result
      .records(platformRecord)
      .describe('Platforms in alphabetical order, with those whose deletion is not committed yet.'),
  },
  read: async (ask, place) => {
    const facts = place.environment === undefined ? platformFacts : platformRecord.members;
    const platforms = await inEither(ask, [routes.platforms.list, routes.environmentPlatforms.list], { ...place });
    return { platforms: byName(platforms.map((each) => result.valuesIn(facts, each))) };
  },
});

const linkFacts = {
  links: result
    .list(result.text(), ({ links_to: links }: { readonly links_to?: readonly string[] | null | undefined }) =>
      [...(links ?? [])].sort(),
    )
    .describe('Names of the platforms it uses, in alphabetical order.'),
};

export const getPlatform = apiFunction({
  token: 'getPlatform',
  description: 'A platform of a design, or of an environment.',
  arguments: {
    ...inDesign,
    name: name().describe('Name of the platform.'),
  },
  result: {
    ...platformFacts,
    ...linkFacts,
    ...runningFacts,
    clouds: result
      .map(result.record(cloudLink))
      .optional()
      .describe("How it uses each cloud, by the cloud's name; in an environment."),
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

const variable = result.recordType('VariableRecord', 'A variable.', {
  ...stagedFacts,
  value: result
    .text((record: WireRecord) => (isSecure(record) ? '' : attribute(record, 'value')))
    .describe('Its value; empty when it is secure, because the service does not return that value.'),
  secure: result.flag(isSecure).describe('Whether its value is encrypted.'),
});

export const getVariables = apiFunction({
  token: 'getVariables',
  description: 'The variables of a design or of an environment, or of one platform there.',
  arguments: {
    ...inDesign,
    platform: name().optional().describe('Name of a platform, to read its own variables.'),
  },
  result: {
    variables: result
      .records(variable)
      .describe('Variables in alphabetical order, with those whose deletion is not committed yet.'),
  },
  read: async (ask, place) => {
    const found =
      place.platform === undefined
        ? await inEither(ask, [routes.designVariables.list, routes.environmentVariables.list], { ...place })
        : await inEither(ask, [routes.platformVariables.list, routes.environmentPlatformVariables.list], { ...place });
    return { variables: byName(result.rowsIn(variable, found)) };
  },
});
