// Functions of what clouds offer: services, the templates they are made from, offerings and their cost.
// It must not know how functions are called.
import { problem, routes, type Record as WireRecord } from '../../api/contract';
import { flag } from '../field';
import { apiFunction } from './api-function';
import { name } from './arguments';
import { attribute, attributesOf, factsOf, mapIn, numberIn, recordFacts } from './records';
import * as result from './result';
import { noneNamed } from './unknown-name';

/** A service of a cloud, or what one can be made from. */
const service = result.recordType('ServiceRecord', {
  ...recordFacts,
  /** Class of the record. */
  className: result.textResult(),
  /** Path of the cloud or location it is in. */
  nsPath: result.textResult(),
  /** Attributes as the service writes them; secrets, which it keeps to itself, are left out. */
  attributes: result.mapResult(result.textResult()),
});

const serviceOf = (record: WireRecord): result.ResultValues<typeof service.members> => ({
  ...factsOf(record),
  className: record.ciClassName,
  nsPath: record.nsPath,
  attributes: attributesOf(record),
});

/** An offering: what a service sells, and what it costs. */
const offering = result.recordType('OfferingRecord', {
  ...recordFacts,
  /** Path of the service it belongs to. */
  nsPath: result.textResult(),
  /** What is offered. */
  description: result.textResult(),
  /** Which computes it applies to, as an expression. */
  criteria: result.textResult(),
  /** Properties of what is offered, by name. */
  specification: result.mapResult(result.textResult()),
  /** Cost of one unit. */
  costRate: result.numberResult(),
  /** Currency of the cost. */
  costUnit: result.textResult(),
});

const offeringOf = (record: WireRecord): result.ResultValues<typeof offering.members> => ({
  ...factsOf(record),
  nsPath: record.nsPath,
  description: attribute(record, 'description'),
  criteria: attribute(record, 'criteria'),
  specification: mapIn(attribute(record, 'specification')),
  costRate: numberIn(attribute(record, 'cost_rate'), 0),
  costUnit: attribute(record, 'cost_unit'),
});

/** Groups by service type, each in one order whatever the service answers. */
function grouped<T extends { readonly name: string; readonly nsPath: string }>(
  groups: { readonly [type: string]: readonly WireRecord[] },
  project: (record: WireRecord) => T,
): { readonly [type: string]: readonly T[] } {
  const place = ({ nsPath, name: own }: T): string => `${nsPath}/${own}`;
  return Object.fromEntries(
    Object.entries(groups).map(([type, records]) => [
      type,
      records.map(project).sort((left, right) => (place(left) < place(right) ? -1 : 1)),
    ]),
  );
}

/** The services a cloud can have: what getServiceTemplate takes. */
export const getAvailableServices = apiFunction({
  token: 'getAvailableServices',
  arguments: {
    /** Name of the cloud. */
    cloud: name(),
  },
  reads: [routes.cloudServices.available],
  result: {
    /** Templates of services, by service type: `compute`, `dns`, `lb`, … */
    services: result.mapResult(result.listResult(result.recordResult(service))),
  },
  read: async (ask, { cloud }) => ({
    services: grouped(await ask(routes.cloudServices.available, { address: { cloud } }), serviceOf),
  }),
});

/** What a new service of a cloud begins with: the attributes to complete. */
export const getServiceTemplate = apiFunction({
  token: 'getServiceTemplate',
  arguments: {
    /** Name of the cloud. */
    cloud: name(),
    /** Name of the template, one of getAvailableServices. Of several with this name, that of the cloud's own location. */
    service: name(),
  },
  reads: [routes.cloudServices.available, routes.clouds.read, routes.cloudServices.template],
  result: {
    /** Name the service will have. */
    name: result.textResult(),
    /** Number of the template's record. */
    ciId: result.intResult(),
    /** Service type: `compute`, `dns`, `lb`, … */
    type: result.textResult(),
    /** Class of the service. */
    className: result.textResult(),
    /** Attributes as the service writes them, with the values a new service begins with. */
    attributes: result.mapResult(result.textResult()),
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
    // One dialect names the template in the path, the other by number in the query (service-facts §13 row 4).
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
  /** Whether to see what is offered to every organization, instead of what is in this one's clouds. */
  public: flag().optional(),
};

const eitherOne = (args: { readonly cloud?: unknown; readonly public?: unknown }) =>
  args.cloud !== undefined && (args.public === true || args.public === 'true')
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
  reads: [routes.catalogue.services, routes.catalogue.publicServices],
  result: {
    /** Services, by service type: `compute`, `dns`, `lb`, … */
    services: result.mapResult(result.listResult(result.recordResult(service))),
  },
  rule: eitherOne,
  read: async (ask, args, organization) => {
    const answer = isPublic(args.public)
      ? await ask(routes.catalogue.publicServices)
      : await ask(routes.catalogue.services, narrowed(organization, args.cloud));
    return { services: grouped(answer, serviceOf) };
  },
});

/** The offerings of the organization's clouds, or those that are public, with their cost. */
export const getOfferings = apiFunction({
  token: 'getOfferings',
  arguments: catalogueArguments,
  reads: [routes.catalogue.offerings, routes.catalogue.publicOfferings],
  result: {
    /** Offerings, by service type: `compute`, `dns`, `storage`, … */
    offerings: result.mapResult(result.listResult(result.recordResult(offering))),
  },
  rule: eitherOne,
  read: async (ask, args, organization) => {
    const answer = isPublic(args.public)
      ? await ask(routes.catalogue.publicOfferings)
      : await ask(routes.catalogue.offerings, narrowed(organization, args.cloud));
    return { offerings: grouped(answer, offeringOf) };
  },
});
