// The contract as an OpenAPI 3.1 document, in the paths of one dialect.
import { mapValues } from './maps';
import * as z from 'zod';
import { methodIn, pathIn, type DialectRules } from './dialect';
import { attributeSchemas, carriedBy } from './openapi-attributes';
import { exampleBodies } from './openapi-examples';
import { parametersOf, WARNINGS_HEADER, type Repeat, type Route } from './route';
import { allRoutes } from './routes';
import * as shapes from './schemas';
import { type NameRule, nameRules } from './names';

/** JSON value of the document. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

interface OpenApi {
  readonly openapi: string;
  readonly paths: { readonly [path: string]: { readonly [method: string]: object } };
  readonly [member: string]: unknown;
}

/** The API has no version of its own (service-facts §9); this counts ours of its description. */
const VERSION = '1';

const DESCRIPTION = [
  'The Assembly and Operations Management API that OneOps serves, as pulumi-oneops knows it.',
  'Every request carries an API token as the user name of HTTP Basic, with an empty password.',
  'Attribute values are text, booleans and numbers too; hashes and arrays are JSON text inside of it.',
  'Operations with `x-further` are in no table of the published documentation: the live service has them in addition.',
  'If the path of the live service differs from the documentation, `x-classic-path` gives it.',
].join('\n');

/** Where the document keeps its shared responses, parameters and schemas. */
const RESPONSES_AT = '#/components/responses/';
const PARAMETERS = '#/components/parameters/';
const SCHEMAS = '#/components/schemas/';

/** Named schemas: an export `component` or `componentSchema` becomes the component `Component`. */
function namedSchemas(): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(shapes)) {
    if (schema instanceof z.ZodType) registry.add(schema, { id: pascal(name.replace(/Schema$/, '')) });
  }
  return registry;
}

/** A schema as the document has it, without bounds that only say "a safe integer". */
function tidy(value: Json): Json {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as JsonObject).flatMap(([name, each]): [string, Json][] => {
    if (name === '$schema' || name === '$defs') return [];
    if ((name === 'minimum' || name === 'maximum') && Math.abs(Number(each)) === Number.MAX_SAFE_INTEGER) return [];
    if (name === '$ref' && typeof each === 'string') return [[name, each.replace('#/$defs/', '#/components/schemas/')]];
    return [[name, tidy(each)]];
  });
  return Object.fromEntries(entries);
}

const PROCEDURE_STATES = ['pending', 'active', 'complete', 'failed', 'canceled'];
const ON_OFF = ['enable', 'disable'];

/** Words by schema and member, at any depth; or by the member alone, in every answer. */
const WORDS: { readonly [member: string]: readonly string[] } = {
  releaseState: shapes.RELEASE_STATES,
  deploymentState: shapes.DEPLOYMENT_STATES,
  'DeploymentBody.deploymentState': ['active', 'paused', 'canceled'],
  procedureState: PROCEDURE_STATES,
  'ProcedureBody.procedureState': ['pending', 'active', 'canceled'],
  'Approval.state': shapes.APPROVAL_STATES,
  'SettleBody.state': ['approved', 'rejected'],
  'InstanceStateBody.state': ['default', 'replace'],
  'InstancesStateBody.state': ['default', 'replace'],
  'SwitchBody.status': ON_OFF,
};

/** A schema with an enum at each member that contains one of a few words. */
function withWords(name: string, schema: Json): Json {
  if (Array.isArray(schema)) return schema.map((each: Json) => withWords(name, each));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema as { readonly [keyword: string]: Json }).map(([keyword, value]) => {
    if (keyword !== 'properties' || typeof value !== 'object' || value === null)
      return [keyword, withWords(name, value)];
    const members = Object.entries(value as { readonly [member: string]: Json }).map(([member, each]) => {
      const words = WORDS[`${name}.${member}`] ?? WORDS[member];
      const inner = withWords(name, each);
      if (words === undefined || typeof inner !== 'object' || inner === null) return [member, inner];
      const isNullable = JSON.stringify(inner).includes('"null"');
      return [member, { ...inner, enum: [...words, ...(isNullable ? [null] : [])] }];
    });
    return [keyword, Object.fromEntries(members) as Json];
  });
  return Object.fromEntries(entries) as Json;
}

/** A body as it is when it is given: that it may be left out is said of the request. */
function given(body: Json): Json {
  const { anyOf } = body as JsonObject;
  const choices = Array.isArray(anyOf) ? (anyOf as readonly JsonObject[]).filter(({ type }) => type !== 'null') : [];
  return choices.length === 1 ? (choices[0] ?? body) : body;
}

type Describer = ReturnType<typeof describer>;

/** Turns schemas into JSON Schema, and keeps every component they refer to. */
function describer() {
  const registry = namedSchemas();
  const components = new Map<string, Json>();
  return {
    describe: (schema: z.ZodType, io: 'input' | 'output'): Json => {
      const text = JSON.stringify(z.toJSONSchema(schema, { metadata: registry, io, unrepresentable: 'any' }));
      const json = JSON.parse(text) as JsonObject & { readonly $defs?: JsonObject };
      for (const [name, definition] of Object.entries(json.$defs ?? {}))
        components.set(name, withWords(name, name.endsWith('Body') ? given(tidy(definition)) : tidy(definition)));
      return tidy(json);
    },
    /** A schema itself, where it is a reference to a component. */
    resolve: (schema: JsonObject): JsonObject => {
      const { $ref } = schema;
      return typeof $ref === 'string' ? ((components.get($ref.replace(SCHEMAS, '')) ?? schema) as JsonObject) : schema;
    },
    components: (): JsonObject => Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** What a client has to know of sending a request again. */
const REPEATS: { readonly [R in Repeat]: string } = {
  read: 'It changes nothing and can be sent again at any time.',
  write: 'It can be sent again: a second request has the same result.',
  create: 'After a lost answer, look for the record before you send the request again.',
  action: 'Do not send it again after a lost answer: it would act a second time.',
};

function descriptionOf(route: Route): string {
  const { summary, repeat, open, deprecated, documented } = route;
  return [
    `${summary}.`,
    REPEATS[repeat],
    ...(open ? ['No API token is needed.'] : []),
    ...(deprecated ? ['Another operation has taken its place.'] : []),
    ...(documented ? [] : ['The published documentation does not list it.']),
  ].join(' ');
}

const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

/**
 * A schema with narrower rules for some of its members, written out where it has such members.
 * Generators of clients do not take `allOf`. Rules of other members are left out.
 */
function narrowed(schema: JsonObject, rules: JsonObject, resolve: Describer['resolve']): JsonObject {
  const own = resolve(schema);
  const { anyOf, properties } = own;
  if (anyOf !== undefined)
    return { ...own, anyOf: (anyOf as readonly JsonObject[]).map((each) => narrowed(each, rules, resolve)) };
  const members = Object.entries((properties ?? {}) as { readonly [name: string]: JsonObject });
  const ruled = members.filter(([name, member]) => rules[name] !== undefined && member['not'] === undefined);
  if (ruled.length === 0) return schema;
  const written = ruled.map(([name, member]) => {
    const rule = rules[name] as JsonObject;
    if (rule['$ref'] !== undefined) return [name, rule] as const;
    const inner = rule['properties'] as JsonObject | undefined;
    return [name, inner === undefined ? { ...resolve(member), ...rule } : narrowed(member, inner, resolve)] as const;
  });
  return { ...own, properties: { ...(properties as JsonObject), ...Object.fromEntries(written) } };
}

function bodyOf(route: Route, { describe, resolve }: Describer, example: unknown): object {
  if (route.body instanceof z.ZodUndefined) return {};
  const own = describe(route.body, 'input') as JsonObject;
  const record = carriedBy(route);
  const schema = record === undefined ? own : narrowed(own, record as JsonObject, resolve);
  const content = { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
  return { requestBody: { required: !isOptional(route.body), content } };
}

const WARNINGS: JsonObject = {
  [WARNINGS_HEADER]: {
    description:
      'What the service left out of the document, as a JSON list of sentences; absent when it took everything',
    schema: {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { type: 'array', items: { type: 'string' } },
    },
  },
};

const DEPRECATION: JsonObject = {
  deprecation: {
    description: 'Another operation has taken the place of this one (RFC 9745)',
    schema: { type: 'string' },
  },
};

function answerOf(route: Route, rules: DialectRules, { describe }: Describer): JsonObject {
  if (route.method === 'DELETE' && !rules.deleteAnswersRecord) return { description: 'Done; the body is empty' };
  const schema = describe(route.answer, 'output');
  const { otherAnswer } = route;
  const answers = otherAnswer === undefined ? schema : { anyOf: [schema, describe(otherAnswer, 'output')] };
  return {
    description: 'The answer',
    ...(route.warns ? { headers: WARNINGS } : {}),
    ...(route.deprecated ? { headers: DEPRECATION } : {}),
    content: { [route.media]: { schema: answers } },
  };
}

/** A path without a slash at its end (service-facts §0.2). */
const plain = (path: string): string => path.replace(/\/$/, '');

function operationOf(
  route: Route,
  path: string,
  rules: DialectRules,
  { schemas, parameters: shared }: { readonly schemas: Describer; readonly parameters: Map<string, object> },
): object {
  const classicPath = plain(pathIn('classic', route));
  const parameters = [
    ...parametersOf(path).map((name) => describedParameter(route, name, 'path')),
    ...route.query.map((name) => describedParameter(route, name, 'query')),
  ].map(({ component, parameter }) => {
    shared.set(component, parameter);
    return { $ref: `${PARAMETERS}${component}` };
  });
  return {
    operationId: route.name,
    summary: route.summary,
    description: descriptionOf(route),
    tags: [route.name.split('.')[0] ?? ''],
    ...(route.deprecated ? { deprecated: true } : {}),
    ...(route.open ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...bodyOf(route, schemas, exampleBodies(rules)[route.name]),
    responses: {
      '200': answerOf(route, rules, schemas),
      ...mapValues(refusalsOf(route, rules), (name) => ({ $ref: `${RESPONSES_AT}${name}` })),
    },
    'x-source': route.source,
    'x-repeat': route.repeat,
    ...(classicPath === path ? {} : { 'x-classic-path': classicPath }),
    ...(route.documented ? {} : { 'x-further': true }),
  };
}

/** Schemas that something refers to. */
function reached(schemas: JsonObject, paths: object): JsonObject {
  const named = (value: unknown): string[] =>
    [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? '');
  const found = new Set(named(paths));
  for (const name of found) for (const inner of named(schemas[name] ?? null)) found.add(inner);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

/** The document for one dialect. A pure function of the contract. */
export function openApiDocument(rules: DialectRules): OpenApi {
  const schemas = describer();
  const parameters = new Map<string, object>();
  const paths: { [path: string]: { [method: string]: object } } = {};
  for (const route of allRoutes) {
    const path = plain(rules.paths[route.name] ?? route.path);
    // Of two routes that differ in a slash at their end the first describes both.
    const methods = (paths[path] ??= {});
    methods[methodIn(rules, route).toLowerCase()] ??= operationOf(route, path, rules, {
      schemas,
      parameters,
    });
  }
  const refusals = new Set<string>(allRoutes.flatMap((route) => Object.values(refusalsOf(route, rules))));
  return {
    openapi: '3.1.0',
    info: { title: 'Assembly and Operations Management API', version: VERSION, description: DESCRIPTION },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: [...new Set(allRoutes.map((route) => route.name.split('.')[0] ?? ''))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'basic', description: 'API token as user name, empty password' },
      },
      parameters: Object.fromEntries([...parameters].sort(([one], [other]) => (one < other ? -1 : 1))),
      responses: Object.fromEntries(Object.entries(RESPONSES).filter(([name]) => refusals.has(name))),
      schemas: reached({ ...schemas.components(), ...attributeSchemas(rules) } as JsonObject, paths),
    },
  };
}

export function openApiText(rules: DialectRules): string {
  return `${JSON.stringify(openApiDocument(rules), null, 2)}\n`;
}

// Parameters of operations: by name, with a pattern, an enum or an example where there is one.

/** What is said of a parameter; its values are text unless `schema` says otherwise. */
interface Facts {
  readonly description: string;
  readonly schema?: JsonObject;
  readonly example?: string | number;
}

const NUMBER = { type: 'integer', minimum: 0 } as const;

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

const pascal = (text: string): string =>
  text.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, first: string) => first.toUpperCase());

/** A parameter of a route, and the name by which the document has it once for all routes. */
function describedParameter(
  route: Route,
  name: string,
  place: 'path' | 'query',
): { readonly component: string; readonly parameter: object } {
  const [table, elsewhere] = place === 'path' ? [PATH, ELSEWHERE] : [QUERY, QUERY_ELSEWHERE];
  const area = route.name.split('.')[0] ?? '';
  const own = [`${route.name} ${name}`, `${area} ${name}`].find((each) => elsewhere[each] !== undefined);
  const facts = own === undefined ? table[name] : elsewhere[own];
  if (facts === undefined) throw new Error(`${route.name}: parameter ${name} has no description`);
  const { schema, ...rest } = facts;
  return {
    component: `${pascal(own ?? name)}${place === 'path' ? '' : 'Query'}`,
    parameter: { name, in: place, required: place === 'path', ...rest, schema: { type: 'string', ...schema } },
  };
}

// Which refusals an operation has, by its route and the dialect, and what each of them holds.

const body = (properties: object, required: readonly string[]): object => ({
  'application/json': { schema: { type: 'object', properties, required } },
});

const messages = { type: 'array', items: { type: 'string' }, description: 'Every reason, one sentence each' };
const errors = body({ errors: messages }, ['errors']);

const RESPONSES = {
  Redirected: {
    description: 'The organization does not exist, or an API token is needed: a redirect to a page. Do not follow it',
    headers: { location: { description: 'The page that a browser would be shown', schema: { type: 'string' } } },
  },
  Malformed: {
    description: 'The path, the query or the body cannot be read, or the body lacks a member',
    content: errors,
  },
  Unauthenticated: {
    description: 'The API token is missing or not valid; or the user name and password are not',
    content: body({ error: { type: 'string' } }, ['error']),
  },
  UnauthenticatedOrForbidden: {
    description: 'The API token is missing or not valid: `error`. Or the user lacks the right: `errors`',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { error: { type: 'string' }, errors: messages },
          anyOf: [{ required: ['error'] }, { required: ['errors'] }],
        },
      },
    },
  },
  Forbidden: {
    description: 'The user lacks the right, or a web page of another origin sent the request',
    content: errors,
  },
  NotFromHere: {
    description:
      'The Host header names a host that is not of the service, or a web page of another origin sent the request',
    content: errors,
  },
  NotFound: { description: 'What the path or the body names does not exist', content: errors },
  TooLarge: { description: 'The body is too large', content: errors },
  UnsupportedMediaType: {
    description: 'The body is neither JSON in UTF-8 nor a form',
    content: errors,
  },
  Refused: { description: 'The request is understood and not possible: the reasons', content: errors },
  LoadRefused: {
    description: 'The document is refused and nothing of it is written: what was sent, and the reasons',
    content: body(
      {
        errors: {
          description:
            'A list of reasons, or an object in the shape of the document with a list of reasons at each fault',
          anyOf: [messages, { type: 'object', additionalProperties: true }],
        },
      },
      ['errors'],
    ),
  },
  TooManyRequests: {
    description: 'Too many requests at one time',
    headers: { 'retry-after': { description: 'Seconds to wait', schema: { type: 'string' } } },
    content: errors,
  },
  StorageFull: { description: 'The disk of the service is full: nothing of the request was kept', content: errors },
  Failed: {
    description: 'The service failed on the request',
    content: body({ code: { type: 'integer', enum: [500] }, exception: { type: 'string' } }, ['code', 'exception']),
  },
};

type ResponseName = keyof typeof RESPONSES;

/** Reads that check rules beyond their path, and so can be refused with 422. */
const REFUSED_READS: readonly string[] = [
  'components.services',
  'deployments.preview',
  'environments.template',
  'procedures.list',
];

/** Reads without a parameter in their path that can find nothing. */
const MISSED_READS: readonly string[] = ['organizations.current'];

function refusalsOf(route: Route, rules: DialectRules): { readonly [status: string]: ResponseName } {
  const hasBody = !(route.body instanceof z.ZodUndefined);
  const hasParameters = parametersOf(route.path).length > 0;
  const isWrite = route.repeat !== 'read';
  const rightIs401 = rules.forbiddenStatus === 401;
  return {
    ...(rules.statuses.unknownOrganization === 302 && !route.open ? { '302': 'Redirected' } : {}),
    '400': 'Malformed',
    ...(route.open && !isWrite ? {} : { '401': rightIs401 ? 'UnauthenticatedOrForbidden' : 'Unauthenticated' }),
    '403': route.open || rightIs401 ? 'NotFromHere' : 'Forbidden',
    ...(hasParameters || hasBody || MISSED_READS.includes(route.name) ? { '404': 'NotFound' } : {}),
    ...(hasBody ? { '413': 'TooLarge', '415': 'UnsupportedMediaType' } : {}),
    ...(isWrite || REFUSED_READS.includes(route.name)
      ? { '422': route.name.endsWith('.load') ? 'LoadRefused' : 'Refused' }
      : {}),
    '429': 'TooManyRequests',
    '500': 'Failed',
    ...(isWrite ? { '507': 'StorageFull' } : {}),
  };
}
