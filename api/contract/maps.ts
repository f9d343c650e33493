// Maps whose keys are texts.

/** A new map with the same keys: `change` makes each value. */
export const mapValues = <V, W>(
  map: { readonly [key: string]: V },
  change: (value: V, key: string) => W,
): { [key: string]: W } => Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
