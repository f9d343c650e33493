// Functions for clouds: all of them, one of them, and the locations of clouds.
// It must not know what is in a cloud, nor how functions are called.
import { routes, type Record as WireRecord } from '../../api/contract';
import { apiFunction } from './api-function';
import { name } from './arguments';
import { attribute, factsOf, recordFacts } from './records';
import * as result from './result';

const cloudFacts = {
  ...recordFacts,
  /** What the cloud is. */
  description: result.textResult(),
  /** Path of the location it is in. */
  location: result.textResult(),
  /** Whether it takes new environments: `active`, `inert` or `offline`. */
  adminstatus: result.textResult(),
};

/** A cloud. Its authorization key is reported by getCloud only. */
const cloud = result.recordType('CloudRecord', cloudFacts);

const cloudOf = (record: WireRecord): result.ResultValues<typeof cloudFacts> => ({
  ...factsOf(record),
  description: attribute(record, 'description'),
  location: attribute(record, 'location'),
  adminstatus: attribute(record, 'adminstatus'),
});

/** The clouds of the organization. */
export const getClouds = apiFunction({
  token: 'getClouds',
  arguments: {},
  reads: [routes.clouds.list],
  result: {
    /** Clouds, by name in alphabetical order. */
    clouds: result.listResult(result.recordResult(cloud)),
  },
  read: async (ask) => {
    const clouds = (await ask(routes.clouds.list)).map(cloudOf);
    return { clouds: clouds.sort((left, right) => (left.name < right.name ? -1 : 1)) };
  },
});

/** A cloud of the organization. */
export const getCloud = apiFunction({
  token: 'getCloud',
  arguments: {
    /** Name of the cloud. */
    name: name(),
  },
  reads: [routes.clouds.read],
  result: {
    ...cloudFacts,
    /** Authorization key, which custom clouds have. Secret. */
    auth: result.secretResult(result.textResult()),
  },
  read: async (ask, args) => {
    const record = await ask(routes.clouds.read, { address: { cloud: args.name } });
    return { ...cloudOf(record), auth: attribute(record, 'auth') };
  },
});

/** The locations clouds may be in. */
export const getLocations = apiFunction({
  token: 'getLocations',
  arguments: {},
  reads: [routes.clouds.locations],
  result: {
    /** Path of each location, by its name: what a cloud has as `location`. */
    locations: result.mapResult(result.textResult()),
  },
  read: async (ask) => ({ locations: await ask(routes.clouds.locations) }),
});
