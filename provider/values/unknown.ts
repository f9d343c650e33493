// Values the engine does not know yet: in previews, and in some diffs of real runs (engine-facts A §1).
// It must not know what the values are for.

/** What is in place of an unknown value of any type; the SDK's `runtime.unknownValue`. */
export const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** Whether a value is, or holds at any depth, an unknown. Text that contains the sentinel counts: interpolations do. */
export function holdsUnknown(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(UNKNOWN);
  if (Array.isArray(value)) return value.some(holdsUnknown);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnknown);
}
