// What follows from a thing that never changes is worked out once: a kind's names are requested with every check and every diff.

/**
 * A pure function of an object, which works out each object's value once. The object must not change afterwards. The value goes when the
 * object does.
 */
export function oncePer<Key extends object, Value>(workOut: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found) return found.value;
    const value = workOut(key);
    known.set(key, { value });
    return value;
  };
}
