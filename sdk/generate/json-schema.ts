// JSON Schema of every resource's arguments and outputs, by typescript-json-schema from plain interfaces.
// It must not know Pulumi's schema format, nor the stack file's.
import ts from 'typescript';
import { buildGenerator, type Definition } from 'typescript-json-schema';
import type { Shape } from '../../provider';
import type { Property, Resource } from './model';

/** Definitions by name: `AttachmentArgs`, `Attachment` (outputs), `CloudLink`, and one for each closed set of words. */
export type Definitions = { readonly [name: string]: Definition };

/** Marks of a property that JSON Schema has no word for; present means true. */
const MARKS = ['secret', 'replaceOnChanges'] as const;

/** Definitions of all resources. */
export function definitionsOf(resources: readonly Resource[]): Definitions {
  const names = resources.flatMap(({ token }) => [token, `${token}Args`]);
  const generator = buildGenerator(programOf(plainInterfaces(resources)), {
    required: true,
    aliasRef: true,
    validationKeywords: [...MARKS],
  });
  if (generator === null) throw new TypeError('the plain interfaces do not compile');
  return (generator.getSchemaForSymbols(names).definitions ?? {}) as Definitions;
}

const FILE = 'plain-interfaces.ts';

function programOf(text: string): ts.Program {
  const options: ts.CompilerOptions = { strict: true, types: [], target: ts.ScriptTarget.ES2022 };
  const host = ts.createCompilerHost(options);
  const source = ts.createSourceFile(FILE, text, ts.ScriptTarget.ES2022);
  return ts.createProgram([FILE], options, {
    ...host,
    getSourceFile: (name, version) => (name === FILE ? source : host.getSourceFile(name, version)),
    fileExists: (name) => name === FILE || host.fileExists(name),
    readFile: (name) => (name === FILE ? text : host.readFile(name)),
  });
}

/** The interfaces a generator of schemas can read: no outputs, no machinery. */
function plainInterfaces(resources: readonly Resource[]): string {
  const words = new Map<string, string>();
  const interfaces = resources.flatMap(({ token, description, args, outputs }) => [
    interfaceText(`${token}Args`, { token, description, properties: args }, words),
    interfaceText(token, { token, description, properties: outputs }, words),
  ]);
  const objects = new Map(
    resources.flatMap(({ args }) =>
      args.flatMap((property) =>
        property.object ? [[property.object.name, objectText(property, words)] as const] : [],
      ),
    ),
  );
  const sets = [...words].map(([union, name]) => `export type ${name} = ${union};\n`);
  return [...sets, ...objects.values(), ...interfaces].join('\n');
}

type Words = Map<string, string>;

function interfaceText(
  name: string,
  {
    token,
    description,
    properties,
  }: Pick<Resource, 'token' | 'description'> & { readonly properties: readonly Property[] },
  words: Words,
): string {
  const members = properties.map((property) => {
    const tags = [
      ...(property.secret ? ['@secret'] : []),
      ...(property.replaces ? ['@replaceOnChanges'] : []),
      ...limits(property.shape),
    ];
    const type = property.object
      ? `{ [key: string]: ${property.object.name} }`
      : typeText(property.shape, `${token}${pascal(property.name)}`, words);
    return `${comment(property.description, tags)}${property.name}${property.required ? '' : '?'}: ${type};\n`;
  });
  return `${comment(description, [])}export interface ${name} {\n${members.join('')}}\n`;
}

function objectText({ object, shape }: Property, words: Words): string {
  const members = shape.type === 'map' && shape.values.type === 'object' ? Object.entries(shape.values.members) : [];
  const lines = members.map(
    ([name, member]) =>
      `${comment(object?.members[name] ?? '', limits(member.shape))}${name}?: ${typeText(member.shape, `${object?.name}${pascal(name)}`, words)};\n`,
  );
  return `export interface ${object?.name} {\n${lines.join('')}}\n`;
}

function limits(shape: Shape): readonly string[] {
  if (shape.type !== 'int') return [];
  const { minimum, maximum } = shape;
  return [
    '@TJS-type integer',
    ...(minimum === undefined ? [] : [`@minimum ${minimum}`]),
    ...(maximum === undefined ? [] : [`@maximum ${maximum}`]),
  ];
}

/** A shape as a type; a closed set of words gets its own name, the first that uses it. */
function typeText(shape: Shape, name: string, words: Words): string {
  switch (shape.type) {
    case 'text': {
      if (!shape.allowed) return 'string';
      const union = shape.allowed.map((word) => `'${word}'`).join(' | ');
      if (!words.has(union)) words.set(union, name);
      return words.get(union) as string;
    }
    case 'flag':
      return 'boolean';
    case 'int':
      return 'number';
    case 'list':
      return `(${typeText(shape.items, name, words)})[]`;
    case 'map':
      return `{ [key: string]: ${typeText(shape.values, name, words)} }`;
    case 'object':
    case 'open':
      return '{ [attribute: string]: any }';
  }
}

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const comment = (text: string, tags: readonly string[]): string => {
  const lines = [...(text === '' ? [] : [text.replace(/\*\//g, '* /')]), ...tags];
  return lines.length === 0 ? '' : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
};
