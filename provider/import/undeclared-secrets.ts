// Secrets that a stack does not declare, and that an import of what it declares therefore leaves out.
// It knows no single kind.
import { isPlainObject } from '../values/plain-object';
import type { Kind } from '../kind';
import { secretNames } from '../lifecycle/registration';
import type { Inputs } from '../check';
import { secretAttributes } from '../secrets/attributes';

/**
 * The values without secrets that a read shows and nobody declares, such as the key of a cloud: whoever writes a stack file from an import cannot
 * write them, and the next run would take from the record what it needs.
 */
export function withoutUndeclaredSecrets(of: Kind, values: Inputs, declared: Inputs): Inputs {
  const { argument = '', names = [] } = secretAttributes(of, values) ?? {};
  const lacks = (known: unknown, name: string): boolean => !(isPlainObject(known) && name in known);
  const whole = secretNames(of).filter((name) => lacks(declared, name));
  const inside = names.filter((name) => lacks(declared[argument], name));
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => !whole.includes(name))
      .map(([name, value]) => [name, name === argument && isPlainObject(value) ? without(value, inside) : value]),
  );
}

const without = (values: Inputs, names: readonly string[]): Inputs =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
