// Values of a source as values of a stack file: texts as YAML 1.1 reads them, tags as references, secrets as configuration.
// It must not know which key a value belongs to.
import { decodeShape, type Shape } from '../../provider';
import type { CodeOf } from '../findings/codes';
import { isNull, type Node, type ScalarNode } from '../reader/tree';
import { hasTag, visibleIn } from './mustache';
import type { ConfigUse } from './configuration';
import { entryFrom, keyName, type Conversion } from './conversion';
import { wholeSecret, withSecretsConfigured, type Lifted } from './literal-secrets';
import { withReferences } from './references-in-text';
import { textInYaml11, valueInYaml11 } from './yaml-text';
import { writtenText, writtenOf, type Written } from './written';

/** How a value is used. */
interface Use {
  readonly shape: Shape;
  /** Where the value is: a secret is declared under this name. */
  readonly place: readonly string[];
  readonly secret?: boolean;
  /** What changed besides the value: the name of its key. */
  readonly note?: string | undefined;
}

const isPlain = ({ raw }: ScalarNode): boolean => !/^["'|>]/.test(raw);
const isTagged = (work: Conversion, { at }: ScalarNode): boolean =>
  /!!str\s+$/.test(work.file.text.slice(0, at.start.offset));

/** The text of a single value, as the tools of old files read it; its tags are hidden still. */
export function textRead(work: Conversion, node: ScalarNode): string {
  if (isPlain(node) && !isTagged(work, node) && !hasTag(node.source)) return textInYaml11(node.source);
  return withoutErasedLines(work, node);
}

/** A line that held only tags of sections is not part of a literal text. */
function withoutErasedLines(work: Conversion, { raw, source, at }: ScalarNode): string {
  if (!raw.startsWith('|')) return source;
  return source
    .split('\n')
    .filter((_, index) => !work.erasedLines.has(at.start.line + 1 + index))
    .join('\n');
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
  if (use.secret === true) return secretValue(work, node, { masked, use });
  const notes = use.note === undefined ? [] : [use.note];
  if (node.value === null) notes.push('an empty text');
  else if (isPlain(node) && masked !== node.source) notes.push('what YAML 1.1 reads');
  const value = decoded(use.shape, masked);
  if (value.is === 'list' || value.is === 'map') notes.push(`a ${value.is}`);
  if (hasTag(masked)) notes.push('a reference to the configuration');
  const lifted: Lifted[] = [];
  const as = useOf[use.shape.type] ?? 'string';
  const without = withSecretsConfigured(work, value, { names: use.place, node, use: as, isSecret: false }, lifted);
  const all = [...notes, ...lifted.map(({ note }) => note)];
  account(work, node, all, codeFor(use, hasTag(masked) || lifted.length > 0));
  return without;
}

const codeFor = ({ note }: Pick<Use, 'note'>, isConfigured = false): CodeOf<'changed'> =>
  isConfigured ? 'setting-configured' : note === undefined ? 'setting-rewritten' : 'setting-moved';

function account(work: Conversion, node: Node, notes: readonly string[], code: CodeOf<'changed'>): void {
  if (notes.length === 0) work.ledger.carried(node);
  else work.ledger.changed(node, code, notes.join('; '));
}

/** What a text means in `shape`; JSON text of texts is what it says. */
function decoded(shape: Shape, masked: string): Written {
  if (shape.type === 'text' || masked === '') return writtenText(masked);
  const json = decodeShape(/^\s*\[/.test(masked) ? JSON_LIST : { type: 'open' }, masked);
  if (typeof json === 'object' && json !== null && holdsTextsOnly(json)) return writtenOf(json);
  return shape.type === 'open' ? writtenText(masked) : writtenOf(decodeShape(shape, masked));
}

const JSON_LIST: Shape = { type: 'list', items: { type: 'text' }, encoding: 'json', unordered: false };
const holdsTextsOnly = (value: object): boolean => Object.values(value).every((each) => typeof each === 'string');

function secretValue(
  work: Conversion,
  node: ScalarNode,
  { masked, use }: { readonly masked: string; readonly use: Use },
): Written {
  const notes = use.note === undefined ? [] : [use.note];
  if (masked === '') {
    account(work, node, node.value === null ? [...notes, 'an empty text'] : notes, codeFor(use));
    return writtenText('');
  }
  const whole = wholeSecret(work, visibleIn(masked), { names: use.place, node });
  if (whole === undefined) {
    account(work, node, notes, codeFor(use));
    return writtenText(withReferences(work, masked));
  }
  work.ledger.changed(node, 'setting-configured', [...notes, whole.note].join('; '));
  return writtenText(whole.text);
}

/** A list or map. In a text it becomes JSON text, as the service stores it. */
function structure(work: Conversion, node: Node, { shape, note, place, secret = false }: Use): Written {
  const notes = note === undefined ? [] : [note];
  const data = nativeOf(work, node);
  const lifted: Lifted[] = [];
  const without = (value: Written): Written =>
    withSecretsConfigured(work, value, { names: place, node, use: 'string', isSecret: secret }, lifted);
  if (shape.type === 'text' || holdsNothing(data)) {
    const text = without(writtenText(JSON.stringify(data)));
    const code = lifted.length > 0 ? 'setting-configured' : 'setting-rewritten';
    work.ledger.changed(node, code, [...notes, 'JSON text', ...lifted.map((each) => each.note)].join('; '));
    return text;
  }
  account(work, node, notes, codeFor({ note }));
  const value = without(itemsOf(work, node));
  for (const own of new Set(lifted.map((each) => each.node))) {
    const all = lifted.filter((each) => each.node === own).map((each) => each.note);
    work.ledger.changed(own, 'setting-configured', [...notes, ...all].join('; '));
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
    return {
      is: 'map',
      entries: node.entries.map((entry) => entryFrom(work, entry, keyName(work, entry), itemsOf(work, entry.value))),
    };
  const data = nativeOf(work, node);
  return writtenOf(data);
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
