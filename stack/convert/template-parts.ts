// A Mustache template in parts: text, tags of values, partials and sections with what is in them.
// It must not know YAML, profiles, nor what any name means.

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
  /** The tag itself. */
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
  /** The tag that closes it. */
  readonly close: { readonly start: number; readonly end: number };
}

/** Every tag: with three braces, a comment over several lines, and the rest. */
const TAGS = /\{\{\{[^{}\n]+\}\}\}|\{\{![\s\S]*?\}\}|\{\{[^{}\n]+\}\}/g;

/** One tag as it is written. */
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
export const tagsOf = (source: string): readonly Tag[] =>
  [...source.matchAll(TAGS)].map(({ 0: tag, index }) => {
    const inner = tag.replace(/^\{+|\}+$/g, '').trim();
    return { at: index, end: index + tag.length, tag, sign: inner.charAt(0), name: inner.slice(1).trim() };
  });

/** Whether nothing but tags that print nothing is on the lines of a part: rendering removes them as a whole. */
export function standsAlone(source: string, start: number, end: number): boolean {
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

/** The range of a tag; with its indentation and the end of its line, if only tags that print nothing are on it. */
function lineOf(source: string, { at, end }: Tag, from: number): { readonly start: number; readonly end: number } {
  if (!standsAlone(source, at, end)) return { start: at, end };
  const indent = /[^\S\n]*$/.exec(source.slice(from, at))?.[0].length ?? 0;
  const start = at - indent;
  const isFirst = start === 0 || source[start - 1] === '\n';
  const rest = /^[^\S\n]*(?:\n|$)/.exec(source.slice(end))?.[0].length ?? 0;
  return { start: isFirst ? start : at, end: end + rest };
}
