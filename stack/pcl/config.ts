// The configuration of a program as the file declares it.
// It must not know who refers to it.
import { trying } from './attempt';
import { attributeOf, plainTextOf, type PclConfig, type DeclaredProgram } from './program';
import type { PclFault } from './tree';
import { hasSecret, cannotSay, fileValue, type PclNames } from './values';
import { FileText } from '../export/file-text';
import type { ConfigType } from '../values/plan';
import type { FileContents } from '../write/stack-text';

/** The word before the bracket of a type, and its name in a stack file. */
const TYPES: { readonly [word: string]: ConfigType } = {
  string: 'string',
  int: 'integer',
  number: 'number',
  bool: 'boolean',
  list: 'list',
  set: 'list',
  tuple: 'list',
  map: 'map',
  object: 'map',
};

/** Nothing is known while configuration is declared. */
const NAMES: PclNames = { meaning: () => undefined, hide: () => undefined, open: new Set() };

/** The map below `config`. `hidden`: names of values that the program has as secrets. */
export function configIn({ config }: DeclaredProgram, hidden: ReadonlySet<string>, faults: PclFault[]): FileContents {
  const said = [...config.values()].flatMap((each): (readonly [string, unknown])[] => {
    const body = trying(faults, () => declared(each, hidden.has(each.name)));
    return body === undefined ? [] : [[each.name, body]];
  });
  return Object.fromEntries(said);
}

function declared({ name, type, block }: PclConfig, isHidden: boolean): FileContents {
  if (!/^[A-Za-z][\w-]*$/.test(name)) cannotSay(block, `${name} cannot be the name of a configuration value`);
  const [word = ''] = type.split('(');
  const written = attributeOf(block, 'default');
  const initial = written === undefined ? undefined : fileValue(NAMES, written.value);
  if (initial instanceof FileText) cannotSay(block, `the default of ${name} is not plain`);
  const known = Object.hasOwn(TYPES, word) ? TYPES[word] : undefined;
  if (known === undefined && type !== '' && type !== 'any') cannotSay(block, `${name} has the type ${type}`);
  const secret = attributeOf(block, 'secret')?.value;
  const isSecret = isHidden || hasSecret(initial) || (secret?.form === 'literal' && secret.value === true);
  const description = plainTextOf(block, 'description');
  return {
    type: known ?? typeOf(initial),
    ...(isSecret ? { secret: true } : {}),
    // A secret is set, and not in the file.
    ...(initial === undefined || initial === null || isSecret ? {} : { default: initial }),
    ...(description === undefined ? {} : { description }),
  };
}

function typeOf(value: unknown): ConfigType {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'list' : 'map';
  return typeof value === 'boolean' ? 'boolean' : typeof value === 'number' ? 'number' : 'string';
}
