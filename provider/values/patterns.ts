// Patterns of names, in which `*` means any text.
import { z } from 'zod';

/** Whether a text matches one of the patterns. */
export const matchesAny = (wanted: readonly string[], text: string): boolean =>
  wanted.some((pattern) => {
    const words = pattern.split('*').map((word) => word.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${words.join('.*')}$`, 's').test(text);
  });

/** A parameter that is a list of patterns, in which `*` stands for any text. A single text is a list of one. */
export const patterns = (description: string) =>
  z
    .union([z.string(), z.array(z.string()).min(1)])
    .transform((given) => [given].flat())
    .describe(description);
