// A small stack as the YAML file that says the same, in one layout or in a layout chosen at random.
import { parseId, snakeCase, type Inputs, type Kind } from '../../provider';
import {
  variableArgs,
  type CloudSpec,
  type ComponentSpec,
  type PlatformSpec,
  type StackSpec,
  type SwitchesSpec,
  type Variables,
} from './stack-spec';

/** Which of so many ways to write something is taken, from 0. */
export type Choose = (ways: number) => number;

/** Every key in a separate line, nothing else. */
const plainly: Choose = () => 0;

/** Chooses by the given numbers, round and round. */
export const choosing = (numbers: readonly number[]): Choose => {
  let next = 0;
  return (ways) => (numbers[next++ % numbers.length] ?? 0) % ways;
};

const isMap = (value: unknown): value is Inputs => typeof value === 'object' && value !== null && !Array.isArray(value);

const inFile = (args: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [snakeCase(name), value]),
  );

const links = (clouds: { readonly [cloud: string]: CloudSpec & { readonly mark?: unknown } } = {}): Inputs =>
  Object.fromEntries(Object.entries(clouds).map(([cloud, { mark: _, ...link }]) => [cloud, inFile(link)]));

const variablesOf = (variables: Variables = {}): Inputs =>
  Object.fromEntries(
    Object.entries(variables).map(([name, spec]) => {
      const { value, encryptedValue } = variableArgs(spec);
      return [name, encryptedValue === undefined ? value : { 'fn::secret': encryptedValue }];
    }),
  );

const filled = (map: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(map).filter(([, value]) => value !== undefined && (!isMap(value) || Object.keys(value).length > 0)),
  );

function componentsOf(specs: { readonly [name: string]: ComponentSpec & { readonly touch?: string } } = {}): Inputs {
  const components: { [template: string]: Inputs } = {};
  for (const [name, spec] of Object.entries(specs)) {
    const { type = name, attributes = {}, depends, touch, attachments = {}, monitors = {} } = spec;
    const inside = Object.fromEntries(Object.entries(attachments).map(([own, args]) => [own, inFile(args)]));
    const checks = Object.fromEntries(Object.entries(monitors).map(([own, args]) => [own, inFile(args)]));
    const steering = { ...(depends ? { depends } : {}), ...(touch ? { touch } : {}) };
    const body = { ...attributes, ...steering, ...filled({ attachments: inside, monitors: checks }) };
    components[type] = type === name ? body : { ...components[type], [name]: body };
  }
  return components;
}

function platformOf({ pack = 'custom', version = '1', description, links: to, ...rest }: PlatformSpec): Inputs {
  const components = componentsOf(rest.components);
  return {
    pack: `oneops/${pack}:${version}`,
    ...filled({ description, links: to, variables: variablesOf(rest.variables), components }),
  };
}

/** What is switched and scaled; the service's own switches together, as a person writes them. */
function switchesOf({ enabled, scale = {}, autorepair, autoscale }: SwitchesSpec = {}): Inputs {
  const healing = inFile({ autorepair, autoscale });
  const scaled = Object.fromEntries(Object.entries(scale).map(([component, values]) => [component, inFile(values)]));
  return { enabled, scale: scaled, healing };
}

/** The file's content as plain data. Logical names and marks are left out. */
export function documentOf(spec: StackSpec): Inputs {
  const environments = Object.entries(spec.environments ?? {}).map(([name, environment]) => {
    const { clouds, platforms = {}, overrides = {}, variables, deploy = {}, description, availability } = environment;
    const { platformAvailability: single = {}, switches = {}, relays = {} } = environment;
    const named = new Set([platforms, single, switches, overrides].flatMap((map) => Object.keys(map)));
    const differing = [...named].map((platform) => [
      platform,
      filled({
        availability: single[platform],
        ...switchesOf(switches[platform]),
        clouds: links(platforms[platform]),
        variables: variablesOf(overrides[platform]?.variables),
        components: componentsOf(overrides[platform]?.components),
      }),
    ]);
    const body = filled({
      description,
      availability,
      clouds: links(clouds),
      platforms: filled(Object.fromEntries(differing) as Inputs),
      variables: variablesOf(variables),
      relays: Object.fromEntries(Object.entries(relays).map(([relay, own]) => [relay, inFile(own)])),
    });
    return [name, deploy === false ? body : { ...body, deploy }];
  });
  return {
    assembly: { name: spec.assembly ?? 'shop', owner: 'team@acme.io' },
    ...filled({
      variables: variablesOf(spec.variables),
      platforms: Object.fromEntries(
        Object.entries(spec.platforms ?? {}).map(([name, platform]) => [name, platformOf(platform)]),
      ),
      environments: Object.fromEntries(environments) as Inputs,
    }),
  };
}

/** Keys that lead to a record's own entry in the file; undefined for a kind that no file declares. `type`: a component's template. */
export function keysOf(of: Kind, id: string, type: (component: string) => string): readonly string[] | undefined {
  const { name = '', platform = '', component = '', environment = '', cloud = '' } = parseId(of, id)?.address ?? {};
  const componentKeys = (own: string): readonly string[] => [
    'platforms',
    platform,
    'components',
    type(own),
    ...(type(own) === own ? [] : [own]),
  ];
  switch (of.token) {
    case 'Assembly':
      return ['assembly'];
    case 'Platform':
      return ['platforms', name];
    case 'Component':
      return componentKeys(name);
    case 'Attachment':
      return [...componentKeys(component), 'attachments', name];
    case 'Monitor':
      return [...(environment ? ['environments', environment] : []), ...componentKeys(component), 'monitors', name];
    case 'Environment':
      return ['environments', name];
    case 'EnvironmentComponent':
      return ['environments', environment, ...componentKeys(component)];
    case 'EnvironmentAttachment':
      return ['environments', environment, ...componentKeys(component), 'attachments', name];
    case 'EnvironmentPlatform':
      return ['environments', environment, 'platforms', platform];
    case 'CloudConfiguration':
      return ['environments', environment, 'platforms', platform, 'clouds', cloud];
    case 'Cloud':
      return ['clouds', name];
    case 'CloudService':
      return ['clouds', cloud, 'services', name];
    case 'Relay':
      return ['environments', environment, 'relays', name];
    case 'Variable': {
      const outer = environment ? ['environments', environment] : [];
      return [...outer, ...(platform ? ['platforms', platform] : []), 'variables', name];
    }
    default:
      return undefined;
  }
}

/** Keys that lead to an attribute's own entry, below those of its record. */
export function attributeKeys(of: Kind, [argument = '', entry]: readonly string[]): readonly string[] {
  if (of.token === 'Variable') return [];
  if (of.token === 'Platform' && ['source', 'pack', 'version'].includes(argument)) return ['pack'];
  const isApart = of.inFile?.apart?.includes(argument) === true;
  return [...(isApart && entry !== undefined ? [] : [snakeCase(argument)]), ...(entry === undefined ? [] : [entry])];
}

/** The line, from 1, of the key that these lead to, in a text written plainly. Throws Error when there is none. */
export function lineOf(text: string, keys: readonly string[]): number {
  const lines = text.split('\n');
  let line = 0;
  for (const [depth, key] of keys.entries()) {
    const start = `${'  '.repeat(depth)}${keyText(key)}:`;
    while (line < lines.length && !lines[line]?.startsWith(start)) line += 1;
    if (line === lines.length) throw new Error(`no line of ${keys.join('.')}`);
    line += 1;
  }
  return line;
}

const RESERVED = /^(true|false|null|yes|no|on|off|y|n)$/i;
const PLAIN = /^[A-Za-z_/][\w./-]*( [\w./-]+)*$/;

const isPlain = (text: string): boolean => PLAIN.test(text) && !RESERVED.test(text);

const keyText = (key: string): string => (isPlain(key) || /^fn::\w+$/.test(key) ? key : JSON.stringify(key));

function textIn(value: unknown, choose: Choose): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = value.replace(/\$+(?=\{)/g, (run) => run + run);
  const ways = [
    ...(isPlain(text) ? [text] : []),
    JSON.stringify(text),
    ...(/[\n\r\t]/.test(text) ? [] : [`'${text.replaceAll("'", "''")}'`]),
  ];
  return ways[choose(ways.length)] ?? '';
}

function flowText(value: unknown, choose: Choose): string {
  if (Array.isArray(value)) return `[${value.map((item) => flowText(item, choose)).join(', ')}]`;
  if (!isMap(value)) return textIn(value, choose);
  const entries = Object.entries(value).map(([key, item]) => `${keyText(key)}: ${flowText(item, choose)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Lines of a text that a block keeps as it is. */
const isBlock = (value: unknown): value is string =>
  typeof value === 'string' && /^\S[^\r\t]*\S\n$/.test(value) && !value.includes('${');

function linesOf(map: Inputs, indent: string, choose: Choose): readonly string[] {
  return Object.entries(map).flatMap(([key, value]): readonly string[] => {
    const own = `${indent}${keyText(key)}:`;
    const above = [[], [], [], [`${indent}# about ${key.replace(/\W/g, ' ')}`], ['']][choose(5)] ?? [];
    const behind = ['', '', '   # as agreed'][choose(3)] ?? '';
    if (isMap(value) && Object.keys(value).length > 0 && choose(4) !== 3)
      return [...above, `${own}${behind}`, ...linesOf(value, `${indent}  `, choose)];
    if (Array.isArray(value) && value.length > 0 && choose(3) !== 1) {
      const items = value.map((item) => `${indent}  - ${flowText(item, choose)}`);
      return [...above, `${own}${behind}`, ...items];
    }
    if (isBlock(value) && choose(2) === 1) {
      const body = value.trimEnd().split('\n');
      return [...above, `${own} |`, ...body.map((line) => (line === '' ? '' : `${indent}  ${line}`))];
    }
    return [...above, `${own} ${flowText(value, choose)}${behind}`];
  });
}

export const yamlText = (document: Inputs, choose: Choose = plainly): string =>
  `${linesOf(document, '', choose).join('\n')}\n`;
