// Functions for clouds: clouds, locations, services with templates, and offerings with costs.
import { problem, routes, type Record as WireRecord } from '../../api/contract';
import { flag } from '../values/field';
import { apiFunction, name, noneNamed } from './api-function';
import { attribute, attributesOf, byName, inAttributes, recordFacts, wire } from './records';
import * as result from './result';

const cloudFacts = {
  ...recordFacts,
  description: inAttributes.text('description').describe('What the cloud is.'),
  location: inAttributes.text('location').describe('Path of the location it is in.'),
  adminstatus: inAttributes
    .text('adminstatus')
    .describe('Whether it takes new environments: `active`, `inert` or `offline`.'),
};

const cloud = result.recordType(
  'CloudRecord',
  'A cloud. Its authorization key is reported by getCloud only.',
  cloudFacts,
);

export const getClouds = apiFunction({
  token: 'getClouds',
  description: 'The clouds of the organization.',
  arguments: {},
  result: {
    clouds: result.records(cloud).describe('Clouds, by name in alphabetical order.'),
  },
  read: async (ask) => ({ clouds: byName(result.rowsIn(cloud, await ask(routes.clouds.list))) }),
});

const wholeCloud = {
  ...cloudFacts,
  auth: result.secret(inAttributes.text('auth')).describe('Authorization key, which custom clouds have. Secret.'),
};

export const getCloud = apiFunction({
  token: 'getCloud',
  description: 'A cloud of the organization.',
  arguments: {
    name: name().describe('Name of the cloud.'),
  },
  result: wholeCloud,
  read: async (ask, args) =>
    result.valuesIn(wholeCloud, await ask(routes.clouds.read, { address: { cloud: args.name } })),
});

export const getLocations = apiFunction({
  token: 'getLocations',
  description: 'The locations clouds may be in.',
  arguments: {},
  result: {
    locations: result
      .map(result.text())
      .describe('Path of each location, by its name: what a cloud has as `location`.'),
  },
  read: async (ask) => ({ locations: await ask(routes.clouds.locations) }),
});

const service = result.recordType('ServiceRecord', 'A service of a cloud, or what one can be made from.', {
  ...recordFacts,
  className: wire.text('ciClassName').describe('Class of the record.'),
  nsPath: wire.text('nsPath').describe('Path of the cloud or location it is in.'),
  attributes: result
    .map(result.text(), attributesOf)
    .describe('Attributes as the service writes them; secrets, which it keeps to itself, are left out.'),
});

const offering = result.recordType('OfferingRecord', 'An offering: what a service sells, and what it costs.', {
  ...recordFacts,
  nsPath: wire.text('nsPath').describe('Path of the service it belongs to.'),
  description: inAttributes.text('description').describe('What is offered.'),
  criteria: inAttributes.text('criteria').describe('Which computes it applies to, as an expression.'),
  specification: inAttributes.texts('specification').describe('Properties of what is offered, by name.'),
  costRate: inAttributes.number('cost_rate').describe('Cost of one unit.'),
  costUnit: inAttributes.text('cost_unit').describe('Currency of the cost.'),
});

/** Groups by service type, each in one order whatever the service answers. */
function grouped<T>(
  groups: { readonly [type: string]: readonly WireRecord[] },
  rowsIn: (records: readonly WireRecord[]) => readonly T[],
): { readonly [type: string]: readonly T[] } {
  const place = ({ nsPath, ciName }: WireRecord): string => `${nsPath}/${ciName}`;
  const sorted = (records: readonly WireRecord[]): readonly WireRecord[] =>
    [...records].sort((left, right) => (place(left) < place(right) ? -1 : 1));
  return Object.fromEntries(Object.entries(groups).map(([type, records]) => [type, rowsIn(sorted(records))]));
}

const servicesIn = (records: readonly WireRecord[]) => result.rowsIn(service, records);

export const getAvailableServices = apiFunction({
  token: 'getAvailableServices',
  description: 'The services a cloud can have: what getServiceTemplate takes.',
  arguments: {
    cloud: name().describe('Name of the cloud.'),
  },
  result: {
    services: result
      .map(result.records(service))
      .describe('Templates of services, by service type: `compute`, `dns`, `lb`, …'),
  },
  read: async (ask, { cloud }) => ({
    services: grouped(await ask(routes.cloudServices.available, { address: { cloud } }), servicesIn),
  }),
});

export const getServiceTemplate = apiFunction({
  token: 'getServiceTemplate',
  description: 'What a new service of a cloud begins with: the attributes to complete.',
  arguments: {
    cloud: name().describe('Name of the cloud.'),
    service: name().describe(
      "Name of the template, one of getAvailableServices. Of several with this name, that of the cloud's own location.",
    ),
  },
  result: {
    name: result.text().describe('Name the service will have.'),
    ciId: result.int().describe("Number of the template's record."),
    type: result.text().describe('Service type: `compute`, `dns`, `lb`, …'),
    className: result.text().describe('Class of the service.'),
    attributes: result
      .map(result.text())
      .describe('Attributes as the service writes them, with the values a new service begins with.'),
  },
  read: async (ask, { cloud, service: wanted }) => {
    const available = Object.entries(await ask(routes.cloudServices.available, { address: { cloud } })).flatMap(
      ([type, records]) => records.map((record) => ({ type, record })),
    );
    const named = available.filter(({ record }) => record.ciName === wanted);
    const location =
      named.length > 1 ? attribute(await ask(routes.clouds.read, { address: { cloud } }), 'location') : undefined;
    const found = named.find(({ record }) => record.nsPath === location) ?? named[0];
    if (found === undefined)
      throw noneNamed(
        `no service template is called "${wanted}"`,
        wanted,
        available.map(({ record }) => record.ciName),
      );
    const ciId = found.record.ciId;
    // The template is in the path, or by number in the query (service-facts §13 row 4).
    const template = await ask(routes.cloudServices.template, {
      address: { cloud, service: wanted },
      query: { mgmtCiId: String(ciId) },
    });
    return {
      name: template.ciName ?? wanted,
      ciId,
      type: found.type,
      className: template.ciClassName ?? '',
      attributes: attributesOf(template),
    };
  },
});

const catalogueArguments = {
  cloud: name().optional().describe('Name of a cloud, to see what is in it only.'),
  public: flag()
    .optional()
    .describe("Whether to see what is offered to every organization, instead of this one's clouds."),
};

const eitherOne = (args: { readonly cloud?: unknown; readonly public?: unknown }) =>
  args.cloud !== undefined && isPublic(args.public)
    ? [problem('contradiction', ['public'], '"public" and "cloud" exclude each other', 'give one of them')]
    : [];

const isPublic = (value: unknown): boolean => value === true || value === 'true';

/** Narrows a catalogue to a cloud; the organization is in the path of its namespace. */
const narrowed = (organization: string, cloud: string | undefined) =>
  cloud === undefined ? {} : { query: { ns_path: `/${organization}/_clouds/${cloud}` } };

export const getServices = apiFunction({
  token: 'getServices',
  description: "The services of the organization's clouds, or those that are public.",
  arguments: catalogueArguments,
  result: {
    services: result.map(result.records(service)).describe('Services, by service type: `compute`, `dns`, `lb`, …'),
  },
  rule: eitherOne,
  read: async (ask, args, organization) => {
    const answer = isPublic(args.public)
      ? await ask(routes.catalogue.publicServices)
      : await ask(routes.catalogue.services, narrowed(organization, args.cloud));
    return { services: grouped(answer, servicesIn) };
  },
});

export const getOfferings = apiFunction({
  token: 'getOfferings',
  description: "The offerings of the organization's clouds, or those that are public, with their cost.",
  arguments: catalogueArguments,
  result: {
    offerings: result
      .map(result.records(offering))
      .describe('Offerings, by service type: `compute`, `dns`, `storage`, …'),
  },
  rule: eitherOne,
  read: async (ask, args, organization) => {
    const answer = isPublic(args.public)
      ? await ask(routes.catalogue.publicOfferings)
      : await ask(routes.catalogue.offerings, narrowed(organization, args.cloud));
    return { offerings: grouped(answer, (records) => result.rowsIn(offering, records)) };
  },
});
