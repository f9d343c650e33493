// A named value as text, where values are of any type: arguments and outputs.
// It must not know what the values are for.

/** The text, number or boolean under a name, as text; else the fallback. */
export function textAt(values: { readonly [name: string]: unknown } | undefined, name: string, fallback = ''): string {
  const value = values?.[name];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : fallback;
}
