// stack.schema.json: the stack file's format for editors: completion, hovers, and first findings while typing.
// It must not know how a file is read: the reader is right where they differ.
import { kindInFile } from '../../provider';
import { classSchemas, packSchema, templateProperties } from './class-schema';
import { COMPOSED_VALUES, INCLUDE, overlaySchema, THING_WORDS, TOP_WORDS_SCHEMA } from './composition-schema';
import type { FunctionTexts } from './function-model';
import { invokeSchema } from './function-schema';
import type { Definitions } from './json-schema';
import { kindProperties, propertiesOf, ref, snakeProperties, type Json } from './stack-schema-values';
import { callSchemas } from './values-page';

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

/** The JSON Schema of a stack file. */
export function stackSchema(definitions: Definitions, functions: FunctionTexts): Json {
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
      ...designSchemas(definitions),
      ...environmentSchemas(definitions),
      ...cloudSchemas(definitions),
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
      invoke: invokeSchema(functions, ref('expression')),
    },
  };
}

/** The map of the record that a file declares at a path. `more`: keys next to the kind's own. */
type RecordSchema = (path: string, more?: Json, rest?: Json) => Json;

const recordSchema =
  (definitions: Definitions): RecordSchema =>
  (path, more = {}, rest = {}) => {
    const of = kindInFile(path);
    const own = kindProperties(of, definitions).filter(([key]) => !(key in more));
    return {
      type: ['object', 'null'],
      description: definitions[of.token]?.description,
      properties: { ...Object.fromEntries(own), ...more, pulumi: ref('pulumi'), include: INCLUDE, ...THING_WORDS },
      additionalProperties: false,
      ...rest,
    };
  };

/** Keys of a component's map that are no attributes. */
const componentWords = (path: string, definitions: Definitions): readonly string[] => [
  'attachments',
  'monitors',
  'pulumi',
  'include',
  ...kindProperties(kindInFile(path), definitions).map(([key]) => key),
  ...Object.keys(THING_WORDS),
];

function designSchemas(definitions: Definitions): Json {
  const record = recordSchema(definitions);
  return {
    assembly: record('assembly', { name: text('Name of the assembly: part of every address, without references.') }),
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
    ...classSchemas('component', componentWords('platforms.*.components.*', definitions)),
    ...classSchemas(
      'environmentComponent',
      componentWords('environments.*.platforms.*.components.*', definitions),
      'component',
    ),
    attachment: record('platforms.*.components.*.attachments.*'),
    monitor: record('platforms.*.components.*.monitors.*'),
    variable: record('variables.*', {}, { type: 'object' }),
  };
}

/** Keys of a platform in an environment that a file can also give below `healing`. */
const HEALING = /^(auto|replace_after)/;

function environmentSchemas(definitions: Definitions): Json {
  const record = recordSchema(definitions);
  const placeOnInstances = {
    platform: text('Platform of the instances.'),
    component: text('Component of the instances.'),
  };
  return {
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
        kindProperties(kindInFile('environments.*.platforms.*'), definitions).filter(([key]) => HEALING.test(key)),
      ),
      additionalProperties: false,
    },
    cloudConfiguration: record('environments.*.platforms.*.clouds.*'),
    procedure: record('environments.*.procedures.*', placeOnInstances),
    instanceReplacement: record('environments.*.replacements.*', placeOnInstances),
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
  };
}

function cloudSchemas(definitions: Definitions): Json {
  const record = recordSchema(definitions);
  return {
    cloudLink: {
      type: ['object', 'null'],
      description:
        definitions['CloudLink']?.description ?? "How a cloud is used; what is left out has the service's value.",
      properties: {
        ...Object.fromEntries(snakeProperties(propertiesOf(definitions['CloudLink']), definitions)),
        ...THING_WORDS,
      },
      additionalProperties: false,
    },
    cloud: record('clouds.*', { services: mapOf('Services of the cloud, by template.', ref('cloudService')) }),
    cloudService: record('clouds.*.services.*'),
  };
}

const CONFIG: Json = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { enum: ['string', 'integer', 'number', 'boolean', 'list', 'map'] },
    default: { description: 'Value when the stack sets none; without it the value must be set.' },
    secret: { type: 'boolean', description: 'Kept encrypted, shown nowhere.' },
    description: { type: 'string' },
    allowed: { type: 'array', description: 'The only values there may be.' },
  },
  additionalProperties: false,
};

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
