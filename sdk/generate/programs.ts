// The generated TypeScript. It mentions none of our types: a program's compiler would check them.
import * as z from 'zod';
import { methodParameters, routes, type Route } from '../../api/contract';
import { SETTINGS, type Setting } from '../../provider/session/settings';
import { emit, typescript, type Value } from './emit';
import {
  allFunctions,
  allResources,
  membersOf,
  type FunctionText,
  type Member,
  type Property,
  type RecordText,
  type Resource,
} from './model';

const CLASSES_HEADER = `// The resource classes of pulumi-oneops. Written by sdk/generate from the kinds (npm run generate): do not edit.
import type { Input, Output } from '@pulumi/pulumi/output';
import { CustomResource, type CustomResourceOptions } from '@pulumi/pulumi/resource';
import { hold } from './hold';
import { announce, companionOptions, registration } from './registration';
`;

/** Statement in the constructor of a class that declares another resource with itself. */
const companionText = (companion: string): string =>
  `    if (options?.id === undefined && options?.urn === undefined) new ${companion}(name, { assembly: this }, companionOptions(options));\n`;
const HOLD = `
  /**
   * Keeps the assembly's design release and deployments waiting for more declarations, until the
   * returned function is called. Needed only by programs that wait (\`await\`) between their
   * declarations.
   */
  hold(): () => void {
    return hold();
  }
`;

export function classesText(): string {
  const resources = allResources();
  const objects = new Map(
    resources
      .flatMap(({ args }) => args)
      .flatMap((property) => (property.object ? [[property.object, property] as const] : [])),
  );
  return [CLASSES_HEADER, ...[...objects.values()].map(objectText), ...resources.map(resourceText)].join('\n');
}

function resourceText({ of: { token, description }, args, outputs, companion }: Resource): string {
  const argsType = `${token}Args`;
  const optional = args.every(({ required }) => !required);
  return `${comment(description, '')}export class ${token} extends CustomResource {
${outputs.map((property) => `${comment(property.description, '  ')}  declare readonly ${property.name}: Output<${orUndefined(property, valueType(property))}>;\n`).join('')}
  constructor(name: string, args${optional ? '?' : ''}: ${argsType}, options?: CustomResourceOptions) {
    super(...registration('${token}', name, args, options));
    announce(this, '${token}', { name, args, options });
${companion === undefined ? '' : companionText(companion)}  }
${companion === undefined ? '' : HOLD}}

/** Arguments of {@link ${token}}. */
export interface ${argsType} {
${membersText(args, argumentType)}}
`;
}

function objectText(property: Property): string {
  const { object = '' } = property;
  const members = membersOf(property);
  return `/** Entry of a map of outputs; see {@link ${object}Args}. */
export interface ${object} {
${membersText(members, ({ shape }) => typeText(shape), 'readonly ')}}

/** Entry of a map of arguments; what is left out has the service's value. */
export interface ${object}Args {
${membersText(members, inputText)}}
`;
}

function argumentType(property: Property): string {
  if (property.reference === undefined) return `Input<${orUndefined(property, inputType(property))}>`;
  if (property.shape.type !== 'list')
    return property.required
      ? `Input<string> | ${property.reference}`
      : `Input<string | undefined> | ${property.reference}`;
  const items = `readonly (Input<string> | ${property.reference})[]`;
  return `${items} | Input<${orUndefined(property, 'readonly string[]')}>`;
}

const orUndefined = ({ required }: { readonly required: boolean }, type: string): string =>
  required ? type : `${type} | undefined`;

const valueType = ({ shape, object }: Property): string =>
  object ? `{ readonly [name: string]: ${object} }` : typeText(shape);

/** A value whose inner parts may be outputs, too. */
function inputType({ shape, object }: Property): string {
  if (object) return `{ readonly [name: string]: Input<${object}Args> }`;
  if (shape.type === 'list') return `readonly Input<${typeText(shape.items)}>[]`;
  if (shape.type === 'map') return `{ readonly [key: string]: Input<${typeText(shape.values)}> }`;
  return typeText(shape);
}

const typeText = (shape: Value): string => emit(shape, typescript('key'));

const inputText = (member: Member): string => `Input<${orUndefined(member, typeText(member.shape))}>`;

/** Members of an interface; those that may be missing are optional. `mark`: before each name. */
const membersText = <M extends Pick<Member, 'name' | 'description' | 'required'>>(
  members: readonly M[],
  typeOf: (member: M) => string,
  mark = '',
): string =>
  members
    .map((member) => {
      const { name, description, required } = member;
      return `${comment(description, '  ')}  ${mark}${name}${required ? '' : '?'}: ${typeOf(member)};\n`;
    })
    .join('');

const comment = (text: string, indent: string): string =>
  text === '' ? '' : `${indent}/** ${text.replace(/\*\//g, '* /')} */\n`;

const PROVIDER_HEADER = `// Arguments of a Provider. Written by sdk/generate from the settings (npm run generate): do not edit.
import type { Input } from '@pulumi/pulumi/output';

/** Arguments of a Provider. Nothing of the stack's configuration is taken over. */
`;

export function providerText(): string {
  const settings = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const { type, words, required = false, text, inProgram } = setting;
    const value = words?.map((word) => `'${word}'`).join(' | ') ?? type;
    return { name, description: inProgram === undefined ? text : `${text} ${inProgram}`, required, value };
  });
  const members = membersText(settings, (setting) => `Input<${orUndefined(setting, setting.value)}>`);
  return `${PROVIDER_HEADER}export interface ProviderArgs {\n${members}}\n`;
}

const FUNCTIONS_HEADER = `// The functions of pulumi-oneops. Written by sdk/generate from their literals (npm run generate): do not edit.
import type { Input, Output } from '@pulumi/pulumi/output';
import { invoke, invokeOutput, type FunctionOptions, type FunctionOutputOptions } from './invoke';
`;

export function functionsText(): string {
  const { functions, records } = allFunctions();
  return [FUNCTIONS_HEADER, ...records.map(recordText), ...functions.map(functionText)].join('\n');
}

const recordText = ({ name, description, members }: RecordText): string =>
  `${comment(description, '')}export interface ${name} {\n${membersText(members, resultType, 'readonly ')}}\n`;

function functionText({ token, description, args, results }: FunctionText): string {
  const name = token.charAt(0).toUpperCase() + token.slice(1);
  const optional = args.every(({ required }) => !required);
  const parameter = (type: string): string => (args.length === 0 ? '' : `args${optional ? '?' : ''}: ${type}, `);
  const passed = args.length === 0 ? '{}' : 'args';
  const interfaces =
    args.length === 0
      ? ''
      : `
/** Arguments of {@link ${token}}. */
export interface ${name}Args {
${membersText(args, (argument) => orUndefined(argument, typeText(argument.shape)))}}

/** Arguments of {@link ${token}Output}. */
export interface ${name}OutputArgs {
${membersText(args, inputText)}}
`;
  return `${comment(description, '')}export function ${token}(${parameter(`${name}Args`)}options?: FunctionOptions): Promise<${name}Result> {
  return invoke('${token}', ${passed}, options);
}

${comment(`${description} As an output: arguments may be outputs, and it waits for what they come from.`, '')}export function ${token}Output(${parameter(`${name}OutputArgs`)}options?: FunctionOutputOptions): Output<${name}Result> {
  return invokeOutput('${token}', ${passed}, options);
}
${interfaces}
/** Result of {@link ${token}}. */
export interface ${name}Result {
${membersText(results, resultType, 'readonly ')}}
`;
}

function resultType({ shape, secret }: Member): string {
  const plain = emit(shape, typescript('name'));
  return secret ? `Output<${plain}>` : plain;
}

const CLIENT_HEADER = `// The areas of the client and their methods. Written by sdk/generate from the routes of the contract (npm run generate): do not edit.
import type * as z from 'zod';
import type { routes } from '../contract';

type Routes = typeof routes;
type Body<R> = R extends { readonly body: infer B } ? z.input<B> : never;
type Answer<R> = R extends { readonly answer: infer A } ? Promise<z.output<A>> : never;

/** A path parameter: a name, or a record's number. */
type Name = string | number;

/** What every method takes after its path parameters and body. */
export interface CallOptions {
  /** Parameters of the query; one that the route does not know is refused. */
  readonly query?: { readonly [name: string]: string | number | boolean } | undefined;
  /** Ends the call, and its pauses, with Aborted. */
  readonly signal?: AbortSignal | undefined;
}
`;

export function clientText(): string {
  const areas = Object.entries(routes).map(([area, verbs]) => {
    const methods = Object.entries(verbs).map(([verb, route]) => methodText(area, verb, route as Route));
    return `  readonly ${area}: {\n${methods.join('')}  };\n`;
  });
  return `${CLIENT_HEADER}\n/** One method per route, by area. */\nexport interface Areas {\n${areas.join('')}}\n`;
}

function methodText(area: string, verb: string, route: Route): string {
  const { summary, repeat, query, body } = route;
  const type = `Routes['${area}']['${verb}']`;
  const words = [
    `${summary}.`,
    ...(repeat === 'action' ? ['Never sent twice.'] : []),
    ...(query.length === 0 ? [] : [`Query: ${query.join(', ')}.`]),
  ];
  const input = [
    ...methodParameters(route).map((name) => `${name}: Name`),
    ...(body instanceof z.ZodUndefined ? [] : [`body${body.safeParse(undefined).success ? '?' : ''}: Body<${type}>`]),
    'options?: CallOptions',
  ];
  return `    /** ${words.join(' ')} */\n    ${verb}(${input.join(', ')}): Answer<${type}>;\n`;
}
