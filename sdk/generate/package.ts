// schema.json: the package as Pulumi's tools read it (engine-facts F).
import { canBeFound, searchNames } from '../../provider/import';
import { dynamicType, type Kind } from '../../provider';
import { SETTINGS, type Setting } from '../../provider/session/settings';
import { emit, packageValue, typeRef, typeToken, type Json, type Target } from './emit';
import { examplePulumiYaml, importLine } from './examples';
import {
  allFunctions,
  allResources,
  membersOf,
  type FunctionText,
  type FunctionTexts,
  type Member,
  type Property,
  type Resource,
} from './model';

/** Facts of package.json that the schema repeats. */
export interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
}

const CONFIGURATION: Json = Object.fromEntries(
  Object.entries<Setting>(SETTINGS).map(([name, { type, text, secret, variable }]) => [
    name,
    {
      type,
      description: text,
      ...(secret ? { secret } : {}),
      ...(variable === undefined ? {} : { defaultInfo: { environment: [variable] } }),
    },
  ]),
);

/** Chosen names that the founders have to confirm: publisher, and where releases and SDKs are. */
const PUBLISHER = 'pulumi-oneops';
const REPOSITORY = `https://github.com/${PUBLISHER}/pulumi-oneops`;

const LOGO = `${REPOSITORY.replace('github.com', 'raw.githubusercontent.com')}/main/docs/images/logo.png`;
const GO_PACKAGE = `${REPOSITORY.replace('https://', '')}/sdk/go/oneops`;

/** Names of the generated SDKs. Programs in TypeScript use this package, not the generated one. */
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

export function packageSchema(manifest: Manifest): Json {
  const [resources, functions] = [allResources(), allFunctions()];
  const words = wordNames(resources);
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
    types: { ...resourceTypes(resources, words), ...functionTypes(functions) },
    resources: Object.fromEntries(
      resources.map((resource) => [typeToken(resource.of.token), resourceSpec(resource, words)]),
    ),
    functions: Object.fromEntries(functions.functions.map((each) => [typeToken(each.token), functionSpec(each)])),
    language: LANGUAGES,
  };
}

/** The name of the type of each closed set of words: that of the first property that has it. */
type Words = ReadonlyMap<string, string>;

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** A set of words, whatever its order. */
const setOf = (allowed: readonly string[]): string => [...allowed].sort().join();

const valueIn = (words: Words) => packageValue((allowed) => words.get(setOf(allowed)) ?? '');

/** Closed sets of words in a property: at most one. */
function wordsIn({ shape }: Pick<Member, 'shape'>): readonly (readonly string[])[] {
  const inner = shape.type === 'list' ? shape.items : shape.type === 'map' ? shape.values : shape;
  return inner.type === 'text' && inner.allowed !== undefined ? [inner.allowed] : [];
}

/** The type of a closed set of words, by the name of what has it and of the property. */
const wordsName = (holder: string, property: string): string => `${pascal(holder)}${pascal(property)}`;

const wordsType = (allowed: readonly string[]): Json => ({ type: 'string', enum: allowed.map((value) => ({ value })) });

function wordNames(resources: readonly Resource[]): Words {
  const named = (holder: string, members: readonly Member[]) =>
    members.flatMap((member) =>
      wordsIn(member).map((words) => [setOf(words), wordsName(holder, member.name)] as const),
    );
  const own = resources.flatMap(({ of, args, outputs }) => named(of.token, [...args, ...outputs]));
  const inner = resources.flatMap(({ args }) => args.flatMap((each) => named(each.object ?? '', membersOf(each))));
  return new Map([...own, ...inner].reverse());
}

/** Types that properties of resources refer to, in the order in which they do. */
function resourceTypes(resources: readonly Resource[], words: Words): Json {
  const types = new Map<string, Json>();
  const addWords = (property: Pick<Member, 'shape'>): void => {
    for (const allowed of wordsIn(property)) types.set(words.get(setOf(allowed)) ?? '', wordsType([...allowed].sort()));
  };
  for (const property of resources.flatMap(({ args, outputs }) => [...outputs, ...args])) {
    addWords(property);
    const members = membersOf(property);
    if (property.object === undefined || types.has(property.object)) continue;
    types.set(property.object, { type: 'object', properties: memberSpecs(members, () => valueIn(words)) });
    members.forEach(addWords);
  }
  return Object.fromEntries([...types].map(([name, type]) => [typeToken(name), type]));
}

function resourceSpec({ of, args, outputs }: Resource, words: Words): Json {
  return {
    description: [of.description, ...exampleSections(of)].join('\n\n'),
    properties: memberSpecs(outputs, () => valueIn(words)),
    required: outputs.filter(({ required }) => required).map(({ name }) => name),
    inputProperties: memberSpecs(args, () => valueIn(words)),
    // Farther names follow from parent objects in our classes only.
    requiredInputs: args
      .filter(
        ({ name, required, always, reference }) => required || (always && reference !== undefined && name !== 'name'),
      )
      .map(({ name }) => name),
    aliases: [{ type: dynamicType(of.token) }],
    ...(canBeFound(of) ? { listInputs: { properties: listInputs(of) } } : {}),
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

const memberSpecs = (
  members: readonly (Member & Partial<Pick<Property, 'object' | 'replaces'>>)[],
  targetOf: (member: Member) => Target<Json>,
): Json =>
  Object.fromEntries(
    members.map((member) => {
      const { name, description, shape, object, secret, replaces } = member;
      const value = object ? { type: 'object', additionalProperties: typeRef(object) } : emit(shape, targetOf(member));
      return [
        name,
        {
          ...value,
          ...(description === '' ? {} : { description }),
          ...(secret ? { secret } : {}),
          ...(replaces ? { replaceOnChanges: true } : {}),
        },
      ];
    }),
  );

/** Types that only functions use: records of results, and closed sets of words of arguments. */
function functionTypes({ functions, records }: FunctionTexts): Json {
  const words = functions.flatMap(({ token, args }) =>
    args.flatMap((argument) =>
      wordsIn(argument).map((allowed) => [typeToken(wordsName(token, argument.name)), wordsType(allowed)]),
    ),
  );
  const objects = records.map(({ name, description, members }) => [
    typeToken(name),
    { description, type: 'object', ...resultsSpec(members) },
  ]);
  return Object.fromEntries([...words, ...objects]) as Json;
}

function functionSpec({ token, description, args, results }: FunctionText): Json {
  const required = args.filter((argument) => argument.required).map(({ name }) => name);
  const properties = memberSpecs(args, ({ name }) => packageValue(() => wordsName(token, name)));
  const inputs = { properties, ...(required.length === 0 ? {} : { required }) };
  return { description, ...(args.length === 0 ? {} : { inputs }), outputs: resultsSpec(results) };
}

const resultsSpec = (results: readonly Member[]): Json => ({
  properties: memberSpecs(results, () => packageValue(() => '')),
  required: results.filter(({ required }) => required).map(({ name }) => name),
});
