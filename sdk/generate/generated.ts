// The generated files and their texts: a command writes them, and a test compares them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiText, dialectRules } from '../../api/contract';
import { kinds } from '../../provider';
import { classesText } from './classes';
import { clientText } from './client';
import { readDocumentation } from './documentation';
import { frozenWith, type Frozen } from './frozen';
import { functionTexts } from './function-model';
import { functionsPage } from './functions-page';
import { functionsText } from './functions-text';
import { definitionsOf } from './json-schema';
import { kindPages } from './kind-pages';
import { resourceOf } from './model';
import { packageSchema, type Manifest } from './package-schema';
import { reviewSchema } from './review-schema';
import { stackSchema } from './stack-schema';
import { valuesPage } from './values-page';

/** Path below the repository's root, and text, of each generated file. */
export function generated(root: string): ReadonlyMap<string, string> {
  const documentation = readDocumentation(join(root, 'provider', 'kinds'));
  const resources = kinds.map((of) => resourceOf(of, documentation.get(of.token)));
  const definitions = definitionsOf(resources);
  const functions = functionTexts(join(root, 'provider', 'functions'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const golden = join('sdk', 'golden', 'frozen.json');
  const frozen = JSON.parse(readFileSync(join(root, golden), 'utf8')) as { readonly [title: string]: Frozen };
  return new Map([
    [golden, json(frozenWith(frozen))],
    ['api/client/areas.ts', clientText()],
    ['sdk/resources.ts', classesText(resources)],
    ['sdk/functions.ts', functionsText(functions)],
    ['schema.json', json(packageSchema(resources, functions, definitions, manifest))],
    ['stack.schema.json', json(stackSchema(definitions, functions))],
    ['drift.schema.json', json(reviewSchema(root))],
    ['openapi.json', openApiText(dialectRules.documented)],
    ['docs/reference/functions.md', functionsPage(functions)],
    ['docs/reference/values.md', valuesPage()],
    ...kindPages(resources),
  ]);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
