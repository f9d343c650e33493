// The name of an attribute in a file, for reviews and reports.
import { snakeCase } from '../provider';

/** The path of an attribute in a YAML file: `exec_cmd` of `execCmd`. Keys of a map stay. */
export function nameInFile(attribute: string): string {
  const [argument = '', ...keys] = attribute.split('.');
  return [snakeCase(argument), ...keys].join('.');
}
