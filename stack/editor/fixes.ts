// The edit that a finding proposes: the nearest name in place of the misspelt one.
import type { Finding } from '../findings/finding';
import { formatSteps, placedSteps, splitText, type Interpolation } from '../values/interpolation';
import type { Steps } from '../values/value';
import { rangeWithin, type Range, type SourceFile } from '../yaml/source';

/** Another text for a range. */
export interface TextEdit {
  readonly at: Range;
  readonly text: string;
}

/** Hints of this form name a replacement; a test holds every hint of the corpus to it. */
const PROPOSAL = /^did you mean "([^"]+)"\?/;

/** The edit that corrects a finding; undefined where none is known. */
export function fixOf({ at, hint = '', secret }: Finding, files: readonly SourceFile[]): TextEdit | undefined {
  const word = secret ? undefined : PROPOSAL.exec(hint)?.[1];
  const text = files.find(({ name }) => name === at.file)?.text.slice(at.start.offset, at.end.offset) ?? '';
  if (word === undefined || text === '') return undefined;
  if (!text.includes('${')) {
    const quote = /^["']/.exec(text)?.[0] ?? '';
    return { at, text: `${quote}${word}${quote}` };
  }
  const steps = placedSteps(word)?.map(({ step }) => step) ?? [];
  const meant = splitText(text).filter((part) => typeof part === 'object' && isNear(part, steps));
  const [only, ...others] = meant as readonly Interpolation[];
  if (only?.steps === undefined || others.length > 0) return undefined;
  const rest = only.steps.slice(commonSteps(only.steps, steps) + 1);
  return { at: rangeWithin(at, text, only.start, only.end), text: `\${${formatSteps([...steps, ...rest])}}` };
}

/** Whether a reference differs from the proposed one in its last steps alone. */
const isNear = ({ steps }: Interpolation, proposed: Steps): boolean =>
  steps !== undefined &&
  steps.length > commonSteps(steps, proposed) &&
  commonSteps(steps, proposed) >= proposed.length - 2;

function commonSteps(left: Steps, right: Steps): number {
  const other = left.findIndex((step, index) => step !== right[index]);
  return other < 0 ? left.length : other;
}
