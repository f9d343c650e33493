// Mustache templates: their parts, and their tags hidden from the YAML reader.

/** Tags have these characters while YAML is read, in place of those with a meaning there. */
const HIDDEN = '{}"\':#,[]\\ &*!|>%@`-?';
const FIRST = 0xe000;
const PRIVATE = /[\uE000-\uE0FF]/;

/** Where a text has one of the characters that hide tags; -1 where it has none. */
export const reservedAt = (text: string): number => text.search(PRIVATE);

/** A tag as the YAML reader sees it, with as many characters. */
export const hide = (text: string): string =>
  text.replace(/[^\w]/g, (character) => {
    const index = HIDDEN.indexOf(character);
    return index < 0 ? character : String.fromCharCode(FIRST + index);
  });

/** A text with its tags as they were written. */
export const shown = (text: string): string =>
  text.replace(/[\uE000-\uE0FF]/g, (character) => HIDDEN[character.charCodeAt(0) - FIRST] ?? '');

/** One part of a text: itself, or the inside of a tag. */
type TextPart = { readonly literal: string } | { readonly tag: string };

export function tagsIn(masked: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: tag, index } of masked.matchAll(/\uE000{2,3}[^\uE000\uE001]+\uE001{2,3}/g)) {
    if (index > from) parts.push({ literal: masked.slice(from, index) });
    parts.push({ tag: valueName(shown(tag)) });
    from = index + tag.length;
  }
  if (from < masked.length || parts.length === 0) parts.push({ literal: masked.slice(from) });
  return parts;
}

export const hasTag = (masked: string): boolean => masked.includes('\uE000\uE000');

/** A part of a template, with its range. A tag that is alone on its line has the whole line. */
export type TemplatePart =
  | { readonly is: 'text'; readonly start: number; readonly end: number }
  | { readonly is: 'value'; readonly start: number; readonly end: number; readonly name: string }
  | PartialTag
  | Section;

/** A tag that cannot be read as it is written. */
interface WrongTag {
  readonly at: number;
  readonly tag: string;
  readonly code: 'bad-tag' | 'other-delimiters';
  readonly note: string;
}

/** `{{> name}}`. */
export interface PartialTag extends Omit<Tag, 'sign'> {
  readonly is: 'partial';
  readonly start: number;
  /** The text before it, if it is alone on its line. */
  readonly indent?: string;
}

/** `{{#name}}…{{/name}}` or `{{^name}}…{{/name}}`; its range is that of the tag that opens it. */
export interface Section extends Omit<Tag, 'sign'> {
  readonly is: 'section';
  readonly start: number;
  readonly isInverted: boolean;
  readonly inner: readonly TemplatePart[];
  readonly close: { readonly start: number; readonly end: number };
}

/** Every tag: with three braces, a comment over several lines, and the rest. */
const TAG_PATTERN = /\{\{\{[^{}\n]+\}\}\}|\{\{![\s\S]*?\}\}|\{\{[^{}\n]+\}\}/g;

interface Tag {
  readonly at: number;
  readonly end: number;
  readonly tag: string;
  /** `#`, `^`, `/`, `!`, `>`, `=`, or the first character of a name. */
  readonly sign: string;
  /** The text behind the sign. */
  readonly name: string;
}

const tagsOf = (source: string): readonly Tag[] =>
  [...source.matchAll(TAG_PATTERN)].map(({ 0: tag, index }) => {
    const inner = tag.replace(/^\{+|\}+$/g, '').trim();
    return { at: index, end: index + tag.length, tag, sign: inner.charAt(0), name: inner.slice(1).trim() };
  });

/** Whether only tags that print nothing are on the lines of a part: rendering removes them. */
function standsAlone(source: string, start: number, end: number): boolean {
  const before = source.slice(source.lastIndexOf('\n', start - 1) + 1, start);
  const after = /^[^\n]*/.exec(source.slice(end))?.[0] ?? '';
  return [before, after].every((part) => /^\s*(\{\{[#^/!][^{}]*\}\}\s*)*$/.test(part));
}

interface Open {
  readonly tag: Tag;
  readonly range: { readonly start: number; readonly end: number };
  readonly parts: TemplatePart[];
}

/** A template in parts, without comments. What is in a wrong section is read as if it had none. */
export function templateParts(source: string) {
  const whole: TemplatePart[] = [];
  const wrong: WrongTag[] = [];
  const open: Open[] = [];
  const around = (): TemplatePart[] => open.at(-1)?.parts ?? whole;
  let from = 0;
  for (const tag of tagsOf(source)) {
    const { sign, name, at, end } = tag;
    const range = /^[#^/>!=]/.test(sign) ? lineOf(source, tag, from) : { start: at, end };
    if (range.start > from) around().push({ is: 'text', start: from, end: range.start });
    from = range.end;
    if (sign === '#' || sign === '^') open.push({ tag, range, parts: [] });
    else if (sign === '/') {
      const closed = open.pop();
      if (closed?.tag.name === name) around().push(sectionOf(closed, range));
      else {
        wrong.push({ at, tag: tag.tag, code: 'bad-tag', note: `it closes no section ${name}` });
        around().push(...(closed?.parts ?? []));
      }
    } else if (sign === '>') around().push(partialOf(source, tag, range));
    else if (sign === '=')
      wrong.push({ at, tag: tag.tag, code: 'other-delimiters', note: 'other delimiters are not read' });
    else if (sign !== '!') around().push({ is: 'value', ...range, name: valueName(tag.tag) });
  }
  if (from < source.length) around().push({ is: 'text', start: from, end: source.length });
  for (const { tag, parts } of open) {
    wrong.push({ at: tag.at, tag: `{{#${tag.name}}}`, code: 'bad-tag', note: 'the section is never closed' });
    whole.push(...parts);
  }
  return { parts: whole as readonly TemplatePart[], wrong };
}

/** A template as it is: its values hidden, and blanks in place of its other tags. */
export const withTagsHidden = (source: string): string =>
  source.replace(TAG_PATTERN, (tag) => (/^\{\{[#^/>!=]/.test(tag) ? tag.replace(/[^\n]/g, ' ') : hide(tag)));

const valueName = (tag: string): string => tag.replace(/^\{+&?|\}+$/g, '').trim();

const sectionOf = ({ tag, range, parts }: Open, close: Section['close']): Section => ({
  is: 'section',
  ...range,
  name: tag.name,
  isInverted: tag.sign === '^',
  tag: tag.tag,
  at: tag.at,
  inner: parts,
  close,
});

function partialOf(source: string, { tag, name, at }: Tag, range: { start: number; end: number }): PartialTag {
  const isAlone = range.start < at || range.end > at + tag.length;
  return { is: 'partial', ...range, name, tag, at, ...(isAlone ? { indent: source.slice(range.start, at) } : {}) };
}

/** The range of a tag; of all its line, if only tags that print nothing are on it. */
function lineOf(source: string, { at, end }: Tag, from: number): { readonly start: number; readonly end: number } {
  if (!standsAlone(source, at, end)) return { start: at, end };
  const indent = /[^\S\n]*$/.exec(source.slice(from, at))?.[0].length ?? 0;
  const start = at - indent;
  const isFirst = start === 0 || source[start - 1] === '\n';
  const rest = /^[^\S\n]*(?:\n|$)/.exec(source.slice(end))?.[0].length ?? 0;
  return { start: isFirst ? start : at, end: end + rest };
}
