// What is generated from routes, kinds and functions: types, classes, schemas and reference pages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { buildGenerator } from 'typescript-json-schema';
import { dialectRules } from '../../api/contract';
import { openApiText } from '../../api/contract/openapi';
import type { Json } from './emit';
import { frozenWith, type Frozen } from './frozen';
import { packageSchema, type Manifest } from './package';
import { functionsPage, kindPages, valuesPage } from './pages';
import { classesText, clientText, functionsText, providerText } from './programs';
import { stackSchema } from './stack-file';

/** Path below the repository's root, and text, of each file. */
export function generatedFromKinds(root: string): ReadonlyMap<string, string> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const golden = join('sdk', 'golden', 'frozen.json');
  const frozen = JSON.parse(readFileSync(join(root, golden), 'utf8')) as { readonly [title: string]: Frozen };
  const program = ts.createProgram(
    PRINTED.map((file) => join(root, `${file}.ts`)),
    TYPES_ALONE,
  );
  return new Map([
    [golden, json(frozenWith(frozen))],
    ['api/client/areas.ts', clientText()],
    ['sdk/resources.ts', classesText()],
    ['sdk/functions.ts', functionsText()],
    ['sdk/provider-args.ts', providerText()],
    ['schema.json', json(packageSchema(manifest))],
    ['schemas/stack.schema.json', json(stackSchema())],
    ['schemas/drift.schema.json', json(reviewSchema(program))],
    ['schemas/operate.schema.json', json(operateSchema(program))],
    ['schemas/rehearsal.schema.json', json(rehearsalSchema(program))],
    ['schemas/openapi.json', openApiText(dialectRules.documented)],
    ['docs/reference/functions.md', functionsPage()],
    ['docs/reference/values.md', valuesPage()],
    ...kindPages(),
  ]);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Files with the types of what commands print. */
const PRINTED = ['drift/review/review', 'drift/fleet/fleet', 'cli/commands/operate/outputs'];

const TYPES_ALONE: ts.CompilerOptions = {
  strict: true,
  types: [],
  lib: ['lib.es2022.d.ts'],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  resolveJsonModule: true,
};

/** The JSON Schemas of types by name, and of their parts. */
function schemasOf(program: ts.Program, symbols: readonly string[]): { readonly [name: string]: Json } {
  const generator = buildGenerator(program, { required: true, aliasRef: true, ref: true, ignoreErrors: true });
  if (generator === null) throw new TypeError(`${PRINTED.join(' or ')} does not compile`);
  const found = symbols.map((symbol) => {
    const { $schema: _, definitions, ...schema } = generator.getSchemaForSymbol(symbol);
    return { definitions, own: { [symbol]: schema } };
  });
  // What one of them is, is a reference in the definitions of another one.
  const all = Object.assign({}, ...found.map((each) => each.definitions), ...found.map(({ own }) => own)) as {
    readonly [name: string]: Json;
  };
  return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, isMapped(name) ? inOrder(each) : each]));
}

/**
 * Whether a definition is of `Omit` or `Pick`, whose members the compiler lists in no fixed order.
 */
const isMapped = (name: string): boolean => /^(Omit|Pick)</.test(name);

const inOrder = (schema: Json): Json => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema['properties'] as Json).sort(([a], [b]) => (a < b ? -1 : 1))),
});

const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** The JSON Schema of a review; that of a fleet's is the definition `Fleet`. */
function reviewSchema(program: ts.Program): Json {
  const { Review: review, ...definitions } = schemasOf(program, ['Review', 'Fleet']);
  return {
    $schema: DRAFT,
    title: 'Drift review',
    ...(review as object),
    definitions: { ...definitions, Review: { $ref: '#' } },
  };
}

/** The JSON Schemas of what operators' commands print, by the words of the command. */
function operateSchema(program: ts.Program): Json {
  const { Outputs: outputs, ...definitions } = schemasOf(program, ['Outputs']);
  const { properties } = outputs as { readonly properties: object };
  return {
    $schema: DRAFT,
    title: 'Output of the commands for operators',
    definitions: { ...definitions, ...properties },
  };
}

function rehearsalSchema(program: ts.Program): Json {
  const { Rehearsal: rehearsal, ...definitions } = schemasOf(program, ['Rehearsal']);
  return { $schema: DRAFT, title: 'Rehearsal', ...(rehearsal as object), definitions };
}
