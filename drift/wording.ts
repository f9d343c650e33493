// Names of attributes in files, and lists of names, for reviews and reports.
import { snakeCase } from '../provider';

/** The path of an attribute in a YAML file: `exec_cmd` of `execCmd`. Keys of a map stay. */
export function nameInFile(attribute: string): string {
  const [argument = '', ...keys] = attribute.split('.');
  return [snakeCase(argument), ...keys].join('.');
}

/** `prod`, `prod and stage`, `dev, prod and stage`. */
export const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
