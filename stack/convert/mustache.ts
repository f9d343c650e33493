// Mustache tags of a template, hidden from the YAML reader without moving a character, so that lines and columns stay true.
// It must not know YAML, nor what a tag is used for.
import type { CodeOf } from '../findings/codes';
import { standsAlone, tagsOf } from './template-parts';

/** A tag is written in these characters while YAML is read; each replaces one that has a meaning in YAML or in keys. */
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

/** A template that a YAML reader reads. */
interface Masked {
  readonly text: string;
  readonly notes: readonly TagNote[];
  /** Numbers of the lines that rendering removes, tags alone on them. */
  readonly erasedLines: ReadonlySet<number>;
}

/** Whether a section is shown, as far as profiles say; `undefined` when none is given. */
export type Condition = (name: string) => { readonly isShown: boolean; readonly differs: boolean } | undefined;

interface OpenSection {
  readonly name: string;
  readonly isKept: boolean;
  readonly end: number;
  readonly offset: number;
}

/** Hides every tag of a template whose partials were read. Sections are rendered: their tags, and what is not shown, become spaces or removed characters. */
export function maskTags(source: string, condition: Condition): Masked {
  if (PRIVATE.test(source)) {
    const note = 'the file has characters of the private area of Unicode (U+E000 to U+E0FF), which stand for tags here';
    const fault = { offset: source.search(PRIVATE), code: 'bad-tag', tag: 'text', note } as const;
    return { text: source, notes: [fault], erasedLines: new Set() };
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

/** A text of a masked template in parts. */
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

/** Whether a text of a masked template has a tag. */
export const hasTag = (masked: string): boolean => masked.includes('\uE000\uE000');
