// Parameters of operations as openapi.json describes them: by name, with a pattern, an enum or an example where there is one.
import { type NameRule, nameRules } from './names';
import type { Route } from './route';

/** A parameter of an OpenAPI document. */
interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly schema: {
    readonly type: 'string' | 'integer';
    readonly minimum?: number;
    readonly pattern?: string;
    readonly enum?: readonly string[];
    readonly default?: string;
  };
  readonly example?: string | number;
}

type Facts = Omit<DescribedParameter, 'name' | 'in' | 'required' | 'schema'> & {
  readonly schema?: Partial<DescribedParameter['schema']>;
};

const NUMBER = { type: 'integer', minimum: 0 } as const;

/** The pattern of a name by its rule, or of a ciId. */
const nameOrIdPattern = ({ pattern }: NameRule): string => `^([0-9]+|${pattern.source.replace(/^\^|\$$/g, '')})$`;

const named = (noun: string, rule: NameRule, example: string): Facts => ({
  description: `Name or ciId of the ${noun}`,
  schema: { pattern: nameOrIdPattern(rule) },
  example,
});

const numbered = (noun: string): Facts => ({
  description: `Number of the ${noun}`,
  schema: NUMBER,
  example: 5210,
});

const PATH: { readonly [name: string]: Facts } = {
  organization: {
    description: 'Name of the organization',
    schema: { pattern: nameRules.organization.pattern.source },
    example: 'acme',
  },
  assembly: named('assembly', nameRules.assembly, 'shop'),
  environment: named('environment', nameRules.environment, 'prod'),
  platform: named('platform', nameRules.platform, 'web'),
  component: named('component', nameRules.component, 'tomcat'),
  variable: named('variable', nameRules.variable, 'region'),
  attachment: named('attachment', nameRules.attachment, 'motd'),
  monitor: named('monitor', nameRules.monitor, 'heap'),
  cloud: named('cloud', nameRules.cloud, 'east'),
  offering: named('offering', nameRules.offering, 'small'),
  support: named('support of the cloud', nameRules.support, 'gate'),
  profile: named('profile of environments', nameRules.profile, 'production'),
  relay: named('mail relay', nameRules.relay, 'email'),
  design: named('saved design', nameRules.design, 'starter'),
  service: { description: 'Name or ciId of the cloud service', example: 'elb' },
  instance: { description: 'Name or ciId of the instance', example: '5210' },
  team: { description: 'Number or name of the team', example: 'builders' },
  release: numbered('release'),
  deployment: numbered('deployment'),
  procedure: numbered('procedure'),
  source: { description: 'Source of the pack', example: 'oneops' },
  pack: { description: 'Name of the pack', example: 'tomcat' },
  version: { description: 'Version of the pack', example: '1' },
  mode: { description: 'Mode of the pack', schema: { enum: ['single', 'redundant'] } },
};

/** Path parameters that are something else in one area of the routes, or for one route. */
const ELSEWHERE: { readonly [place: string]: Facts } = {
  'organizations id': { description: 'Number or name of the organization', example: 'acme' },
  'lookups.record id': numbered('record: its ciId'),
  'lookups.relation id': numbered('relation: its ciRelationId'),
  'lookups.release id': numbered('release'),
  'lookups.deployment id': numbered('deployment'),
  'lookups.procedure id': numbered('procedure'),
  'catalogue platform': { description: 'Name of the pack again', example: 'tomcat' },
  'cloudServices.template service': { description: 'Name of the service to create', example: 'elb' },
};

/** A switch: `true`, or anything else for the default. */
const onOff = (description: string, byDefault: 'true' | 'false' = 'false'): Facts => ({
  description,
  schema: { enum: ['true', 'false'], default: byDefault },
});

const QUERY: { readonly [name: string]: Facts } = {
  action_ids: { description: 'Numbers of the actions, separated by commas; default: all of the procedure' },
  actionCiId: { description: 'The ciId of a record: procedures with an action on it only', schema: NUMBER },
  assembly: { description: 'Name or ciId of the only assembly to report' },
  changes_only: onOff('`true`: only what differs from what it is compared with'),
  ciId: { description: 'The ciId of the record that the procedures are anchored at', schema: NUMBER },
  class_name: { description: 'Class of the record, such as `Tomcat`; needed where two records share a name' },
  cloud: { description: 'Name or ciId of the only cloud to report' },
  collapse: onOff('`true`: hashes and arrays as JSON text instead of structures'),
  committed: onOff('`true`: compares with what is committed; else with what the pack gives'),
  exclude_platforms: { description: 'The ciIds of the platforms to leave out, separated by commas' },
  grouping: { description: 'What the report adds up by; default: the assemblies', schema: { enum: ['cloud'] } },
  include_actions: onOff('`true`: each procedure with its actions'),
  include_rfcs: {
    description: 'Adds the changes of the release: `true` for all, `cis` for records, `relations` for relations',
    schema: { enum: ['true', 'cis', 'relations'] },
  },
  instances_state: {
    description: '`all`, or the health states to list, separated by commas, such as `good,unhealthy`',
  },
  latest: onOff('`true`: the newest release in any state'),
  mgmtCiId: { description: 'The ciId of the template of the service', schema: NUMBER },
  mgmtOfferingCiId: { description: 'The ciId of the template of the offering', schema: NUMBER },
  name: { description: 'Name of the procedures to list' },
  ns_path: { description: 'Namespace path to look below, such as `/acme/shop`' },
  offset: { description: 'How many entries to skip', schema: NUMBER },
  platform_id: { description: 'Name or ciId of the only platform to show' },
  procedure_id: { description: 'Number of the procedure', schema: NUMBER },
  profile_id: { description: 'The ciId of the profile to begin with', schema: NUMBER },
  relation_name: { description: 'Name of the relation to describe, such as `base.Consumes`' },
  rfcId: { description: 'Number of the change whose work order is requested', schema: NUMBER },
  size: { description: 'Most entries to return', schema: NUMBER },
  source: { description: '`cms` reads the database instead of the search index', schema: { enum: ['cms'] } },
  state: { description: 'States of the procedures to list, separated by commas' },
  template_name: { description: 'Name of the template of the pack, such as `user`' },
};

/** Query parameters that are something else for one route. */
const QUERY_ELSEWHERE: { readonly [place: string]: Facts } = {
  'platforms.diff changes_only': onOff('`false`: also what does not differ', 'true'),
  'catalogue.metadata class_name': { description: 'Full name of the class to describe, such as `account.Cloud`' },
};

/** Thrown for a parameter without a description: a mistake in this file, which a test finds. */
class UndescribedParameter extends Error {}

const pascal = (text: string): string =>
  text.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, first: string) => first.toUpperCase());

/** A parameter of a route, and the name by which the document has it once for all routes. */
export function describedParameter(
  route: Route,
  name: string,
  place: 'path' | 'query',
): { readonly component: string; readonly parameter: DescribedParameter } {
  const [table, elsewhere] = place === 'path' ? [PATH, ELSEWHERE] : [QUERY, QUERY_ELSEWHERE];
  const area = route.name.split('.')[0] ?? '';
  const own = [`${route.name} ${name}`, `${area} ${name}`].find((each) => elsewhere[each] !== undefined);
  const facts = own === undefined ? table[name] : elsewhere[own];
  if (facts === undefined) throw new UndescribedParameter(`${route.name}: parameter ${name} has no description`);
  const { schema, ...rest } = facts;
  return {
    component: `${pascal(own ?? name)}${place === 'path' ? '' : 'Query'}`,
    parameter: { name, in: place, required: place === 'path', ...rest, schema: { type: 'string', ...schema } },
  };
}
