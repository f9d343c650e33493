// Secrets that a source has in clear: each becomes a secret of the configuration, so that no value is copied.
// It must not know which key a value belongs to.
import { LIKELY_NAMES, mayBeSecret, mayHoldSecret, SECRET_NAME, namedSecretsOf, nameInOption } from '../../provider';
import type { Node } from '../reader/tree';
import { fileOfSecret, type ConfigUse } from './configuration';
import type { Conversion } from './conversion';
import { hasTag, tagsIn, visibleIn } from './mustache';
import { withReferences } from './references-in-text';
import { dataOf, writtenMap, writtenText, type Written } from './written';

/** What design exports write in place of a secret. */
const MASK = '::ENCRYPTED::';

/** Where a value is. */
interface Place {
  /** Words of the name under which a secret is declared. */
  readonly names: readonly string[];
  /** What the value comes from. */
  readonly node: Node;
  readonly use: ConfigUse;
  readonly isSecret: boolean;
}

/** Something that is a secret of the configuration now, and the value that it comes from. */
export interface Lifted {
  readonly node: Node;
  readonly note: string;
}

/** A value with its tags as references and its secrets as secrets of the configuration, which are added to `lifted`. */
export function withSecretsConfigured(work: Conversion, value: Written, place: Place, lifted: Lifted[]): Written {
  if (value.is === 'text') return writtenText(textWithout(work, value.text, place, lifted));
  if (value.is === 'plain') return place.isSecret ? numberWithout(work, value, place, lifted) : value;
  const secretUnder = namedSecretsOf(dataOf(value) as object, LIKELY_NAMES);
  const inner = (each: Written, key: string, node: Node | undefined): Written => {
    const name = secretUnder(key);
    const own = name ?? (value.is === 'map' ? key : undefined);
    const names = own === undefined ? place.names : [...place.names, own];
    const isSecret = place.isSecret || name !== undefined;
    return withSecretsConfigured(work, each, { ...place, names, isSecret, node: node ?? place.node }, lifted);
  };
  const { node } = place;
  if (value.is === 'list') {
    const nodes = node.form === 'list' ? node.items : [];
    return { is: 'list', items: value.items.map((item, index) => inner(item, String(index), nodes[index])) };
  }
  const nodes = node.form === 'map' ? node.entries : [];
  return writtenMap(
    value.entries.map((entry, index) => ({ ...entry, value: inner(entry.value, entry.key, nodes[index]?.value) })),
  );
}

/**
 * A text that is a secret, as the result has it; undefined where it only has references of the service. A text with tags keeps what is around them, which is
 * reported where it can be a part of the secret.
 */
export function wholeSecret(
  work: Conversion,
  text: string,
  { names, node }: Pick<Place, 'names' | 'node'>,
): { readonly text: string; readonly note: string } | undefined {
  const around = tagsIn(text).map((part) => ('tag' in part ? '' : part.literal.replace(/\$OO_[A-Z]+\{[^{}]*\}/g, '')));
  const isAround = /[\p{L}\p{N}]/u.test(around.join(''));
  if (hasTag(text)) {
    const note = `a secret of the configuration${isAround ? '; the text around it is copied' : ''}`;
    if (isAround) {
      const message = 'the text around a tag of a secret is in clear in the stack file';
      work.report.hide(node.at);
      work.report.warning(
        node,
        'secret-in-file',
        message,
        'make all of it the value of the tag, if it is a part of the secret',
      );
    }
    return { text: withReferences(work, text, 'string', () => true), note };
  }
  if (!isAround && text.includes('$OO_')) return undefined;
  const { reference, note } = newSecret(work, { names, value: text });
  return { text: reference, note };
}

interface NewSecret {
  readonly names: readonly string[];
  readonly value: string;
  readonly use?: ConfigUse;
}

/** The reference to a new secret of the configuration, and what is said of it. */
function newSecret(
  work: Conversion,
  { names, value, use }: NewSecret,
): { readonly reference: string; readonly note: string } {
  const hasLines = value.trimEnd().includes('\n');
  const words = names.map(nameInOption);
  const name = work.configuration.ofSecret(words, { hasLines, ...(use === undefined ? {} : { use }) });
  const why = value.startsWith(MASK) ? 'the source does not contain its value' : 'its value is not copied';
  const file = hasLines ? `, write its lines to ${fileOfSecret(name)}` : '';
  return { reference: `\${config.${name}}`, note: `the secret ${name} of the configuration: ${why}${file}` };
}

/** The name that says of a place that it is a secret: that of a secret, wherever it is on the way there. */
const namingOf = (names: readonly string[]): string =>
  names.findLast((name) => SECRET_NAME.test(name)) ?? names.at(-1) ?? '';

function numberWithout(
  work: Conversion,
  value: Written & { readonly is: 'plain' },
  { names, node }: Place,
  lifted: Lifted[],
): Written {
  const text = String(value.value);
  if (!Number.isInteger(value.value) || !mayBeSecret(text, namingOf(names))) return value;
  const { reference, note } = newSecret(work, { names, value: text, use: 'integer' });
  lifted.push({ node, note });
  return writtenText(reference);
}

function textWithout(work: Conversion, masked: string, place: Place, lifted: Lifted[]): string {
  const { names, node, use, isSecret } = place;
  const text = visibleIn(masked);
  const isWhole = text.startsWith(MASK) || (isSecret && mayBeSecret(text, namingOf(names)));
  const whole = isWhole ? wholeSecret(work, text, { names, node }) : undefined;
  if (whole !== undefined) {
    lifted.push({ node, note: whole.note });
    return whole.text;
  }
  const parts = tagsIn(text);
  /** The text with one of its tags known: others are filled in later, as variables of a shell are. */
  const textWith = (known?: number): string =>
    parts.map((part, index) => ('tag' in part ? (index === known ? 'x' : '$TAG') : part.literal)).join('');
  if (!mayHoldSecret(textWith()))
    return withReferences(work, text, use, (index) => isSecret || mayHoldSecret(textWith(index)));
  // The configuration does not keep line breaks at the end of a value that is read from a file.
  const value = text.replace(/(?<![\r\n])[\r\n]+$/, '');
  const { reference, note } = newSecret(work, { names, value });
  lifted.push({ node, note: hasTag(text) ? `${note}, set it with the values of its tags` : note });
  return reference + text.slice(value.length);
}
