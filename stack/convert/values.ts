// Values of a source as values of a stack file: texts as YAML 1.1 reads them, tags as references,
// and secrets as configuration, so that no value of one is copied.
import {
  LIKELY_NAMES,
  mayBeSecret,
  mayHoldSecret,
  namedSecretsOf,
  nameInOption,
  SECRET_NAME,
} from '../../provider/secrets';
import { decodeShape, type Shape } from '../../provider/values';
import type { CodeOf } from '../findings/old-files';
import { entriesIn, isNull, type Node, type ScalarNode } from '../yaml/tree';
import { fileOfSecret, keptOf, MASK, type ConfigUse } from './configuration';
import { entryFrom, keyName, withReferences, type Conversion } from './conversion';
import { hasTag, tagsIn } from './mustache';
import { dataOf, textInYaml11, valueInYaml11, writtenMap, writtenOf, writtenText, type Written } from './written';

interface Use {
  readonly shape: Shape;
  /** Where the value is: a secret is declared under this name. */
  readonly place: readonly string[];
  readonly secret?: boolean;
  /** The other change besides the value: the name of its key. */
  readonly note?: string | undefined;
}

const isPlain = ({ raw }: ScalarNode): boolean => !/^["'|>]/.test(raw);
const isTagged = (work: Conversion, { at }: ScalarNode): boolean =>
  /!!str\s+$/.test(work.file.text.slice(0, at.start.offset));

/** The text of a single value, as the tools of old files read it; its tags are hidden still. */
export function textRead(work: Conversion, node: ScalarNode): string {
  if (isPlain(node) && !isTagged(work, node) && !hasTag(node.source)) return textInYaml11(node.source);
  return node.source;
}

const useOf: { readonly [type: string]: ConfigUse } = { flag: 'boolean', int: 'integer' };

/** A value as one of `shape`, and the account of what became of it. */
export function convertedValue(work: Conversion, node: Node, use: Use): Written {
  if (node.form === 'failed') return writtenText('');
  if (node.form === 'scalar') return singleValue(work, node, use);
  return structure(work, node, use);
}

function singleValue(work: Conversion, node: ScalarNode, use: Use): Written {
  const masked = textRead(work, node);
  const { note, secret = false } = use;
  const value = secret ? writtenText(masked) : decoded(use.shape, masked);
  const lifted: Lifted[] = [];
  const as = useOf[use.shape.type] ?? 'string';
  const secrecy = secret ? 'sure' : 'none';
  const without = withSecretsConfigured(work, value, { names: use.place, node, use: as, secrecy }, lifted);
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(node.value === null ? ['an empty text'] : []),
    ...(node.value !== null && !secret && isPlain(node) && masked !== node.source ? ['what YAML 1.1 reads'] : []),
    ...(value.is === 'list' || value.is === 'map' ? [`a ${value.is}`] : []),
    ...(hasTag(masked) && !secret ? ['a reference to the configuration'] : []),
    ...lifted.map((each) => each.note),
  ];
  account(work, node, notes, codeFor(use, hasTag(masked) || lifted.length > 0));
  return without;
}

const codeFor = ({ note }: Pick<Use, 'note'>, isConfigured = false): CodeOf<'changed'> =>
  isConfigured ? 'setting-configured' : note === undefined ? 'setting-rewritten' : 'setting-moved';

function account(work: Conversion, node: Node, notes: readonly string[], code: CodeOf<'changed'>): void {
  if (notes.length === 0) work.ledger.became(node, 'setting-carried');
  else work.ledger.became(node, code, notes.join('; '));
}

/** The value of a text in `shape`; JSON text of texts becomes the texts. */
function decoded(shape: Shape, masked: string): Written {
  if (shape.type === 'text' || masked === '') return writtenText(masked);
  const json = decodeShape(/^\s*\[/.test(masked) ? JSON_LIST : { type: 'open' }, masked);
  if (typeof json === 'object' && json !== null && holdsTextsOnly(json)) return writtenOf(json);
  return shape.type === 'open' ? writtenText(masked) : writtenOf(decodeShape(shape, masked));
}

const JSON_LIST: Shape = { type: 'list', items: { type: 'text' }, encoding: 'json', unordered: false };
const holdsTextsOnly = (value: object): boolean => Object.values(value).every((each) => typeof each === 'string');

/** A list or map. In a text it becomes JSON text, as the service stores it. */
function structure(work: Conversion, node: Node, { shape, note, place, secret = false }: Use): Written {
  const notes = note === undefined ? [] : [note];
  const data = nativeOf(work, node);
  const lifted: Lifted[] = [];
  const without = (value: Written): Written =>
    withSecretsConfigured(
      work,
      value,
      { names: place, node, use: 'string', secrecy: secret ? 'likely' : 'none' },
      lifted,
    );
  if (shape.type === 'text' || holdsNothing(data)) {
    const text = without(writtenText(JSON.stringify(data)));
    const code = lifted.length > 0 ? 'setting-configured' : 'setting-rewritten';
    work.ledger.became(node, code, [...notes, 'JSON text', ...lifted.map((each) => each.note)].join('; '));
    return text;
  }
  account(work, node, notes, codeFor({ note }));
  const value = without(itemsOf(work, node));
  for (const own of new Set(lifted.map((each) => each.node))) {
    const all = lifted.filter((each) => each.node === own).map((each) => each.note);
    work.ledger.became(own, 'setting-configured', [...notes, ...all].join('; '));
  }
  return value;
}

const holdsNothing = (data: unknown): boolean =>
  data === null || (typeof data === 'object' && Object.values(data).some(holdsNothing));

/** Plain data as YAML 1.1 reads it. */
function nativeOf(work: Conversion, node: Node): unknown {
  if (node.form === 'list') return node.items.map((item) => nativeOf(work, item));
  if (node.form === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key, nativeOf(work, value)]));
  if (node.form === 'failed' || isNull(node)) return null;
  return isPlain(node) && !isTagged(work, node) && !hasTag(node.source)
    ? valueInYaml11(node.source)
    : textRead(work, node);
}

/** A list or map with its tags and secrets as they are. */
function itemsOf(work: Conversion, node: Node): Written {
  if (node.form === 'list') return { is: 'list', items: node.items.map((item) => itemsOf(work, item)) };
  if (node.form === 'map')
    return writtenMap(
      node.entries.map((entry) => entryFrom(work, entry, keyName(work, entry), itemsOf(work, entry.value))),
    );
  return writtenOf(nativeOf(work, node));
}

/** A list of names, also as JSON text or with commas. */
export function namesListed(work: Conversion, node: Node): readonly string[] {
  if (node.form === 'list') return node.items.flatMap((item) => (item.form === 'scalar' ? [textRead(work, item)] : []));
  if (node.form !== 'scalar') return [];
  const source = textRead(work, node);
  const list = decodeShape(JSON_LIST, source);
  if (Array.isArray(list)) return list.map(String);
  return source
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

interface Place {
  readonly names: readonly string[];
  readonly node: Node;
  readonly use: ConfigUse;
  /** `likely`: a value that can be a secret is one. `sure`: the value is one, whatever it says. */
  readonly secrecy: 'none' | 'likely' | 'sure';
}

/** Something that is a secret of the configuration now, and the value that it comes from. */
interface Lifted {
  readonly node: Node;
  readonly note: string;
}

/** A value with tags as references, and secrets in the configuration and in `lifted`. */
function withSecretsConfigured(work: Conversion, value: Written, place: Place, lifted: Lifted[]): Written {
  if (value.is === 'text') return writtenText(textWithout(work, value.text, place, lifted));
  if (value.is === 'plain') return place.secrecy !== 'none' ? numberWithout(work, value, place, lifted) : value;
  const secretUnder = namedSecretsOf(dataOf(value) as object, LIKELY_NAMES);
  const inner = (each: Written, key: string, node: Node | undefined): Written => {
    const name = secretUnder(key);
    const own = name ?? (value.is === 'map' ? key : undefined);
    const names = own === undefined ? place.names : [...place.names, own];
    const secrecy = name !== undefined && place.secrecy === 'none' ? 'likely' : place.secrecy;
    return withSecretsConfigured(work, each, { ...place, names, secrecy, node: node ?? place.node }, lifted);
  };
  const { node } = place;
  if (value.is === 'list') {
    const nodes = node.form === 'list' ? node.items : [];
    return { is: 'list', items: value.items.map((item, index) => inner(item, String(index), nodes[index])) };
  }
  const nodes = entriesIn(node);
  return writtenMap(
    value.entries.map((entry, index) => ({ ...entry, value: inner(entry.value, entry.key, nodes[index]?.value) })),
  );
}

/**
 * A text that is a secret, as the result has it; undefined where it only has references of the
 * service. A text with tags keeps what is around them, which is reported where it can be a part of
 * the secret.
 */
function wholeSecret(
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
  const { reference, note } = newSecret(work, names, text);
  return { text: reference, note };
}

/** The reference to a new secret of the configuration, and what is said of it. */
function newSecret(work: Conversion, names: readonly string[], value: string, use?: ConfigUse) {
  const hasLines = value.trimEnd().includes('\n');
  const words = names.map(nameInOption);
  const name = work.configuration.ofSecret(words, { hasLines, ...(use === undefined ? {} : { use }) });
  const why = value.startsWith(MASK) ? 'the source does not contain its value' : 'its value is not copied';
  const file = hasLines ? `, write its lines to ${fileOfSecret(name)}` : '';
  return { reference: `\${config.${name}}`, note: `the secret ${name} of the configuration: ${why}${file}` };
}

/** The name that makes a place secret: that of a secret, anywhere on the way there. */
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
  const { reference, note } = newSecret(work, names, text, 'integer');
  lifted.push({ node, note });
  return writtenText(reference);
}

function textWithout(work: Conversion, text: string, place: Place, lifted: Lifted[]): string {
  const { names, node, use, secrecy } = place;
  if (text === '') return text;
  const isLikely = secrecy === 'likely' && mayBeSecret(text, namingOf(names));
  const isWhole = text.startsWith(MASK) || secrecy === 'sure' || isLikely;
  const whole = isWhole ? wholeSecret(work, text, { names, node }) : undefined;
  if (whole !== undefined) {
    lifted.push({ node, note: whole.note });
    return whole.text;
  }
  const parts = tagsIn(text);
  /** The text with one tag known; later ones are filled in as variables of a shell. */
  const textWith = (known?: number): string =>
    parts.map((part, index) => ('tag' in part ? (index === known ? 'x' : '$TAG') : part.literal)).join('');
  if (!mayHoldSecret(textWith()))
    return withReferences(work, text, use, (index) => secrecy !== 'none' || mayHoldSecret(textWith(index)));
  const value = keptOf(text);
  const { reference, note } = newSecret(work, names, value);
  lifted.push({ node, note: hasTag(text) ? `${note}, set it with the values of its tags` : note });
  return reference + text.slice(value.length);
}
