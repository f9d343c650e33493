// `npm run generate`: writes types, classes, schemas and reference pages from routes, kinds and
// functions. With `--print` it prints them instead, and a test compares them.
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
import { classesText, clientText, functionsText, providerText } from './programs';
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
    ['sdk/provider-args.ts', providerText()],
    ['schema.json', json(packageSchema(resources, functions, manifest))],
    ['stack.schema.json', json(stackSchema(resources, functions))],
    ['drift.schema.json', json(reviewSchema(root))],
    ['openapi.json', openApiText(dialectRules.documented)],
    ['docs/reference/functions.md', functionsPage(functions)],
    ['docs/reference/values.md', valuesPage()],
    ...kindPages(resources),
  ]);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The JSON Schema of a review from its types; that of a fleet as the definition `Fleet`. */
function reviewSchema(root: string): Json {
  const options: ts.CompilerOptions = { strict: true, types: [], target: ts.ScriptTarget.ES2022, noEmit: true };
  const files = [join('review', 'review.ts'), join('fleet', 'fleet.ts')].map((file) => join(root, 'drift', file));
  const generator = buildGenerator(ts.createProgram(files, options), { required: true, aliasRef: true, ref: true });
  if (generator === null) throw new TypeError(`${files.join(' or ')} does not compile`);
  const { $schema: _, definitions, ...schema } = generator.getSchemaForSymbol('Review');
  const { $schema: __, definitions: more, ...fleet } = generator.getSchemaForSymbol('Fleet');
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Drift review',
    ...schema,
    definitions: { ...definitions, ...more, Fleet: fleet },
  };
}
