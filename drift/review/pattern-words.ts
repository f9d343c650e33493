// Whether patterns that a person wrote can fit anything: names of kinds, of their attributes, and classifications.
// It must not know which file a pattern stands in, nor what it is for.
import { argumentNames, kindOf, kinds, nearest } from '../../provider';
import { spellingsOf } from '../wording';
import { CLASSIFICATIONS } from './review';

const TOKENS = kinds.map(({ token }) => token);

/** What is wrong with the words of `Kind.attribute`, or of a classification; undefined when something can fit. Wildcards fit anything. */
export function misspelling(pattern: string): string | undefined {
  const [first = '', second] = pattern.split('.');
  if (first.includes('*') || (CLASSIFICATIONS as readonly string[]).includes(pattern)) return undefined;
  if (!TOKENS.includes(first)) {
    const known = second === undefined ? [...TOKENS, ...CLASSIFICATIONS] : TOKENS;
    const what = second === undefined ? 'kind or classification' : 'kind';
    return unknownWord(what, first, known);
  }
  if (second === undefined || second.includes('*')) return undefined;
  const of = kindOf(first);
  const known = (of === undefined ? [] : argumentNames(of)).flatMap(spellingsOf);
  return known.includes(second) ? undefined : unknownWord(`attribute of ${first}`, second, known);
}

function unknownWord(what: string, word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return `there is no ${what} "${word}"; ${near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`}`;
}
