// Functions for clouds: clouds, locations, services with templates, and offerings with costs.
import { problem, routes, type Record as WireRecord } from '../../api/contract';
import { flag } from '../values/field';
import { apiFunction, name, noneNamed } from './api-function';
import { attribute, attributesOf, byName, inAttributes, recordFacts, wire } from './records';
import * as result from './result';

const cloudFacts = {
  ...recordFacts,
  /** What the cloud is. */
  description: inAttributes.text('description'),
  /** Path of the location it is in. */
  location: inAttributes.text('location'),
  /** Whether it takes new environments: `active`, `inert` or `offline`. */
  adminstatus: inAttributes.text('adminstatus'),
};

/** A cloud. Its authorization key is reported by getCloud only. */
const cloud = result.recordType('CloudRecord', cloudFacts);

/** The clouds of the organization. */
export const getClouds = apiFunction({
  token: 'getClouds',
  arguments: {},
  result: {
    /** Clouds, by name in alphabetical order. */
    clouds: result.records(cloud),
  },
  read: async (ask) => ({ clouds: byName(result.rowsIn(cloud, await ask(routes.clouds.list))) }),
});

const wholeCloud = {
  ...cloudFacts,
  /** Authorization key, which custom clouds have. Secret. */
  auth: result.secret(inAttributes.text('auth')),
};

/** A cloud of the organization. */
export const getCloud = apiFunction({
  token: 'getCloud',
  arguments: {
    /** Name of the cloud. */
    name: name(),
  },
  result: wholeCloud,
  read: async (ask, args) =>
    result.valuesIn(wholeCloud, await ask(routes.clouds.read, { address: { cloud: args.name } })),
});

/** The locations clouds may be in. */
export const getLocations = apiFunction({
  token: 'getLocations',
  arguments: {},
  result: {
    /** Path of each location, by its name: what a cloud has as `location`. */
    locations: result.map(result.text()),
  },
  read: async (ask) => ({ locations: await ask(routes.clouds.locations) }),
});

/** A service of a cloud, or what one can be made from. */
const service = result.recordType('ServiceRecord', {
  ...recordFacts,
  /** Class of the record. */
  className: wire.text('ciClassName'),
  /** Path of the cloud or location it is in. */
  nsPath: wire.text('nsPath'),
  /** Attributes as the service writes them; secrets, which it keeps to itself, are left out. */
  attributes: result.map(result.text(), attributesOf),
});

/** An offering: what a service sells, and what it costs. */
const offering = result.recordType('OfferingRecord', {
  ...recordFacts,
  /** Path of the service it belongs to. */
  nsPath: wire.text('nsPath'),
  /** What is offered. */
  description: inAttributes.text('description'),
  /** Which computes it applies to, as an expression. */
  criteria: inAttributes.text('criteria'),
  /** Properties of what is offered, by name. */
  specification: inAttributes.texts('specification'),
  /** Cost of one unit. */
  costRate: inAttributes.number('cost_rate'),
  /** Currency of the cost. */
  costUnit: inAttributes.text('cost_unit'),
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

/** The services a cloud can have: what getServiceTemplate takes. */
export const getAvailableServices = apiFunction({
  token: 'getAvailableServices',
  arguments: {
    /** Name of the cloud. */
    cloud: name(),
  },
  result: {
    /** Templates of services, by service type: `compute`, `dns`, `lb`, … */
    services: result.map(result.records(service)),
  },
  read: async (ask, { cloud }) => ({
    services: grouped(await ask(routes.cloudServices.available, { address: { cloud } }), servicesIn),
  }),
});

/** What a new service of a cloud begins with: the attributes to complete. */
export const getServiceTemplate = apiFunction({
  token: 'getServiceTemplate',
  arguments: {
    /** Name of the cloud. */
    cloud: name(),
    /**
     * Name of the template, one of getAvailableServices. Of several with this name, that of the
     * cloud's own location.
     */
    service: name(),
  },
  result: {
    /** Name the service will have. */
    name: result.text(),
    /** Number of the template's record. */
    ciId: result.int(),
    /** Service type: `compute`, `dns`, `lb`, … */
    type: result.text(),
    /** Class of the service. */
    className: result.text(),
    /** Attributes as the service writes them, with the values a new service begins with. */
    attributes: result.map(result.text()),
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
  /** Name of a cloud, to see what is in it only. */
  cloud: name().optional(),
  /** Whether to see what is offered to every organization, instead of this one's clouds. */
  public: flag().optional(),
};

const eitherOne = (args: { readonly cloud?: unknown; readonly public?: unknown }) =>
  args.cloud !== undefined && isPublic(args.public)
    ? [problem('contradiction', ['public'], '"public" and "cloud" exclude each other', 'give one of them')]
    : [];

const isPublic = (value: unknown): boolean => value === true || value === 'true';

/** Narrows a catalogue to a cloud; the organization is in the path of its namespace. */
const narrowed = (organization: string, cloud: string | undefined) =>
  cloud === undefined ? {} : { query: { ns_path: `/${organization}/_clouds/${cloud}` } };

/** The services of the organization's clouds, or those that are public. */
export const getServices = apiFunction({
  token: 'getServices',
  arguments: catalogueArguments,
  result: {
    /** Services, by service type: `compute`, `dns`, `lb`, … */
    services: result.map(result.records(service)),
  },
  rule: eitherOne,
  read: async (ask, args, organization) => {
    const answer = isPublic(args.public)
      ? await ask(routes.catalogue.publicServices)
      : await ask(routes.catalogue.services, narrowed(organization, args.cloud));
    return { services: grouped(answer, servicesIn) };
  },
});

/** The offerings of the organization's clouds, or those that are public, with their cost. */
export const getOfferings = apiFunction({
  token: 'getOfferings',
  arguments: catalogueArguments,
  result: {
    /** Offerings, by service type: `compute`, `dns`, `storage`, … */
    offerings: result.map(result.records(offering)),
  },
  rule: eitherOne,
  read: async (ask, args, organization) => {
    const answer = isPublic(args.public)
      ? await ask(routes.catalogue.publicOfferings)
      : await ask(routes.catalogue.offerings, narrowed(organization, args.cloud));
    return { offerings: grouped(answer, (records) => result.rowsIn(offering, records)) };
  },
});
