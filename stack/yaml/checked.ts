// Small YAML files of a fixed form, such as drift.yaml: their data, checked by a schema, and a line
// of text for each mistake.
import * as z from 'zod';
import { didYouMean } from '../../provider/values';
import { readYaml } from './read';
import { sourceFile } from './source';
import { placeAt } from './tree';

type Steps = readonly PropertyKey[];

/** Takes a mistake, and the path of the value that has it. */
export type ReportMistake = (path: Steps, message: string) => void;

/** A file and its mistakes, `FILE:LINE: …`: those of the grammar, and those given to `wrong`. */
export function checkedFile(name: string, text: string, mayBeEmpty = false) {
  const { root, findings } = readYaml(sourceFile(name, text));
  const lineOf = (path: Steps): number => placeAt(root, path)?.start.line ?? 1;
  const mistakes = findings
    .filter(({ severity, code }) => severity === 'error' && !(mayBeEmpty && code === 'empty-file'))
    .map(({ at, message }) => `${name}:${at.start.line}: ${message}`);
  const wrong: ReportMistake = (path, message) => void mistakes.push(`${name}:${lineOf(path)}: ${message}`);
  return { root, mistakes, lineOf, wrong };
}

/**
 * A value as its schema reads it; undefined where it does not fit, and `wrong` gets each mistake. The
 * message begins with the path, and names a key that is like an unknown one.
 */
export function checkedData<S extends z.ZodType>(
  schema: S,
  value: unknown,
  wrong: ReportMistake,
): z.output<S> | undefined {
  const { data, error } = schema.safeParse(value, { reportInput: true });
  for (const { path, message, ...issue } of error?.issues ?? []) {
    const where = path.length === 0 ? '' : `${path.map(String).join('.')}: `;
    const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
    if (isMissing) wrong(path, `${where}it is required`);
    else if (issue.code !== 'unrecognized_keys') wrong(path, `${where}${message}`);
    else
      for (const key of issue.keys)
        wrong([...path, key], `${where}there is no key "${key}"; ${didYouMean(key, keysAt(schema, path))}`);
  }
  return data;
}

/** The keys that the map at a path of a schema can have. */
function keysAt(schema: unknown, path: Steps): readonly string[] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return keysAt(schema.unwrap(), path);
  const [step, ...below] = path;
  if (schema instanceof z.ZodArray) return keysAt(schema.element, below);
  if (!(schema instanceof z.ZodObject)) return [];
  return step === undefined ? Object.keys(schema.shape) : keysAt(schema.shape[String(step)], below);
}
