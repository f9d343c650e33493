// Patterns of names, in which `*` stands for any text.

/** Whether a text matches one of the patterns. */
export const matchesAny = (wanted: readonly string[], text: string): boolean =>
  wanted.some((pattern) => {
    const words = pattern.split('*').map((word) => word.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${words.join('.*')}$`, 's').test(text);
  });
