// The contract as an OpenAPI 3.1 document, in the paths of one dialect (issued as openapi.json, served at GET /openapi.json).
import { z } from 'zod';
import { methodIn, pathIn, type DialectRules } from './dialect';
import { attributeSchemas, carriedBy } from './openapi-attributes';
import { exampleBodies } from './openapi-examples';
import { describedParameter } from './openapi-parameters';
import { refusalsOf, sharedResponses } from './openapi-statuses';
import { parametersOf, WARNINGS_HEADER, type Repeat, type Route } from './route';
import { allRoutes } from './routes';
import * as shapes from './schemas';

/** JSON value of the document. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

/** An OpenAPI 3.1 document. */
export interface OpenApi {
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
const RESPONSES = '#/components/responses/';
const PARAMETERS = '#/components/parameters/';
const SCHEMAS = '#/components/schemas/';

const pascal = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Named schemas: what is exported as `component` or `componentSchema` becomes the component `Component`. */
function namedSchemas(): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(shapes)) {
    if (schema instanceof z.ZodType) registry.add(schema, { id: pascal(name.replace(/Schema$/, '')) });
  }
  return registry;
}

/** A schema as the document has it: references into its components, no bounds that only say "a safe integer". */
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

/** Words by schema and member, at any depth of the schema; or by the member alone, in every schema of an answer. */
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

/** Turns schemas into JSON Schema, and keeps every component they refer to. */
interface Describer {
  readonly describe: (schema: z.ZodType, io: 'input' | 'output') => Json;
  /** A schema itself, where it is a reference to a component. */
  readonly resolve: (schema: JsonObject) => JsonObject;
  readonly components: () => JsonObject;
}

function describer(): Describer {
  const registry = namedSchemas();
  const components = new Map<string, Json>();
  return {
    describe: (schema, io) => {
      const text = JSON.stringify(z.toJSONSchema(schema, { metadata: registry, io, unrepresentable: 'any' }));
      const json = JSON.parse(text) as JsonObject & { readonly $defs?: JsonObject };
      for (const [name, definition] of Object.entries(json.$defs ?? {}))
        components.set(name, withWords(name, name.endsWith('Body') ? given(tidy(definition)) : tidy(definition)));
      return tidy(json);
    },
    resolve: (schema) => {
      const { $ref } = schema;
      return typeof $ref === 'string' ? ((components.get($ref.replace(SCHEMAS, '')) ?? schema) as JsonObject) : schema;
    },
    components: () => Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** What a client has to know of sending a request again. */
const REPEATS: { readonly [R in Repeat]: string } = {
  read: 'It changes nothing and can be sent again at any time.',
  write: 'It can be sent again: a second request has the same result.',
  create: 'After a lost answer, look for the record before you send the request again.',
  action: 'Do not send it again after a lost answer: it would act a second time.',
};

/** What an operation does, in sentences. */
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

/** Whether a body may be left out. */
const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

/**
 * A schema with narrower rules for some of its members, written out where it has such members: what generators of clients take, unlike
 * `allOf`. Rules of members that the schema does not have are left out.
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

/** A path without the slash that some end with in the published documentation: it is the same path (service-facts §0.2). */
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
      ...Object.fromEntries(
        Object.entries(refusalsOf(route, rules)).map(([status, name]) => [status, { $ref: `${RESPONSES}${name}` }]),
      ),
    },
    'x-source': route.source,
    'x-repeat': route.repeat,
    ...(classicPath === path ? {} : { 'x-classic-path': classicPath }),
    ...(route.documented ? {} : { 'x-further': true }),
  };
}

/** Schemas that something refers to: those of bodies that were written out leave nobody who does. */
function reached(schemas: JsonObject, paths: object): JsonObject {
  const named = (value: unknown): string[] =>
    [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? '');
  const found = new Set(named(paths));
  for (const name of found) for (const inner of named(schemas[name] ?? null)) found.add(inner);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

/** The document for one dialect: its paths, and what its DELETE answers. A pure function of the contract. */
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
      responses: sharedResponses(new Set(allRoutes.flatMap((route) => Object.values(refusalsOf(route, rules))))),
      schemas: reached({ ...schemas.components(), ...attributeSchemas(rules) } as JsonObject, paths),
    },
  };
}

/** Text of openapi.json: the document in the documented dialect. */
export function openApiText(rules: DialectRules): string {
  return `${JSON.stringify(openApiDocument(rules), null, 2)}\n`;
}
