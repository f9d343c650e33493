// Maps with text as keys.

/** A map with each of its values changed. */
export const mapValues = <V, W>(
  map: { readonly [key: string]: V },
  change: (value: V, key: string) => W,
): { [key: string]: W } => Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
