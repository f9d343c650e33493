// Attributes of classes as schemas of openapi.json, by the area of routes that carries them.
import {
  type AttributeMetadata,
  type ClassMetadata,
  classMetadata,
  cloudServiceClasses,
  componentClasses,
} from './catalogue';
import type { Expectation } from './catalogue';
import type { DialectRules } from './dialect';
import { nameRules } from './names';

type Schema = { readonly [keyword: string]: unknown };

/** Where the document keeps its schemas. */
const SCHEMAS = '#/components/schemas/';
const reference = (name: string): Schema => ({ $ref: `${SCHEMAS}${name}` });

const PREFIX = 'Attributes_';
const VARIABLE_REFERENCE = 'VariableReference';

/** A reference to a variable fits every rule. */
const REFERENCE = '\\$OO_(GLOBAL|LOCAL|CLOUD)\\{[^{}]*\\}';

/**
 * What bodies carry: the member, the rule of the record's name, the name of the attributes' schema,
 * the class they are of (undefined: any of components), and the areas of routes or single routes.
 */
type Carried = readonly [
  member: 'cms_ci' | 'cms_dj_ci',
  rule: keyof typeof nameRules,
  attributes: string,
  className: string | undefined,
  ...places: string[],
];

const VARIABLES = ['designVariables', 'platformVariables', 'environmentVariables', 'environmentPlatformVariables'];

/** Environments have other attributes than designs. */
const CARRIED: readonly Carried[] = [
  ['cms_ci', 'assembly', 'Assembly', 'account.Assembly', 'assemblies'],
  ['cms_ci', 'profile', 'EnvironmentProfile', 'account.Environment', 'environmentProfiles'],
  ['cms_ci', 'environment', 'Environment', 'manifest.Environment', 'environments'],
  ['cms_ci', 'cloud', 'Cloud', 'account.Cloud', 'clouds'],
  ['cms_ci', 'variable', 'Cloudvar', 'account.Cloudvar', 'cloudVariables'],
  ['cms_ci', 'support', 'Support', 'cloud.Support', 'cloudSupports'],
  ['cms_ci', 'offering', 'Offering', 'cloud.Offering', 'cloudOfferings'],
  ['cms_ci', 'relay', 'Relay', 'manifest.relay.email.Relay', 'relays'],
  ['cms_dj_ci', 'platform', 'Platform', 'catalog.Platform', 'platforms'],
  ['cms_dj_ci', 'platform', 'EnvironmentPlatform', 'manifest.Platform', 'environmentPlatforms'],
  ['cms_dj_ci', 'variable', 'Variable', 'catalog.Globalvar', ...VARIABLES],
  ['cms_dj_ci', 'attachment', 'Attachment', 'catalog.Attachment', 'attachments', 'environmentAttachments'],
  ['cms_dj_ci', 'monitor', 'Monitor', 'catalog.Monitor', 'monitors', 'environmentMonitors'],
  ['cms_dj_ci', 'component', 'Component', undefined, 'components'],
  ['cms_dj_ci', 'component', 'EnvironmentComponent', undefined, 'environmentPlatforms.updateComponent'],
];

/** What the bodies of a route carry, or else those of its area. */
const carriedAt = (route: string, area: string): Carried | undefined =>
  [route, area].map((place) => CARRIED.find(([, , , , ...places]) => places.includes(place))).find(Boolean);

function classOf(name: string): ClassMetadata {
  const metadata = classMetadata(name);
  if (metadata === undefined) throw new Error(`the catalogue has no class ${name}`);
  return metadata;
}

/** Text of any of these forms, or a reference to a variable; blank unless required. */
const textLike = (form: string, required: boolean): string =>
  [...(required ? [] : ['^\\s*$']), REFERENCE, form].join('|');

/** Values that an expectation calls useful: as text, and as JSON has them. */
function expected({ type, minimum, maximum, allowed, pattern }: Expectation): Schema | undefined {
  const bounds = { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
  const others = [reference(VARIABLE_REFERENCE)];
  // One type for each choice: generators of clients take no enum of several.
  const words = (texts: readonly string[]): Schema => ({ type: 'string', enum: [...new Set([...texts, ''])] });
  if (allowed !== undefined) return { anyOf: [words(allowed), { type: 'null' }, ...others] };
  if (type === 'boolean')
    return { anyOf: [{ type: 'boolean' }, words(['true', 'false']), { type: 'null' }, ...others] };
  if (type === 'integer')
    return {
      anyOf: [{ type: 'integer', ...bounds }, { type: ['string', 'null'], pattern: '^(-?[0-9]+)?$' }, ...others],
    };
  return pattern === undefined ? undefined : { pattern: textLike(`^(?:${pattern})$`, false) };
}

/** What a value may be, by the rules of its class. */
function ruleOf({ dataType, pattern, expects, required }: AttributeMetadata): Schema {
  if (dataType !== 'text') return { type: ['string', 'null'] };
  const useful = expects === undefined ? undefined : expected(expects);
  if (pattern === undefined) return useful ?? { type: ['string', 'number', 'boolean', 'null'] };
  // A number is refused where there is a pattern: it must be sent as text.
  const formed = { type: ['string', 'boolean', 'null'], pattern: textLike(`^(?:${pattern})`, required) };
  return useful === undefined ? formed : { allOf: [formed, useful] };
}

const JSON_TEXT = { text: '', hash: '; JSON text of an object', array: '; JSON text of an array' } as const;

function attributeSchema(attribute: AttributeMetadata): Schema {
  const { description, default: byDefault, encrypted, expects, dataType, required } = attribute;
  const example = byDefault === '' ? expects?.allowed?.[0] : byDefault;
  return {
    description: `${description}${JSON_TEXT[dataType]}${required ? '; must not be blank' : ''}`,
    ...ruleOf(attribute),
    ...(byDefault === '' ? {} : { default: byDefault }),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(encrypted ? { writeOnly: true } : {}),
  };
}

/** Attachments may have a hash as such, where values are checked. */
const withHashes = (schema: Schema): Schema => ({ ...schema, type: ['string', 'object', 'null'] });

function classSchema(name: string, metadata: ClassMetadata, rules: DialectRules, closed: boolean): Schema {
  const { description, attributes } = metadata;
  // Attachments have their events under the dialect's own name.
  const wireName = (each: string): string =>
    name === 'Attachment' && each === 'run_on' ? rules.attachmentEvents : each;
  const takesHashes = name === 'Attachment' && rules.valuesChecked;
  const properties = Object.entries(attributes).map(([each, rule]) => {
    const schema = attributeSchema(rule);
    return [wireName(each), takesHashes && rule.dataType === 'hash' ? withHashes(schema) : schema] as const;
  });
  return {
    type: 'object',
    description: `Attributes of ${name}: ${description}`,
    properties: Object.fromEntries(properties),
    additionalProperties: closed ? false : { type: ['string', 'number', 'boolean', 'null'] },
  };
}

/** A record of one of several classes; your own pack may have more classes. */
const anyClass = (noun: string, names: readonly string[]): Schema => ({
  description: `Attributes of a ${noun}: those of its class`,
  anyOf: [...names.map((name) => reference(`${PREFIX}${name}`)), reference('SentAttributes')],
});

/** Schemas of the attributes of every class that bodies carry, by name. */
export function attributeSchemas(rules: DialectRules): { readonly [name: string]: Schema } {
  const own = CARRIED.flatMap(([, , name, className]) =>
    className === undefined ? [] : [[name, classSchema(name, classOf(className), rules, true)] as const],
  );
  const registered = [
    ...componentClasses.map((name) => [name, `catalog.${name}`, `manifest.${name}`] as const),
    ...cloudServiceClasses.map((name) => [name, `cloud.service.${name}`] as const),
  ];
  const several = registered.flatMap(([name, ...classes]) => {
    const [design, environment] = classes.map((each) => classSchema(name, classOf(each), rules, false));
    const differs = environment !== undefined && JSON.stringify(environment) !== JSON.stringify(design);
    return [[name, design] as const, ...(differs ? [[`Environment${name}`, environment] as const] : [])];
  });
  const names = new Set(several.map(([name]) => name));
  const inEnvironments = componentClasses.map((name) =>
    names.has(`Environment${name}`) ? `Environment${name}` : name,
  );
  const all = [
    ...own,
    ...several,
    ['Component', anyClass('component of a design', componentClasses)] as const,
    ['EnvironmentComponent', anyClass('component of an environment', inEnvironments)] as const,
    ['CloudService', anyClass('cloud service', cloudServiceClasses)] as const,
  ];
  return {
    ...Object.fromEntries(all.map(([name, schema]) => [`${PREFIX}${name}`, schema ?? {}])),
    [VARIABLE_REFERENCE]: {
      type: 'string',
      pattern: REFERENCE,
      description: 'Text with a reference to a variable, whose value only the service knows',
      examples: ['$OO_LOCAL{appVersion}'],
    },
  };
}

/** Narrower rules for members of a route's body: the name and the attributes of its record. */
export function carriedBy(route: { readonly name: string }): Schema | undefined {
  const [area = '', verb = ''] = route.name.split('.');
  if (!/^(create|update)/.test(verb)) return undefined;
  const of = (attributes: string): Schema => ({ ciAttributes: reference(`${PREFIX}${attributes}`) });
  // Its record is in a wrapper or is the body itself.
  if (area === 'cloudServices') {
    const properties = of('CloudService');
    return { cms_ci: { properties }, ...properties };
  }
  const record = carriedAt(route.name, area);
  if (record === undefined) return undefined;
  const [member, rule, attributes] = record;
  return { [member]: { properties: { ciName: { pattern: nameRules[rule].pattern.source }, ...of(attributes) } } };
}
