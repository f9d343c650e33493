// What is wrong with a value of a declared type: of configuration, and of a parameter of a template.
// It must not know where the value is written. A secret is not shown: `shown` is empty for it.
import type { ConfigType } from './plan';

/** A finding without its place. */
export interface ValueFault {
  readonly code: 'wrong-type' | 'not-allowed';
  readonly message: string;
}

/** The value has another type. */
export const typeFault = (type: ConfigType, shown: string): ValueFault => ({
  code: 'wrong-type',
  message: `must be ${type === 'integer' ? 'an' : 'a'} ${type}${shown}`,
});

/** The value is none of the allowed ones; undefined when it is one. */
export function allowedFault(allowed: readonly unknown[], value: unknown, shown: string): ValueFault | undefined {
  if (allowed.some((each) => JSON.stringify(each) === JSON.stringify(value))) return undefined;
  const message = `must be one of ${allowed.map((each) => JSON.stringify(each)).join(', ')}${shown}`;
  return { code: 'not-allowed', message };
}
