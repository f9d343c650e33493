// `${…}` in a text: its places, its steps, and the parts that are only text.
import type { Steps } from './value';

/** One `${…}`: where it starts and ends in the text, and its steps, or what is wrong with it. */
export interface Interpolation {
  readonly start: number;
  readonly end: number;
  readonly steps?: Steps;
  readonly fault?: 'unclosed' | 'malformed';
}

const STEP = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\["([^"\\]*)"\]/y;

/**
 * Splits a text at its references. `$$` before `{` is a `$` that starts none, so `$${x}` is the
 * text `${x}` and `$$${x}` a `$` and a reference; a `$` anywhere else is itself, which leaves
 * `$OO_GLOBAL{X}` and a shell's `$$` alone.
 */
export function splitText(text: string): readonly (string | Interpolation)[] {
  const parts: (string | Interpolation)[] = [];
  let literal = '';
  let from = 0;
  for (const { 0: run, index } of text.matchAll(/\$+/g)) {
    if (index < from || text[index + run.length] !== '{') continue;
    literal += text.slice(from, index) + '$'.repeat(Math.floor(run.length / 2));
    from = index + run.length;
    if (run.length % 2 === 0) continue;
    const found = interpolationAt(text, from - 1);
    parts.push(...(literal === '' ? [] : [literal]), found);
    literal = '';
    from = found.end;
  }
  literal += text.slice(from);
  return literal === '' && parts.length > 0 ? parts : [...parts, literal];
}

/** The reference that is all of a text; undefined for any other text. */
export function onlyReference(text: string): Interpolation | undefined {
  const [only, ...others] = splitText(text);
  return typeof only === 'object' && others.length === 0 ? only : undefined;
}

/** Whether a text contains a `${…}`. */
export const hasReference = (text: string): boolean =>
  text.includes('${') && splitText(text).some((part) => typeof part !== 'string');

/** A text in which nothing is a reference, as a file writes it. */
export const withoutReferences = (text: string): string => text.replace(/(?<!\$)\$+(?=\{)/g, (run) => run + run);

/** A text with others in place of its references; a reference without one stays as it is. */
export function replaceReferences(text: string, textOf: (reference: Interpolation) => string | undefined): string {
  let result = '';
  let from = 0;
  for (const part of splitText(text)) {
    const put = typeof part === 'string' ? undefined : textOf(part);
    if (typeof part === 'string' || put === undefined) continue;
    result += text.slice(from, part.start) + put;
    from = part.end;
  }
  return result + text.slice(from);
}

function interpolationAt(text: string, start: number): Interpolation {
  const close = text.indexOf('}', start);
  if (close < 0) return { start, end: text.length, fault: 'unclosed' };
  const steps = parseSteps(text.slice(start + 2, close).trim());
  return { start, end: close + 1, ...(steps ? { steps } : { fault: 'malformed' }) };
}

/** `platforms.web["odd name"].list[0]` as steps; undefined when it is not of that form. */
export const parseSteps = (text: string): Steps | undefined => placedSteps(text)?.map(({ step }) => step);

/** The same, each step with the place of its word in the text. */
export function placedSteps(text: string): readonly PlacedStep[] | undefined {
  const steps: PlacedStep[] = [];
  let from = 0;
  while (from < text.length) {
    STEP.lastIndex = from;
    const match = STEP.exec(text);
    const dotted = text.startsWith('.', from);
    if (!match || (steps.length === 0 ? match[1] === undefined || dotted : match[1] !== undefined && !dotted))
      return undefined;
    const word = match[1] ?? match[2] ?? match[3] ?? '';
    const start = from + match[0].indexOf(word);
    steps.push({ step: match[2] === undefined ? word : Number(word), start, end: start + word.length });
    from = STEP.lastIndex;
  }
  return steps.length === 0 ? undefined : steps;
}

/** One step of a reference, and where its word is. */
interface PlacedStep {
  readonly step: string | number;
  readonly start: number;
  readonly end: number;
}

/** `platforms.web.list[0]`: steps as written. */
export { formatPath as formatSteps } from '../../api/contract';

/** The place of the k-th `${` in a scalar; undefined where quotes or folding hide it. */
export function findInRaw(
  raw: string,
  text: string,
  interpolation: Interpolation,
): { readonly start: number; readonly end: number } | undefined {
  const starts = (within: string): number[] => [...within.matchAll(/\$\{/g)].map(({ index }) => index);
  const inText = starts(text);
  const inRaw = starts(raw);
  const start = inRaw[inText.indexOf(interpolation.start)];
  if (inText.length !== inRaw.length || start === undefined) return undefined;
  const written = text.slice(interpolation.start, interpolation.end);
  if (raw.startsWith(written, start)) return { start, end: start + written.length };
  return { start, end: start + 2 };
}
