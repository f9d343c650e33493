// Under which names `pulumi import` writes the code of what is taken over: each there once, and a variable in any language.
// It must not know what else an entry of the list holds.

/** A resource as its URN names it. */
interface Entry {
  readonly type: string;
  readonly logicalName: string;
}

/**
 * The entries, each with a name by which code can refer to it. Pulumi's CLI reads `web/os` in a reference as a division, and then writes no code at
 * all.
 */
export function withCodeNames<E extends Entry>(entries: readonly E[]): readonly (E & { readonly name: string })[] {
  const taken = new Set<string>();
  return entries.map((entry) => {
    const plain = entry.logicalName.replace(/[^\w-]/g, '_').replace(/^(?![A-Za-z_])/, '_');
    const token = entry.type.slice(entry.type.lastIndexOf(':') + 1);
    const name = candidates(plain, token, entries.length).find((each) => !taken.has(comparable(each))) as string;
    taken.add(comparable(name));
    return { name, ...entry };
  });
}

/** One more than there are entries, so that one of them is free. */
const candidates = (plain: string, token: string, count: number): readonly string[] => [
  plain,
  ...Array.from({ length: count }, (_, index) => `${plain}_${token}${index === 0 ? '' : String(index + 1)}`),
];

/** Languages write names in their own ways: `web-os`, `web_os` and `webOs` can be the same variable. */
const comparable = (name: string): string => name.replace(/[-_]/g, '').toLowerCase();
