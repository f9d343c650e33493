// The public resource classes and argument types, as plain TypeScript text: they mention none of our own types, because a program's
// compiler would check those too, and its editor would show them.
import type { Shape } from '../../provider';
import type { Property, Resource } from './model';

const HEADER = `// The resource classes of pulumi-oneops. Written by sdk/generate from the kinds (npm run generate): do not edit.
// It must not know the lifecycle: registration is all that happens here.
import type { Input, Output } from '@pulumi/pulumi/output';
import { CustomResource, type CustomResourceOptions } from '@pulumi/pulumi/resource';
import { hold } from '../hold';
import { announce, companionOptions, registration } from '../registration';
`;

/** Statement at the end of the constructor of a class that declares another resource with itself, and what that is good for. */
const companionText = (companion: string): string =>
  `    if (options?.id === undefined && options?.urn === undefined) new ${companion}(name, { assembly: this }, companionOptions(options));\n`;
const HOLD = `
  /**
   * Keeps the assembly's design release and deployments waiting for more declarations, until the returned function is called.
   * Needed only by programs that wait (\`await\`) between their declarations.
   */
  hold(): () => void {
    return hold();
  }
`;

/** All of sdk/resources.ts. */
export function classesText(resources: readonly Resource[]): string {
  const objects = new Map(
    resources
      .flatMap(({ args }) => args)
      .flatMap((property) => (property.object ? [[property.object.name, property] as const] : [])),
  );
  return [HEADER, ...[...objects.values()].map(objectText), ...resources.map(resourceText)].join('\n');
}

function resourceText({ token, description, args, outputs, companion }: Resource): string {
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
${args.map((property) => `${comment(property.description, '  ')}  ${property.name}${property.required ? '' : '?'}: ${argumentType(property)};\n`).join('')}}
`;
}

function objectText({ object, shape }: Property): string {
  const members = shape.type === 'map' && shape.values.type === 'object' ? Object.entries(shape.values.members) : [];
  const lines = (type: (text: string) => string, mark: string): string =>
    members
      .map(
        ([name, member]) =>
          `${comment(object?.members[name] ?? '', '  ')}  ${mark}${name}?: ${type(shapeType(member.shape))};\n`,
      )
      .join('');
  return `/** Entry of a map of outputs; see {@link ${object?.name}Args}. */
export interface ${object?.name} {
${lines((text) => text, 'readonly ')}}

/** Entry of a map of arguments; what is left out has the service's value. */
export interface ${object?.name}Args {
${lines((text) => `Input<${text} | undefined>`, '')}}
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

const orUndefined = ({ required }: Property, type: string): string => (required ? type : `${type} | undefined`);

const valueType = ({ shape, object }: Property): string =>
  object ? `{ readonly [name: string]: ${object.name} }` : shapeType(shape);

/** A value whose inner parts may be outputs, too. */
function inputType({ shape, object }: Property): string {
  if (object) return `{ readonly [name: string]: Input<${object.name}Args> }`;
  if (shape.type === 'list') return `readonly Input<${shapeType(shape.items)}>[]`;
  if (shape.type === 'map') return `{ readonly [key: string]: Input<${shapeType(shape.values)}> }`;
  return shapeType(shape);
}

/** A shape as a TypeScript type. */
function shapeType(shape: Shape): string {
  switch (shape.type) {
    case 'text':
      return shape.allowed ? shape.allowed.map((word) => `'${word}'`).join(' | ') : 'string';
    case 'flag':
      return 'boolean';
    case 'int':
      return 'number';
    case 'list':
      return shape.items.type === 'text' && shape.items.allowed
        ? `readonly (${shapeType(shape.items)})[]`
        : `readonly ${shapeType(shape.items)}[]`;
    case 'map':
      return `{ readonly [key: string]: ${shapeType(shape.values)} }`;
    case 'object':
    case 'open':
      return '{ readonly [attribute: string]: unknown }';
  }
}

const comment = (text: string, indent: string): string =>
  text === '' ? '' : `${indent}/** ${text.replace(/\*\//g, '* /')} */\n`;
