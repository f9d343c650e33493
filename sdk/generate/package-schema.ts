// schema.json: the package as Pulumi's tools read it (engine-facts F).
// It must not know how definitions are made, nor any single kind.
import type { Definition } from 'typescript-json-schema';
import { canBeFound, dynamicType, kinds, searchNames, type Kind } from '../../provider';
import type { FunctionTexts } from './function-model';
import { functionSpecs, functionTypes } from './function-schema';
import type { Definitions } from './json-schema';
import { examplePulumiYaml, importLine } from './kind-examples';
import type { Resource } from './model';

/** Facts of package.json that the schema repeats. */
export interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
}

type Json = { readonly [key: string]: unknown };

const CONFIGURATION: Json = {
  url: { type: 'string', description: 'Base address of the service.', defaultInfo: { environment: ['ONEOPS_URL'] } },
  organization: {
    type: 'string',
    description: 'Organization whose records are declared.',
    defaultInfo: { environment: ['ONEOPS_ORGANIZATION'] },
  },
  token: {
    type: 'string',
    description: "A user's API token.",
    secret: true,
    defaultInfo: { environment: ['ONEOPS_TOKEN'] },
  },
  tokenEnv: { type: 'string', description: 'Environment variable that holds the token, instead of ONEOPS_TOKEN.' },
  dialect: { type: 'string', description: 'Dialect of the service: `auto` (default), `documented` or `classic`.' },
  allowHttp: {
    type: 'boolean',
    description: 'Whether the token may cross a network unencrypted; loopback is always allowed.',
  },
  readCache: {
    type: 'string',
    description: 'Whether a refresh reads each list once for all of its records: `on` (default) or `off`.',
  },
  catalogue: {
    type: 'string',
    description:
      'How findings of the packaged catalogue count: `auto` (default), `strict` as errors, `warn` as warnings, `off` not at all.',
  },
  readOnly: {
    type: 'boolean',
    description: 'Whether every write is an error before it is sent.',
    defaultInfo: { environment: ['ONEOPS_READ_ONLY'] },
  },
  offlinePreview: {
    type: 'boolean',
    description:
      'Whether a preview begins without asking the service who it is, so that it needs no service. It then does not find a wrong address, organization or token.',
    defaultInfo: { environment: ['ONEOPS_OFFLINE_PREVIEW'] },
  },
  audit: {
    type: 'string',
    description: 'File that a line of JSON is appended to for each request; relative to the folder of the project.',
    defaultInfo: { environment: ['ONEOPS_AUDIT'] },
  },
};

/** Chosen names that the founders have to confirm: who publishes the package, and where its releases and its SDKs are found. */
const PUBLISHER = 'pulumi-oneops';
const REPOSITORY = `https://github.com/${PUBLISHER}/pulumi-oneops`;

const LOGO = `${REPOSITORY.replace('github.com', 'raw.githubusercontent.com')}/main/docs/images/logo.png`;
const GO_PACKAGE = `${REPOSITORY.replace('https://', '')}/sdk/go/oneops`;

/** Names under which the generated SDKs are used. Programs in TypeScript use this package itself, so the generated one has another name. */
const LANGUAGES: Json = {
  nodejs: { packageName: `@${PUBLISHER}/plugin-sdk`, respectSchemaVersion: true },
  python: { packageName: 'pulumi_oneops', respectSchemaVersion: true, pyproject: { enabled: true } },
  go: {
    importBasePath: GO_PACKAGE,
    rootPackageName: 'oneops',
    // Without it, Pulumi's generator writes types of examples without their package.
    packageImportAliases: { [GO_PACKAGE]: 'oneops' },
    respectSchemaVersion: true,
  },
  csharp: { rootNamespace: 'PulumiOneOps', namespaces: { oneops: 'OneOps' }, respectSchemaVersion: true },
  java: { basePackage: 'com.pulumioneops', buildFiles: 'gradle' },
};

/** The package schema. */
export function packageSchema(
  resources: readonly Resource[],
  functions: FunctionTexts,
  definitions: Definitions,
  manifest: Manifest,
): Json {
  const own = new Set(resources.flatMap(({ token }) => [token, `${token}Args`]));
  const types = Object.entries(definitions).filter(([name]) => !own.has(name));
  return {
    name: 'oneops',
    displayName: 'OneOps',
    version: manifest.version,
    description: manifest.description,
    keywords: [...manifest.keywords, 'category/infrastructure', 'kind/native'],
    license: manifest.license,
    publisher: PUBLISHER,
    repository: REPOSITORY,
    homepage: `${REPOSITORY}#readme`,
    logoUrl: LOGO,
    config: { variables: CONFIGURATION },
    provider: { description: 'A service, an organization in it and a user.', inputProperties: CONFIGURATION },
    types: {
      ...Object.fromEntries(types.map(([name, definition]) => [typeToken(name), typeSpec(definition)])),
      ...functionTypes(functions),
    },
    resources: Object.fromEntries(
      resources.map((resource) => [typeToken(resource.token), resourceSpec(resource, definitions)]),
    ),
    functions: functionSpecs(functions),
    language: LANGUAGES,
  };
}

/** SDKs have a class for the state of each resource: a type of that name gets another one. */
const typeToken = (name: string): string => `oneops:index:${name.replace(/State$/, 'StateValue')}`;

function resourceSpec({ token, description, args, outputs }: Resource, definitions: Definitions): Json {
  const of = kinds.find((kind) => kind.token === token);
  return {
    description: of === undefined ? description : [description, ...exampleSections(of)].join('\n\n'),
    properties: propertySpecs(definitions[token]),
    required: outputs.filter(({ required }) => required).map(({ name }) => name),
    inputProperties: propertySpecs(definitions[`${token}Args`]),
    // Farther names follow from parent objects in our classes only.
    requiredInputs: args
      .filter(
        ({ name, required, always, reference }) => required || (always && reference !== undefined && name !== 'name'),
      )
      .map(({ name }) => name),
    aliases: [{ type: dynamicType(token) }],
    ...(of !== undefined && canBeFound(of) ? { listInputs: { properties: listInputs(of) } } : {}),
  };
}

const exampleSections = (of: Kind): readonly string[] => [
  '## Example Usage',
  `\`\`\`yaml\n${examplePulumiYaml(of)}\`\`\``,
  '## Import',
  `\`\`\`sh\n${importLine(of)}\n\`\`\``,
];

const listInputs = (of: Kind): Json =>
  Object.fromEntries(
    searchNames(of).map((name) => [name, { type: 'string', description: `Only what is in the ${name} of this name.` }]),
  );

/** Pulumi's enums list their values as objects, and may not be inside a property. */
function typeSpec(definition: Definition): Json {
  if (definition.enum) return { type: 'string', enum: definition.enum.map((value) => ({ value })) };
  if (definition.const !== undefined) return { type: 'string', enum: [{ value: definition.const }] };
  return { type: 'object', properties: propertySpecs(definition) };
}

const propertySpecs = (definition: Definition | undefined): Json =>
  Object.fromEntries(
    Object.entries(definition?.properties ?? {}).map(([name, property]) => [
      name,
      propertySpec(property as Definition),
    ]),
  );

function propertySpec(definition: Definition): Json {
  const { $ref, type, items, additionalProperties, description, ...rest } = definition;
  const marks = rest as { readonly secret?: unknown; readonly replaceOnChanges?: unknown };
  return {
    ...($ref === undefined ? {} : { $ref: `#/types/${typeToken($ref.replace('#/definitions/', ''))}` }),
    ...(typeof type === 'string' ? { type } : {}),
    ...(items === undefined ? {} : { items: propertySpec(items as Definition) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: anything(additionalProperties) ?? propertySpec(additionalProperties as Definition) }),
    ...(description === undefined ? {} : { description }),
    ...(marks.secret === undefined ? {} : { secret: true }),
    ...(marks.replaceOnChanges === undefined ? {} : { replaceOnChanges: true }),
  };
}

const anything = (definition: unknown): Json | undefined =>
  typeof definition === 'object' && definition !== null && Object.keys(definition).length === 0
    ? { $ref: 'pulumi.json#/Any' }
    : undefined;
