// Tags of a text as references to the configuration.
// It must not know which values are secrets.
import type { ConfigUse } from './configuration';
import type { Conversion } from './conversion';
import { tagsIn } from './mustache';

/** A text with its tags as references, and with what would be a reference as text. `isSecret`: of a tag, by its index among the parts; default: none is. */
export function withReferences(
  work: Conversion,
  masked: string,
  use: ConfigUse = 'string',
  isSecret: (index: number) => boolean = () => false,
): string {
  const parts = tagsIn(masked);
  return parts
    .map((part, index) => {
      if ('tag' in part) return `\${config.${work.configuration.ofTag(part.tag, use, isSecret(index))}}`;
      const escaped = part.literal.replace(/(?<!\$)\$+(?=\{)/g, (run) => run + run);
      const next = parts[index + 1];
      return next !== undefined && 'tag' in next ? escaped.replace(/(?<!\$)\$+$/, (run) => run + run) : escaped;
    })
    .join('');
}
