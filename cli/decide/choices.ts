// What a person decides on a terminal, as plain data: a list, a filter that is typed, and a decision for each entry. Every key leads from one state to the next.
// A group contains no decision of its own: a key on it decides on each of its members.
// It must not know what is decided on, nor how it is shown.

/** A key as Node's readline names it. */
export interface Key {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  readonly shift?: boolean | undefined;
}

/** What can be decided; `skip` is what each entry begins with, and does nothing. */
export const DECISIONS = ['skip', 'accept', 'revert', 'ignore'] as const;
export type Decision = (typeof DECISIONS)[number];

/** One entry of the list. */
export interface Choice {
  readonly id: string;
  /** One line that names it. */
  readonly title: string;
  /** What is known of it, one sentence. */
  readonly details: string;
  /** What can be decided on it, `skip` first. */
  readonly possible: readonly Decision[];
  /** Of a group: ids of the entries that a decision on it is for. */
  readonly members?: readonly string[];
}

/** A list on its way to a decision. */
export interface Choosing {
  readonly choices: readonly Choice[];
  readonly filter: string;
  /** Id of the entry that the next key is about. */
  readonly at: string | undefined;
  readonly decided: ReadonlyMap<string, Decision>;
  readonly ended?: 'done' | 'dropped';
}

/** A list in which nothing is decided. */
export const choosingFrom = (choices: readonly Choice[]): Choosing => ({
  choices,
  filter: '',
  at: choices[0]?.id,
  decided: new Map(),
});

/** The decision on an entry; on a group, the one that all of its members have as far as they can. `mixed`: they have none in common. */
export function decisionOn({ choices, decided }: Choosing, { id, members }: Choice): Decision | 'mixed' {
  if (members === undefined) return decided.get(id) ?? 'skip';
  const ids = new Set(members);
  const all = choices.filter((choice) => ids.has(choice.id));
  const isThatOf = (decision: Decision): boolean =>
    all.every((each) => (decided.get(each.id) ?? 'skip') === (each.possible.includes(decision) ? decision : 'skip'));
  const isPossible = (decision: Decision): boolean => all.some(({ possible }) => possible.includes(decision));
  return DECISIONS.find((decision) => isPossible(decision) && isThatOf(decision)) ?? 'mixed';
}

/** The entries that the filter leaves: each of its words is in the id, the title or the details. */
export function shownIn({ choices, filter }: Choosing): readonly Choice[] {
  const words = filter.toLowerCase().split(' ');
  return choices.filter(({ id, title, details }) => {
    const text = `${id} ${title} ${details}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Entries that Page Up and Page Down pass. */
const PAGE = 10;

/** The list after a key. A key without a meaning changes nothing. */
export function pressed(choosing: Choosing, { name = '', sequence = '', ctrl, meta, shift }: Key): Choosing {
  if (ctrl) {
    if (name === 'c' || name === 'd') return { ...choosing, ended: 'dropped' };
    return name === 'a' ? decidedAlike(choosing) : choosing;
  }
  switch (name) {
    case 'return':
    case 'enter':
      return { ...choosing, ended: 'done' };
    case 'up':
      return moved(choosing, -1);
    case 'down':
      return moved(choosing, 1);
    case 'pageup':
      return moved(choosing, -PAGE);
    case 'pagedown':
      return moved(choosing, PAGE);
    case 'right':
      return turned(choosing, 1);
    case 'left':
      return turned(choosing, -1);
    case 'tab':
      return turned(choosing, shift ? -1 : 1);
    case 'escape':
      return filtered(choosing, '');
    case 'backspace':
      return filtered(choosing, [...choosing.filter].slice(0, -1).join(''));
  }
  return meta || !/^[^\p{C}]+$/u.test(sequence) ? choosing : filtered(choosing, choosing.filter + sequence);
}

function filtered(choosing: Choosing, filter: string): Choosing {
  const next = { ...choosing, filter };
  const shown = shownIn(next);
  return { ...next, at: (shown.find(({ id }) => id === choosing.at) ?? shown[0])?.id };
}

function moved(choosing: Choosing, by: number): Choosing {
  const shown = shownIn(choosing);
  const index = shown.findIndex(({ id }) => id === choosing.at) + by;
  return { ...choosing, at: shown[Math.max(0, Math.min(shown.length - 1, index))]?.id };
}

/** The next decision for the entry in question. */
function turned(choosing: Choosing, by: 1 | -1): Choosing {
  const choice = shownIn(choosing).find(({ id }) => id === choosing.at);
  if (choice === undefined) return choosing;
  const { possible } = choice;
  const decision = decisionOn(choosing, choice);
  const index = (decision === 'mixed' ? 0 : possible.indexOf(decision)) + by;
  return decidedOn(choosing, [choice], possible[(index + possible.length) % possible.length] ?? 'skip');
}

/** The decision on the entry in question for each entry of its sort that is shown, where it is possible: a group may have members that are not shown. */
function decidedAlike(choosing: Choosing): Choosing {
  const shown = shownIn(choosing);
  const choice = shown.find(({ id }) => id === choosing.at);
  const decision = choice && decisionOn(choosing, choice);
  if (decision === undefined || decision === 'mixed') return choosing;
  const isAlike = ({ members, possible }: Choice): boolean =>
    (members === undefined) === (choice?.members === undefined) && possible.includes(decision);
  return decidedOn(choosing, shown.filter(isAlike), decision);
}

/** A decision for entries, and for the members of groups: those that it is not possible for are skipped. */
function decidedOn(choosing: Choosing, entries: readonly Choice[], decision: Decision): Choosing {
  const ids = new Set(entries.flatMap(({ id, members }) => members ?? [id]));
  const all = choosing.choices.filter(({ id }) => ids.has(id));
  const made = all.map(({ id, possible }) => [id, possible.includes(decision) ? decision : 'skip'] as const);
  return { ...choosing, decided: new Map([...choosing.decided, ...made]) };
}
