// What an attribute is called where a person reads or writes about it.
// It must not know reports, rules or files.
import { snakeCase } from '../../provider';

/** The path of an attribute as a YAML file writes it: `exec_cmd` of `execCmd`. Keys of a map, which follow the argument's name, stay as they are. */
export function nameInFile(attribute: string): string {
  const [argument = '', ...keys] = attribute.split('.');
  return [snakeCase(argument), ...keys].join('.');
}

/** Both spellings of an attribute, for patterns that a person wrote: the argument's own and the file's. */
export const spellingsOf = (attribute: string): readonly string[] => [...new Set([attribute, nameInFile(attribute)])];
