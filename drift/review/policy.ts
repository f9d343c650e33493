// A policy file: how severe which difference is, and how many records may be missing.
import { argumentNames, kindOf, kinds, nearest } from '../../provider';
import { entryOf, readYaml, sourceFile, type MapNode, type Node } from '../../stack';
import { spellingsOf } from '../wording';
import type { SeverityRule } from './severity';
import { GONE_LIMIT, type GoneLimit } from './outcome';
import { CLASSIFICATIONS, SEVERITIES, type Severity } from './review';

/** What a policy says. */
export interface Policy {
  /** The last one that fits counts. */
  readonly severities: readonly SeverityRule[];
  readonly gone: GoneLimit;
}

/**
 * Reads a policy:
 *
 *     severities:
 *       Component.attributes.max_threads: low
 *       '*.description': medium
 *       undeclared: medium
 *     gone: { least: 5, share: 0.8 }
 *
 * Throws Error with `file:line` for what cannot be read.
 */
export function readPolicy(file: { readonly text: string; readonly name: string }): Policy {
  const { root, findings } = readYaml(sourceFile(file.name, file.text));
  const [fault] = findings.filter(({ severity }) => severity === 'error');
  if (fault) throw new Error(`${file.name} cannot be read: ${fault.message}`);
  const map = mapIn(root, file.name);
  for (const { key, at } of map?.entries ?? [])
    if (!['severities', 'gone'].includes(key))
      throw new Error(`${file.name}:${at.start.line}: unknown key "${key}"; known are severities and gone`);
  return {
    severities: (mapIn(entryOf(map, 'severities')?.value, file.name)?.entries ?? []).map(({ key, value, at }) => ({
      pattern: patternIn(key, `${file.name}:${at.start.line}`),
      severity: severityIn(value, `${file.name}:${at.start.line}`),
    })),
    gone: {
      least: numberIn(map, 'least', file.name) ?? GONE_LIMIT.least,
      share: numberIn(map, 'share', file.name) ?? GONE_LIMIT.share,
    },
  };
}

function mapIn(node: Node | undefined, name: string): MapNode | undefined {
  if (node === undefined || (node.form === 'scalar' && node.value === null)) return undefined;
  if (node.form === 'map') return node;
  throw new Error(`${name}:${node.at.start.line}: must be a map`);
}

function patternIn(pattern: string, place: string): string {
  const wrong = misspelling(pattern);
  if (wrong !== undefined) throw new Error(`${place}: ${wrong}`);
  return pattern;
}

function severityIn(node: Node, place: string): Severity {
  const found = SEVERITIES.find((each) => node.form === 'scalar' && node.value === each);
  if (found) return found;
  throw new Error(`${place}: a severity is one of ${SEVERITIES.join(', ')}`);
}

function numberIn(map: MapNode | undefined, key: string, name: string): number | undefined {
  const entry = entryOf(mapIn(entryOf(map, 'gone')?.value, name), key);
  if (entry === undefined) return undefined;
  const { value: node } = entry;
  if (node.form === 'scalar' && typeof node.value === 'number' && node.value >= 0) return node.value;
  throw new Error(`${name}:${entry.at.start.line}: "${key}" must be a number, not below 0`);
}

const TOKENS = kinds.map(({ token }) => token);

/** What is wrong with the words of `Kind.attribute`, or of a classification; undefined when something can fit. Wildcards fit anything. */
function misspelling(pattern: string): string | undefined {
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
