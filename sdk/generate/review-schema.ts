// drift.schema.json: what a drift review looks like as JSON, made of the types that say what it is.
// It must not know how a review is made; it reads the file of its types as text and imports nothing of it.
import { join } from 'node:path';
import ts from 'typescript';
import { buildGenerator } from 'typescript-json-schema';

type Json = { readonly [key: string]: unknown };

/** The JSON Schema of a review, from `drift/review/review.ts` below the repository's root. */
export function reviewSchema(root: string): Json {
  const options: ts.CompilerOptions = { strict: true, types: [], target: ts.ScriptTarget.ES2022, noEmit: true };
  const program = ts.createProgram([join(root, 'drift', 'review', 'review.ts')], options);
  const generator = buildGenerator(program, { required: true, aliasRef: true, ref: true });
  if (generator === null) throw new TypeError('drift/review/review.ts does not compile');
  const { $schema: _, ...schema } = generator.getSchemaForSymbol('Review');
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Drift review', ...schema };
}
