// stack.schema.json: the stack file's format for editors. The reader is right where they differ.
// Values of the catalogue are offered and described, and not enforced: a service can have other
// packs.
import {
  classMetadata,
  expectationWords,
  knownPacks,
  registeredClass,
  type AttributeMetadata,
  type ClassMetadata,
} from '../../api/contract';
import { fieldOf, snakeCase, type Kind } from '../../provider';
import { argumentsInFile, kindInFile } from '../../provider/kinds';
import type { FileFunction } from '../../stack';
import { emit, fileValue, ref, typeToken, type Json, type Value } from './emit';
import { allFunctions, allResources, callName, fileFunctions, membersOf, resourceOf, type Property } from './model';

/** Words of one thing: next to its own keys. */
const THING_WORDS: Json = {
  use: {
    type: 'string',
    description: 'Template that makes it: a name below templates. Own keys are laid over its body.',
  },
  with: { type: ['object', 'null'], description: 'Arguments of the template, by the names of its parameters.' },
  when: {
    description: "Condition without which it is not there: ${config.tier} == 'prod'.",
    type: ['string', 'boolean'],
  },
  each: {
    description: 'Names, or a map by name, that it is made for. Its own key contains ${each.key}.',
    anyOf: [{ type: 'array' }, { type: 'object' }, { type: 'string', pattern: '\\$\\{' }],
  },
};

const INCLUDE: Json = {
  description: 'Files whose content is added here: names relative to this file, also with * and ?.',
};

/** A value that exists on a condition. */
const CONDITIONAL: Json = {
  type: 'object',
  required: ['when', 'value'],
  properties: { when: { type: ['string', 'boolean'] }, value: {} },
  additionalProperties: false,
};

/** What composition allows in place of any value. Null is not offered everywhere. */
const COMPOSED_VALUES: readonly Json[] = [
  CONDITIONAL,
  { not: { type: ['string', 'number', 'boolean', 'object', 'array'] } },
];

/** The declaration of a value, of the configuration or of a template. */
const declaration = (keys: Json): Json => ({
  type: 'object',
  required: ['type'],
  properties: { type: { enum: ['string', 'integer', 'number', 'boolean', 'list', 'map'] }, ...keys },
  additionalProperties: false,
});

const ALLOWED: Json = { type: 'array', description: 'The only values there may be.' };

const PARAMETER = declaration({
  default: { description: 'Value where a use gives none; without it, each use must give one.' },
  allowed: ALLOWED,
  message: { type: 'string', description: 'What a finding says of a value that is not allowed.' },
  description: { type: 'string' },
});

const CONFIG = declaration({
  default: { description: 'Value when the stack sets none; without it the value must be set.' },
  secret: { type: 'boolean', description: 'Kept encrypted, shown nowhere.' },
  description: { type: 'string' },
  allowed: ALLOWED,
});

const TOP_WORDS_SCHEMA: Json = {
  include: INCLUDE,
  templates: {
    type: ['object', 'null'],
    description: 'Bodies that several things share, by name: use names them.',
    additionalProperties: {
      type: 'object',
      properties: {
        parameters: { type: ['object', 'null'], additionalProperties: PARAMETER },
        body: {
          type: ['object', 'null'],
          description: 'What it makes, with ${param.NAME} for the arguments.',
          anyOf: [{ $ref: '#/definitions/platform' }, { $ref: '#/definitions/environment' }, {}],
        },
        description: { type: 'string' },
      },
      additionalProperties: false,
    },
  },
};

/** Parts of a file that an overlay can change as they are at the top. */
const PARTS = ['env', 'clouds', 'design', 'variables', 'environments', 'outputs'];

/** Overlays by name, in which nothing is required. `own`: schemas of parts with required keys. */
const overlaySchema = (own: Json): Json => ({
  type: ['object', 'null'],
  description: 'What differs in a stack of that name, or with --overlay NAME. Null removes a key.',
  additionalProperties: {
    type: ['object', 'null'],
    properties: { ...own, ...Object.fromEntries(PARTS.map((part) => [part, { $ref: `#/properties/${part}` }])) },
    additionalProperties: false,
  },
});

const text = (description: string): Json => ({ type: 'string', description });
const mapOf = (description: string, values: Json, known: Json = {}): Json => ({
  type: ['object', 'null'],
  description,
  properties: { include: INCLUDE, ...known },
  additionalProperties: values,
});
const listOf = (description: string): Json => ({ description, type: 'array', items: { type: 'string' } });
const variables = (description: string): Json =>
  mapOf(`${description} A value, or a map with more to say.`, {
    anyOf: [{ type: ['string', 'number', 'boolean'] }, ref('expression'), ref('variable')],
  });
const configOf = (config: Json): Json =>
  mapOf('Values of the Pulumi stack that this file refers to as ${config.NAME}.', config);
const platforms = (platform: Json): Json => mapOf('Parts of the design, by name.', platform);

export function stackSchema(): Json {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    anyOf: [{ required: ['assembly'] }, { required: ['include'] }],
    additionalProperties: false,
    patternProperties: { '^x-': { description: 'Your own: for anchors that other parts refer to. Ignored.' } },
    properties: {
      config: configOf(ref('config')),
      env: listOf('Names of the environment variables that fn::env may read.'),
      clouds: mapOf('Clouds of the organization that this stack owns or refers to, by name.', ref('cloud')),
      assembly: { allOf: [ref('assembly')], required: ['name'] },
      design: ref('design'),
      variables: variables('Variables of the assembly: attributes refer to them as $OO_GLOBAL{NAME}.'),
      platforms: platforms({
        allOf: [ref('platform')],
        anyOf: ['pack', 'use', 'include'].map((key) => ({ required: [key] })),
      }),
      environments: mapOf('Where the design runs, by name.', ref('environment')),
      outputs: { type: ['object', 'null'], description: 'Outputs of the Pulumi stack, by name.' },
      ...TOP_WORDS_SCHEMA,
      overlays: overlaySchema({
        assembly: ref('assembly'),
        platforms: platforms(ref('platform')),
        config: configOf({ ...CONFIG, type: ['object', 'null'], required: [] }),
      }),
    },
    definitions: {
      ...recordSchemas(),
      config: CONFIG,
      pulumi: OPTIONS,
      expression: {
        anyOf: [
          { type: 'string', pattern: '\\$\\{' },
          {
            type: 'object',
            minProperties: 1,
            maxProperties: 1,
            additionalProperties: false,
            properties: callSchemas({ invoke: ref('invoke') }),
          },
          ...COMPOSED_VALUES,
        ],
      },
      invoke: invokeSchema(ref('expression')),
    },
  };
}

/** Keys of a component's map that are no attributes. */
const componentWords = (path: string): readonly string[] => [
  'attachments',
  'monitors',
  'pulumi',
  'include',
  ...kindProperties(kindInFile(path)).map(([key]) => key),
  ...Object.keys(THING_WORDS),
];

/** Keys of a platform in an environment that a file can also give below `healing`. */
const HEALING = /^(auto|replace_after)/;

const ON_INSTANCES = {
  platform: text('Platform of the instances.'),
  component: text('Component of the instances.'),
};

/** The maps of the records that a file declares, by the names that the schema gives them. */
function recordSchemas(): Json {
  /** The map at a path. `more`: keys next to the kind's own; `rest`: other facts. */
  const record = (path: string, more: Json = {}, rest: Json = {}): Json => {
    const of = kindInFile(path);
    const own = kindProperties(of).filter(([key]) => !(key in more));
    return {
      type: ['object', 'null'],
      description: of.description,
      properties: { ...Object.fromEntries(own), ...more, pulumi: ref('pulumi'), include: INCLUDE, ...THING_WORDS },
      additionalProperties: false,
      ...rest,
    };
  };
  return {
    assembly: record('assembly', {
      name: text(
        'Name of the assembly: part of every address. References in it mean values that are known before the run.',
      ),
    }),
    design: record('design'),
    platform: record('platforms.*', {
      pack: packSchema(
        'source/pack:version, as in oneops/tomcat:1; or the pack alone, with source and version next to it.',
      ),
      source: text('Register the pack comes from.'),
      version: { description: 'Version of the pack.', type: ['string', 'number'] },
      components: mapOf(
        "Components by template (or template/class). A template's map contains attributes of the component of that name, or components by name.",
        ref('component'),
        templateProperties('component'),
      ),
      variables: variables('Variables of the platform: attributes refer to them as $OO_LOCAL{NAME}.'),
    }),
    component: record(
      'platforms.*.components.*',
      {
        attachments: mapOf('Files, certificates and scripts, by name.', ref('attachment')),
        monitors: mapOf('Checks that run on its instances, by name.', ref('monitor')),
      },
      { additionalProperties: true },
    ),
    ...classSchemas('component', componentWords('platforms.*.components.*')),
    ...classSchemas('environmentComponent', componentWords('environments.*.platforms.*.components.*'), 'component'),
    attachment: record('platforms.*.components.*.attachments.*'),
    monitor: record('platforms.*.components.*.monitors.*'),
    variable: record('variables.*', {}, { type: 'object' }),
    environment: record('environments.*', {
      clouds: {
        description: 'Clouds it runs on: settings by name, or names alone.',
        anyOf: [mapOf('', ref('cloudLink')), { type: 'array', items: { type: 'string' } }],
      },
      platforms: mapOf('What differs for single platforms, by name.', ref('environmentPlatform')),
      variables: variables("Other values for the assembly's variables."),
      replacements: mapOf('Instances that the deployment recreates, by name.', ref('instanceReplacement')),
      procedures: mapOf('Actions that run on instances after the deployment, by name.', ref('procedure')),
      relays: mapOf('Who gets mails about it, by name. The relay "default" comes with it.', ref('relay')),
      deploy: {
        description: 'The deployment; false leaves the environment prepared and not deployed.',
        anyOf: [{ type: 'boolean' }, ref('deployment')],
      },
    }),
    environmentPlatform: record('environments.*.platforms.*', {
      availability: {
        enum: ['single', 'redundant', 'default'],
        description: 'Whether the platform runs alone or redundantly.',
      },
      clouds: mapOf('What differs for single clouds, by name.', ref('cloudConfiguration')),
      variables: variables("Other values for the platform's variables."),
      components: mapOf(
        'What differs for components, by template as in the design.',
        ref('environmentComponent'),
        templateProperties('environmentComponent'),
      ),
      healing: ref('healing'),
    }),
    healing: {
      type: ['object', 'null'],
      description: 'What the service does by itself, together: the same keys as next to it.',
      properties: Object.fromEntries(
        kindProperties(kindInFile('environments.*.platforms.*')).filter(([key]) => HEALING.test(key)),
      ),
      additionalProperties: false,
    },
    cloudConfiguration: record('environments.*.platforms.*.clouds.*'),
    procedure: record('environments.*.procedures.*', ON_INSTANCES),
    instanceReplacement: record('environments.*.replacements.*', ON_INSTANCES),
    relay: record('environments.*.relays.*'),
    environmentComponent: record(
      'environments.*.platforms.*.components.*',
      {
        attachments: mapOf('What differs for attachments, by name.', ref('environmentAttachment')),
        monitors: mapOf('What differs for monitors, by name.', ref('monitor')),
      },
      { additionalProperties: true },
    ),
    environmentAttachment: record('environments.*.platforms.*.components.*.attachments.*'),
    deployment: record('environments.*.deploy'),
    cloudLink: {
      type: ['object', 'null'],
      description: "How a cloud is used; what is left out has the service's value.",
      properties: {
        ...memberProperties(
          allResources()
            .flatMap(({ args }) => args)
            .find(({ object }) => object === 'CloudLink'),
        ),
        ...THING_WORDS,
      },
      additionalProperties: false,
    },
    cloud: record('clouds.*', { services: mapOf('Services of the cloud, by template.', ref('cloudService')) }),
    cloudService: record('clouds.*.services.*'),
  };
}

const OPTIONS: Json = {
  type: 'object',
  description: "Pulumi's resource options, by their Pulumi names.",
  properties: {
    protect: { type: 'boolean', description: 'Refuses to delete or replace it.' },
    retainOnDelete: { type: 'boolean', description: 'Leaves it in the service when it leaves the file.' },
    deleteBeforeReplace: { type: 'boolean' },
    dependsOn: listOf('What must be there before it, as references.'),
    parent: text('The resource that it is shown below, as a reference. Part of its URN.'),
    deletedWith: text('A resource whose deletion includes it, as a reference: then it is not deleted by itself.'),
    replaceWith: listOf('Resources whose replacement replaces it, as references.'),
    replacementTrigger: { description: 'Any value: a change of it replaces the resource.' },
    import: text('Id of a record that it takes over; with the plugin only.'),
    ignoreChanges: listOf('Keys whose changes are ignored.'),
    replaceOnChanges: listOf('Keys whose changes replace it.'),
    additionalSecretOutputs: listOf('Further keys kept as secrets.'),
    hideDiffs: listOf('Keys whose differences are not shown.'),
    aliases: { type: 'array', description: 'Former names: { name: old }, or complete URNs.' },
    customTimeouts: {
      type: 'object',
      properties: { create: { type: 'string' }, update: { type: 'string' }, delete: { type: 'string' } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

/** A kind's own keys: the arguments that a file gives under their own keys. */
function kindProperties(of: Kind): readonly (readonly [string, Json])[] {
  const names = argumentsInFile(of);
  return resourceOf(of)
    .args.filter(({ name }) => names.includes(name))
    .map((property) => [
      snakeCase(property.name),
      valueSchema(withDefault(property.description, fieldOf(of, property.name)?.base ?? ''), valuesOf(property)),
    ]);
}

const memberProperties = (property: Property | undefined): Json =>
  Object.fromEntries(
    (property === undefined ? [] : membersOf(property)).map(({ name, description, shape }) => [
      snakeCase(name),
      valueSchema(description, emit(shape, fileValue)),
    ]),
  );

const valuesOf = (property: Property): Json =>
  property.object === undefined
    ? emit(property.shape, fileValue)
    : { type: 'object', additionalProperties: { type: 'object', properties: memberProperties(property) } };

/** The description with the value that the service has where nobody sets one. */
const withDefault = (description: string, value: string): string =>
  value === '' || /default/i.test(description) ? description : `${description} Default: ${value}.`.trim();

/** Any value may come from a reference or a function. */
const valueSchema = (description: string, value: Json): Json => ({
  ...(description === '' ? {} : { description }),
  anyOf: [value, ref('expression')],
});

/** A class of components, the templates that make it, and the packs that have each. */
interface TemplateClass {
  readonly metadata: ClassMetadata;
  readonly packs: ReadonlyMap<string, readonly string[]>;
}

const definitionOf = (holder: string, { name }: ClassMetadata): string => `${holder}.${name}`;

/** Components by class. `holder` has the words of every component there; `own` are these words. */
const classSchemas = (holder: string, own: readonly string[], attributesFrom?: string): Json =>
  Object.fromEntries(
    classes().map(({ metadata }) => {
      const definition = definitionOf(holder, metadata);
      const words = own.map((word) => [word, ref(`${holder}/properties/${word}`)]);
      const attributes = Object.entries(metadata.attributes)
        .filter(([name]) => !own.includes(name))
        .map(([name, attribute]) => [
          name,
          attributesFrom === undefined
            ? attributeSchema(attribute)
            : ref(`${definitionOf(attributesFrom, metadata)}/properties/${name}`),
        ]);
      const schema = {
        type: ['object', 'null'],
        description: `${metadata.description}.`,
        properties: Object.fromEntries([...attributes, ...words]) as Json,
        // Named components, or attributes that the packaged catalogue does not have.
        additionalProperties: { anyOf: [ref(definition), {}] },
      };
      return [definition, schema];
    }),
  );

/** Properties of a map of components: the templates of all packs. */
const templateProperties = (holder: string): Json =>
  Object.fromEntries(
    classes().flatMap(({ metadata, packs }) =>
      [...packs].map(([template, names]) => [
        template,
        {
          description: `${metadata.description}. Template of ${names.length > PACKS ? `${names.length} packs` : names.join(', ')}.`,
          ...ref(definitionOf(holder, metadata)),
        },
      ]),
    ),
  );

/** Packs that a description lists. */
const PACKS = 6;

/** The pack of a platform: those of the packaged catalogue are offered. */
const packSchema = (description: string): Json => ({
  description,
  anyOf: [{ enum: knownPacks.map(({ source, name, version }) => `${source}/${name}:${version}`) }, { type: 'string' }],
});

function classes(): readonly TemplateClass[] {
  const found = new Map<string, Map<string, string[]>>();
  for (const { name, templates } of knownPacks)
    for (const [template, { class: className, design }] of Object.entries(templates)) {
      if (!design) continue;
      const packs = found.get(className) ?? new Map<string, string[]>();
      packs.set(template, [...new Set([...(packs.get(template) ?? []), name])]);
      found.set(className, packs);
    }
  return [...found]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([name, packs]) => {
      const metadata = classMetadata(registeredClass('catalog', name));
      return metadata ? [{ metadata, packs }] : [];
    });
}

function attributeSchema(attribute: AttributeMetadata): Json {
  const { expects, says, encrypted, required, description, default: fallback } = attribute;
  const values = expects?.type === 'boolean' || expects === undefined ? says : expectationWords(expects);
  const offered = expects?.type === 'boolean' ? { type: 'boolean' } : expects?.allowed && { enum: expects.allowed };
  const parts = [
    `${description}.`,
    ...(values === undefined || expects?.allowed ? [] : [`Must be ${values}.`]),
    ...(fallback === '' || encrypted ? [] : [`Default: ${shortened(fallback)}.`]),
    ...(required && fallback === '' ? ['Required.'] : []),
    ...(encrypted ? ['Secret.'] : []),
  ];
  return { description: parts.join(' '), ...(offered ? { anyOf: [offered, {}] } : {}) };
}

/** Characters of a default that are shown. */
const SHOWN = 60;

const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text);

/** Properties of a map that calls a function. `argument`: the schema of its argument. */
const callSchemas = (argument: { readonly [name: string]: Json }): Json =>
  Object.fromEntries(
    fileFunctions.map(([name, of]) => [
      callName(name),
      argument[name] ?? { description: `Takes ${of.argument}. Result: ${plain(of.result)}.`, ...tuple(of) },
    ]),
  );

/** A description without links and with one full stop at its end. */
const plain = (text: string): string => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\.$/, '');

const tuple = ({ takes }: FileFunction): Json =>
  typeof takes === 'string' ? {} : { type: 'array', minItems: takes.length, maxItems: takes.length };

/** What is behind `fn::invoke` in a stack file: one form for each function. */
const invokeSchema = (expression: Json): Json => ({
  description: 'Reads something from the service: the result of a function, or one value of it.',
  anyOf: allFunctions().functions.map(({ token, description, args, results }) => {
    const required = args.filter((argument) => argument.required);
    return {
      type: 'object',
      description,
      required: required.length === 0 ? ['function'] : ['function', 'arguments'],
      additionalProperties: false,
      properties: {
        function: { enum: [token, `oneops:${token}`, typeToken(token)], description },
        arguments: {
          type: ['object', 'null'],
          additionalProperties: false,
          required: required.map(({ name }) => snakeCase(name)),
          properties: Object.fromEntries(
            args.map(({ name, description: text, shape }) => [
              snakeCase(name),
              { description: text, anyOf: [argumentSchema(shape), expression] },
            ]),
          ),
        },
        return: {
          type: 'string',
          description: `What of the result: ${results.map(({ name }) => snakeCase(name)).join(', ')}.`,
        },
      },
    };
  }),
});

function argumentSchema(shape: Value): Json {
  return shape.type === 'text' && shape.allowed
    ? { enum: shape.allowed }
    : emit(shape, { ...fileValue, int: () => ({ type: 'integer' }) });
}
