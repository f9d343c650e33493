// Attributes of classes as schemas of openapi.json, by the area of routes that carries them.
import {
  type AttributeMetadata,
  type ClassMetadata,
  classMetadata,
  cloudServiceClasses,
  componentClasses,
  type Expectation,
} from './catalogue/class-metadata';
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

/** What a body carries: its member, the rule of the name, and the schema of the attributes. */
type Carried = readonly [member: 'cms_ci' | 'cms_dj_ci', rule: keyof typeof nameRules, attributes: string];

/** Areas of routes by what their bodies carry. Environments have other attributes than designs. */
const AREAS: { readonly [area: string]: Carried } = {
  assemblies: ['cms_ci', 'assembly', 'Assembly'],
  environmentProfiles: ['cms_ci', 'profile', 'EnvironmentProfile'],
  environments: ['cms_ci', 'environment', 'Environment'],
  clouds: ['cms_ci', 'cloud', 'Cloud'],
  cloudVariables: ['cms_ci', 'variable', 'Cloudvar'],
  cloudSupports: ['cms_ci', 'support', 'Support'],
  cloudOfferings: ['cms_ci', 'offering', 'Offering'],
  relays: ['cms_ci', 'relay', 'Relay'],
  platforms: ['cms_dj_ci', 'platform', 'Platform'],
  environmentPlatforms: ['cms_dj_ci', 'platform', 'EnvironmentPlatform'],
  designVariables: ['cms_dj_ci', 'variable', 'Variable'],
  platformVariables: ['cms_dj_ci', 'variable', 'Variable'],
  environmentVariables: ['cms_dj_ci', 'variable', 'Variable'],
  environmentPlatformVariables: ['cms_dj_ci', 'variable', 'Variable'],
  attachments: ['cms_dj_ci', 'attachment', 'Attachment'],
  environmentAttachments: ['cms_dj_ci', 'attachment', 'Attachment'],
  monitors: ['cms_dj_ci', 'monitor', 'Monitor'],
  environmentMonitors: ['cms_dj_ci', 'monitor', 'Monitor'],
  components: ['cms_dj_ci', 'component', 'Component'],
};

/** Routes that carry something else than their area. */
const ROUTES: { readonly [route: string]: Carried } = {
  'environmentPlatforms.updateComponent': ['cms_dj_ci', 'component', 'EnvironmentComponent'],
};

const CLASSES: { readonly [name: string]: string } = {
  Assembly: 'account.Assembly',
  EnvironmentProfile: 'account.Environment',
  Environment: 'manifest.Environment',
  Cloud: 'account.Cloud',
  Cloudvar: 'account.Cloudvar',
  Support: 'cloud.Support',
  Offering: 'cloud.Offering',
  Relay: 'manifest.relay.email.Relay',
  Platform: 'catalog.Platform',
  EnvironmentPlatform: 'manifest.Platform',
  Variable: 'catalog.Globalvar',
  Attachment: 'catalog.Attachment',
  Monitor: 'catalog.Monitor',
};

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
  const own = Object.entries(CLASSES).map(
    ([name, className]) => [name, classSchema(name, classOf(className), rules, true)] as const,
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
  const record = ROUTES[route.name] ?? AREAS[area];
  if (record === undefined) return undefined;
  const [member, rule, attributes] = record;
  return { [member]: { properties: { ciName: { pattern: nameRules[rule].pattern.source }, ...of(attributes) } } };
}
