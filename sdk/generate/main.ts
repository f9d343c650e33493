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
    ['operate.schema.json', json(operateSchema(root))],
    ['rehearsal.schema.json', json(rehearsalSchema(root))],
    ['openapi.json', openApiText(dialectRules.documented)],
    ['docs/reference/functions.md', functionsPage(functions)],
    ['docs/reference/values.md', valuesPage()],
    ...kindPages(resources),
  ]);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** JSON Schemas of types, from the files below the repository's root that say what they are. */
function schemasOf(root: string, files: readonly string[], symbols: readonly string[]) {
  const options: ts.CompilerOptions = {
    strict: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    resolveJsonModule: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const paths = files.map((file) => join(root, file));
  const settings = { required: true, aliasRef: true, ref: true, ignoreErrors: true };
  const generator = buildGenerator(ts.createProgram(paths, options), settings);
  if (generator === null) throw new TypeError(`${files.join(' or ')} does not compile`);
  const schemas = symbols.map((symbol) => {
    const { $schema: _, definitions, ...schema } = generator.getSchemaForSymbol(symbol);
    return { definitions, schema };
  });
  const definitions = Object.assign({}, ...schemas.map((each) => each.definitions)) as object;
  return { schemas: schemas.map(({ schema }) => schema), definitions };
}

const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** The JSON Schema of a review; that of a fleet's is the definition `Fleet`. */
function reviewSchema(root: string): Json {
  const files = [join('drift', 'review', 'review.ts'), join('drift', 'fleet', 'fleet.ts')];
  const { schemas, definitions } = schemasOf(root, files, ['Review', 'Fleet']);
  const [review, fleet] = schemas;
  return { $schema: DRAFT, title: 'Drift review', ...review, definitions: { ...definitions, Fleet: fleet } };
}

/** The JSON Schemas of what operators' commands print, by the words of the command. */
function operateSchema(root: string): Json {
  const { schemas, definitions } = schemasOf(root, [join('cli', 'commands', 'operate', 'outputs.ts')], ['Outputs']);
  const title = 'Output of the commands for operators';
  return { $schema: DRAFT, title, definitions: { ...definitions, ...schemas[0]?.properties } };
}

/** The JSON Schema of a rehearsal. */
function rehearsalSchema(root: string): Json {
  const { schemas, definitions } = schemasOf(root, [join('cli', 'stage', 'rehearsal.ts')], ['Rehearsal']);
  return { $schema: DRAFT, title: 'Rehearsal', ...schemas[0], definitions };
}
