// Mustache templates: their parts, and their tags hidden from the YAML reader without moving a
// character, so that lines and columns stay true.
import type { CodeOf } from '../findings/codes';

/** Tags have these characters while YAML is read, in place of those with a meaning there. */
const HIDDEN = '{}"\':#,[]\\ &*!|>%@`-?';
const FIRST = 0xe000;
/** Stands for a character that rendering removes. */
const REMOVED = '\uE0FF';
const PRIVATE = /[\uE000-\uE0FF]/;

const hide = (text: string): string =>
  text.replace(/[^\w]/g, (character) => {
    const index = HIDDEN.indexOf(character);
    return index < 0 ? character : String.fromCharCode(FIRST + index);
  });

/** A text with its tags as they were written. */
export const shown = (text: string): string =>
  text
    .replaceAll(REMOVED, '')
    .replace(/[\uE000-\uE0FE]/g, (character) => HIDDEN[character.charCodeAt(0) - FIRST] ?? '');

/** Something about one line or tag that has to be reported. */
export interface TagNote {
  readonly offset: number;
  readonly code: CodeOf<'changed' | 'left behind'> | 'bad-tag' | 'too-long-template';
  readonly tag: string;
  readonly note: string;
}

/** Whether a section is shown, as far as profiles say; `undefined` when none is given. */
export type Condition = (name: string) => { readonly isShown: boolean; readonly differs: boolean } | undefined;

interface OpenSection {
  readonly name: string;
  readonly isKept: boolean;
  readonly end: number;
  readonly offset: number;
}

/**
 * Hides every tag of a template, and renders its sections as spaces. `erasedLines`: numbers of the
 * lines that rendering removes, tags alone on them.
 */
export function maskTags(source: string, condition: Condition) {
  if (PRIVATE.test(source)) {
    const note = 'the file has characters of the private area of Unicode (U+E000 to U+E0FF), which stand for tags here';
    const fault = { offset: source.search(PRIVATE), code: 'bad-tag', tag: 'text', note } as const;
    return { text: source, notes: [fault], erasedLines: new Set<number>() };
  }
  const notes: TagNote[] = [];
  const open: OpenSection[] = [];
  const erasedLines = new Set<number>();
  let text = source;
  const erase = (start: number, end: number): void => {
    const isAlone = standsAlone(source, start, end);
    const gone = source.slice(start, end).replace(/[^\n]/g, isAlone ? ' ' : REMOVED);
    text = text.slice(0, start) + gone + text.slice(end);
    const first = source.slice(0, start).split('\n').length;
    if (isAlone) gone.split('\n').forEach((_, index) => erasedLines.add(first + index));
  };
  for (const { at: index, end, tag, sign, name } of tagsOf(source)) {
    if (sign === '#' || sign === '^') {
      const decided = condition(name);
      const isKept = (decided?.isShown ?? true) === (sign === '#');
      // The part that is not shown is reported as a whole.
      if (open.every((outer) => outer.isKept)) notes.push({ offset: index, tag, ...sectionNote(sign, name, decided) });
      open.push({ name, isKept, end, offset: index });
      erase(index, end);
    } else if (sign === '/') {
      const section = open.pop();
      erase(index, end);
      if (section?.name !== name) {
        notes.push({ offset: index, tag, code: 'bad-tag', note: `it closes no section ${name}` });
        continue;
      }
      if (!section.isKept) {
        notes.push(...hiddenLines(source, section.end, index));
        erase(section.end, index);
      }
    } else if (sign === '!' || sign === '>') erase(index, end);
    else if (sign === '=') {
      notes.push({ offset: index, tag, code: 'other-delimiters', note: 'other delimiters are not read' });
      erase(index, end);
    } else text = text.slice(0, index) + hide(tag) + text.slice(end);
  }
  for (const { name, offset } of open)
    notes.push({ offset, tag: `{{#${name}}}`, code: 'bad-tag', note: 'the section is never closed' });
  return { text, notes, erasedLines };
}

function sectionNote(sign: string, name: string, decided: ReturnType<Condition>): Pick<TagNote, 'code' | 'note'> {
  if (decided === undefined)
    return {
      code: 'no-profile-value',
      note: `the condition: its content is ${sign === '#' ? 'always there' : 'left out'}; choose with --profile`,
    };
  const is = decided.isShown === (sign === '#') ? 'shown' : 'left out';
  if (decided.differs)
    return { code: 'profiles-differ', note: `the condition: ${is} as in the first profile, others differ` };
  return { code: 'tag-rendered', note: `${is}, because the profile ${decided.isShown ? 'has' : 'has no'} ${name}` };
}

/** The lines of a part that is not shown, each by its key. */
function hiddenLines(source: string, start: number, end: number): readonly TagNote[] {
  const lines: TagNote[] = [];
  let offset = start;
  for (const line of source.slice(start, end).split('\n')) {
    const [, tag] = /^\s*(?:- )?['"]?([^\s:'"#][^:'"]*)/.exec(line) ?? [];
    const note = 'in a section that is not shown';
    if (tag !== undefined)
      lines.push({ offset: offset + line.search(/\S/), tag: tag.trim(), code: 'hidden-part', note });
    offset += line.length + 1;
  }
  return lines;
}

/** One part of a text: itself, or the inside of a tag. */
type TextPart = { readonly literal: string } | { readonly tag: string };

export function tagsIn(masked: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  const visible = visibleIn(masked);
  let from = 0;
  for (const { 0: tag, index } of visible.matchAll(/\uE000{2,3}[^\uE000\uE001]+\uE001{2,3}/g)) {
    if (index > from) parts.push({ literal: visible.slice(from, index) });
    parts.push({
      tag: shown(tag)
        .replace(/^\{+&?|\}+$/g, '')
        .trim(),
    });
    from = index + tag.length;
  }
  if (from < visible.length || parts.length === 0) parts.push({ literal: visible.slice(from) });
  return parts;
}

/** A text of a masked template without what rendering removes. */
export const visibleIn = (masked: string): string => masked.replaceAll(REMOVED, '');

export const hasTag = (masked: string): boolean => masked.includes('\uE000\uE000');

/** A part of a template, with its range. A tag that is alone on its line has the whole line. */
export type TemplatePart =
  | { readonly is: 'text'; readonly start: number; readonly end: number }
  | { readonly is: 'value'; readonly start: number; readonly end: number; readonly name: string }
  | PartialTag
  | Section;

/** `{{> name}}`. */
export interface PartialTag {
  readonly is: 'partial';
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly tag: string;
  readonly at: number;
  /** What is before it, if it is alone on its line. */
  readonly indent?: string;
}

/** `{{#name}}…{{/name}}` or `{{^name}}…{{/name}}`; its range is that of the tag that opens it. */
export interface Section {
  readonly is: 'section';
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly isInverted: boolean;
  readonly tag: string;
  readonly at: number;
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
  /** What is behind the sign. */
  readonly name: string;
}

/** The tags of a template in their order. */
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

/** A template in parts, or undefined where a section is not closed, or closed and not opened. */
export function templateParts(source: string): readonly TemplatePart[] | undefined {
  const whole: TemplatePart[] = [];
  const open: Open[] = [];
  let from = 0;
  for (const tag of tagsOf(source)) {
    if (/^[!=]/.test(tag.sign)) continue;
    const parts = open.at(-1)?.parts ?? whole;
    const range = /^[#^/>]/.test(tag.sign) ? lineOf(source, tag, from) : { start: tag.at, end: tag.end };
    if (range.start > from) parts.push({ is: 'text', start: from, end: range.start });
    from = range.end;
    if (tag.sign === '#' || tag.sign === '^') open.push({ tag, range, parts: [] });
    else if (tag.sign === '/') {
      const closed = open.pop();
      if (closed?.tag.name !== tag.name) return undefined;
      (open.at(-1)?.parts ?? whole).push(sectionOf(closed, range));
    } else if (tag.sign === '>') parts.push(partialOf(source, tag, range));
    else parts.push({ is: 'value', ...range, name: valueName(tag) });
  }
  if (from < source.length) whole.push({ is: 'text', start: from, end: source.length });
  return open.length === 0 ? whole : undefined;
}

const valueName = ({ tag }: Tag): string => tag.replace(/^\{+&?|\}+$/g, '').trim();

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
