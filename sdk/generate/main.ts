// `npm run generate`: writes everything that follows from the routes, the kinds and the functions: types, classes, schemas and reference pages. With
// `--print`, it prints them instead, and a test compares them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { buildGenerator } from 'typescript-json-schema';
import { openApiText, dialectRules } from '../../api/contract';
import type { Json } from './emit';
import { frozenWith, type Frozen } from './frozen';
import { functionTexts, readResources } from './model';
import { packageSchema, type Manifest } from './package';
import { functionsPage, kindPages, valuesPage } from './pages';
import { classesText, clientText, functionsText } from './programs';
import { stackSchema } from './stack-file';

/** Writes the generated files, or prints them as one JSON map of texts by path. */
export function writeKindFiles(words: readonly string[]): void {
  const root = join(__dirname, '..', '..');
  const files = generated(root);
  if (words.includes('--print')) process.stdout.write(JSON.stringify(Object.fromEntries(files)));
  else
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
}

/** Path below the repository's root, and text, of each generated file. */
function generated(root: string): ReadonlyMap<string, string> {
  const resources = readResources(join(root, 'provider', 'kinds'));
  const functions = functionTexts(join(root, 'provider', 'functions'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const golden = join('sdk', 'golden', 'frozen.json');
  const frozen = JSON.parse(readFileSync(join(root, golden), 'utf8')) as { readonly [title: string]: Frozen };
  return new Map([
    [golden, json(frozenWith(frozen))],
    ['api/client/areas.ts', clientText()],
    ['sdk/resources.ts', classesText(resources)],
    ['sdk/functions.ts', functionsText(functions)],
    ['schema.json', json(packageSchema(resources, functions, manifest))],
    ['stack.schema.json', json(stackSchema(resources, functions))],
    ['drift.schema.json', json(reviewSchema(root))],
    ['rehearsal.schema.json', json(rehearsalSchema(root))],
    ['openapi.json', openApiText(dialectRules.documented)],
    ['docs/reference/functions.md', functionsPage(functions)],
    ['docs/reference/values.md', valuesPage()],
    ...kindPages(resources),
  ]);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Makes JSON Schemas of the types in these files. */
function typesIn(root: string, files: readonly string[]): NonNullable<ReturnType<typeof buildGenerator>> {
  const options: ts.CompilerOptions = { strict: true, types: [], target: ts.ScriptTarget.ES2022, noEmit: true };
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    options,
  );
  // What these files import is checked with the options of the repository.
  const generator = buildGenerator(program, { required: true, aliasRef: true, ref: true, ignoreErrors: true });
  if (generator === null) throw new TypeError(`${files.join(' or ')} does not compile`);
  return generator;
}

/** The JSON Schema of a rehearsal. */
const rehearsalSchema = (root: string): Json => ({
  title: 'Rehearsal',
  ...typesIn(root, ['cli/stage/rehearsal.ts']).getSchemaForSymbol('Rehearsal'),
});

/** The JSON Schema of a review, from the types that say what it is; of a fleet's, as the definition `Fleet`. */
function reviewSchema(root: string): Json {
  const generator = typesIn(root, ['drift/review/review.ts', 'drift/fleet/fleet.ts']);
  const { $schema: _, definitions, ...schema } = generator.getSchemaForSymbol('Review');
  const { $schema: __, definitions: more, ...fleet } = generator.getSchemaForSymbol('Fleet');
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Drift review',
    ...schema,
    definitions: { ...definitions, ...more, Fleet: fleet },
  };
}
