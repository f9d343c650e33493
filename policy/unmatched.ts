// What a policy file names and nothing has: a policy that holds for nothing must not look as if nothing broke it. Pure.
// One file serves many stacks of a project, so a name is judged by all of them, and not at all where not all of them are known.
import { isTypo, matchesAny, nearest } from '../provider';
import type { Finding } from '../stack';
import { environmentIn, pathInOrganization } from './judge';
import type { ChosenNames, PolicyEntry } from './policy-file';
import { isPlanRule, type JudgedRecord } from './rules';

/** The names that a policy file can mean. */
export interface KnownNames {
  /** Stacks that have settings; there may be others. */
  readonly stacks: readonly string[];
  /** What the stack that is judged declares. */
  readonly own: readonly JudgedRecord[];
  /** What all stacks declare; undefined where not all of it is known. Asked for what the stack itself does not have. */
  readonly all: () => readonly JudgedRecord[] | undefined;
}

/** A warning for each value of `stacks`, `environments` and `only` that matches nothing, at its place in the policy file. */
export function unmatchedNames(policies: readonly PolicyEntry[], known: KnownNames): readonly Finding[] {
  const on = policies.filter(({ level }) => level !== 'disabled');
  return on.flatMap((policy) => policy.chosen.flatMap((chosen) => unmatched(policy, chosen, known) ?? []));
}

function unmatched(policy: PolicyEntry, chosen: ChosenNames, known: KnownNames): Finding | undefined {
  const { word, value, at } = chosen;
  const isMatched = (names: readonly string[]): boolean => names.some((name) => matchesAny([value], name));
  if (word !== 'stacks' && isMatched(namesIn(word, known.own))) return undefined;
  const all = word === 'stacks' ? [] : known.all();
  if (all === undefined) return undefined;
  const names = word === 'stacks' ? known.stacks : namesIn(word, all);
  if (isMatched(names)) return undefined;
  const meant = meantBy(value, names) ?? (word === 'only' ? withoutOrganization(value, names) : undefined);
  // A stack needs no settings, a pattern foresees names to come, and a planned run also changes what is no longer declared.
  const isOpen = word === 'stacks' || value.includes('*') || isPlanRule(policy.rule);
  if (isOpen && meant === undefined) return undefined;
  const near = meant ?? nearest(value, names);
  return {
    severity: 'warning',
    code: `policy-${policy.name}`,
    path: ['policies', policy.name, word],
    message: `${word}: ${JSON.stringify(value)} matches ${NOTHING[word]}`,
    hint: near === undefined ? otherNames(names) : `did you mean ${JSON.stringify(near)}?`,
    at,
    secret: false,
  };
}

const NOTHING: { readonly [word in ChosenNames['word']]: string } = {
  stacks: 'no stack that has settings here',
  environments: 'no environment that a stack of this project declares',
  only: 'no record that a stack of this project declares',
};

function namesIn(word: 'environments' | 'only', records: readonly JudgedRecord[]): readonly string[] {
  const names = records.map(({ kind, id, args }) =>
    word === 'only' ? pathInOrganization(id) : environmentIn(kind, args),
  );
  return [...new Set(names)].flatMap((name) => name ?? []).sort();
}

/** What a value is a misspelling of: a name, or a pattern whose text before the first `*` begins a name. Another number is another name. */
function meantBy(value: string, names: readonly string[]): string | undefined {
  const star = value.indexOf('*');
  const [fixed, rest] = star < 0 ? [value, ''] : [value.slice(0, star), value.slice(star)];
  const near = (star < 0 ? names : beginnings(fixed, names)).find(
    (name) => name.length > 2 && isTypo(fixed, name) && name.replace(/\D/g, '') === fixed.replace(/\D/g, ''),
  );
  return near === undefined ? undefined : `${near}${rest}`;
}

/** An id that was written with its organization, without it. What begins with `*` says nothing of what was meant. */
function withoutOrganization(value: string, names: readonly string[]): string | undefined {
  const path = pathInOrganization(value);
  return path !== value && !path.startsWith('*') && names.some((name) => matchesAny([path], name)) ? path : undefined;
}

/** What names begin with, about as long as a text; where that ends with a mark, as in `web/` or `prod-`, so do they. */
function beginnings(fixed: string, names: readonly string[]): readonly string[] {
  const [mark = ''] = /[^A-Za-z0-9]?$/.exec(fixed) ?? [];
  const lengths = [fixed.length, fixed.length + 1, fixed.length - 1];
  return lengths.flatMap((length) => names.map((name) => name.slice(0, length)).filter((each) => each.endsWith(mark)));
}

const SHOWN = 10;

const otherNames = (names: readonly string[]): string =>
  names.length === 0
    ? 'none is declared'
    : `there are ${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''}`;
