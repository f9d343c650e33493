// drift.schema.json: what a drift review looks like as JSON, made of the types that say what it is.
// It must not know how a review is made; it reads the file of its types as text and imports nothing of it.
import { join } from 'node:path';
import ts from 'typescript';
import { buildGenerator } from 'typescript-json-schema';

type Json = { readonly [key: string]: unknown };

/** The JSON Schema of a review, from the types below the repository's root that say what it is; of a fleet's, as the definition `Fleet`. */
export function reviewSchema(root: string): Json {
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
