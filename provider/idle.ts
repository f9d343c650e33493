// Settings that have no effect because of another setting of the same record.
// It must not know any single kind.
import { warning, type Diagnostic } from '../api/contract';
import { snakeCase } from './field';
import type { Kind } from './kind';
import { asUsed } from './lifecycle/refer';
import type { Inputs } from './check';
import { holdsUnknown } from './values/unknown';

/** One warning about the settings of these names that are given, at the first of them; none for none. `because`: what switches them off. */
export function idle(
  settings: object,
  names: readonly string[],
  because: string,
  path: readonly string[] = [],
): readonly Diagnostic[] {
  const given = Object.entries(settings).flatMap(([name, value]) =>
    names.includes(name) && value !== undefined && value !== null ? [name] : [],
  );
  const [first, ...others] = given;
  if (first === undefined) return [];
  const words = given.map((name) => `"${snakeCase(name)}"`).join(', ');
  const message = `${words} ${others.length > 0 ? 'have' : 'has'} no effect: ${because}`;
  return [warning('idle-setting', [...path, first], message, others.length > 0 ? 'leave them out' : 'leave it out')];
}

/** What of a record's arguments has no effect; nothing is said of what is not known yet. */
export function idleSettings(of: Kind, inputs: Inputs): readonly Diagnostic[] {
  const used = asUsed(of, inputs);
  if (used.idle === undefined) return [];
  const known = Object.entries(inputs).filter(([, value]) => value !== undefined && !holdsUnknown(value));
  return used.idle(Object.fromEntries(known));
}
