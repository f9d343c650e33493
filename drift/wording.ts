// How all four rooms spell a number of things and the name of an attribute.
// Words of reports alone are in report/words.ts.
import { snakeCase } from '../provider';

/** The path of an attribute as a YAML file writes it: `exec_cmd` of `execCmd`. Keys of a map, which follow the argument's name, stay as they are. */
export function nameInFile(attribute: string): string {
  const [argument = '', ...keys] = attribute.split('.');
  return [snakeCase(argument), ...keys].join('.');
}
