// The ledger of a conversion: each setting of the source with its line, carried, changed or left
// behind; also as text.
import { folded, plural } from '../../api/errors';
import { explanationOf } from '../findings/codes';
import { settingOutcome, type CodeOf, type SettingOutcome } from '../findings/old-files';
import { nodesIn, type Node, type Placed } from '../yaml/tree';

export interface Account {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Its keys, joined with dots. */
  readonly setting: string;
  /** Why it is so, as a word that `explain` knows: `setting-moved`. */
  readonly code: CodeOf<SettingOutcome>;
  readonly outcome: SettingOutcome;
  /** Its new form, or why it was left behind; contains no value. */
  readonly note?: string;
}

interface Place {
  readonly file: string;
  readonly start: { readonly line: number; readonly column: number };
}

/** Collects what became of settings. One for each conversion. */
export type Ledger = ReturnType<typeof newLedger>;

/** An empty ledger. `shown` returns the name of a key as the source writes it. */
export function newLedger(shown: (key: string) => string) {
  const accounts = new Map<string, Account>();
  const spokenOf = new Set<number>();
  /** The result for one piece of the source, which can be a key, or a line of another file. */
  const note = ({ file, start }: Place, setting: string, code: Account['code'], text?: string): void => {
    const { line, column } = start;
    const withNote = text === undefined ? {} : { note: text };
    accounts.set(JSON.stringify([file, line, column, setting]), {
      ...{ file, line, column, setting, code, outcome: settingOutcome(code), ...withNote },
    });
  };
  /** Returns undefined: as a rule, nothing of it is in the result. */
  const became = (node: Node, code: Account['code'], text?: string): undefined => {
    for (const leaf of leavesOf(node)) {
      spokenOf.add(leaf.at.start.offset);
      note(leaf.at, settingAt(leaf, shown), code, text);
    }
  };
  return {
    became,
    note,
    /** Accounts in the order of the source. A value of `root` without one is left behind. */
    accounts(root: Node | undefined): readonly Account[] {
      for (const leaf of root === undefined ? [] : leavesOf(root))
        if (!spokenOf.has(leaf.at.start.offset)) became(leaf, 'unknown-setting', 'nothing uses it');
      return inSourceOrder([...accounts.values()]);
    },
  };
}

const settingAt = ({ path }: Placed, shown: (key: string) => string): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : shown(step)))
    .join('.')
    .replaceAll('.[', '[');

/** Single values of a node; an empty list or map is one. */
export const leavesOf = (node: Node): readonly Node[] =>
  [...nodesIn(node)].filter(
    (each) => (each.form !== 'list' || each.items.length === 0) && (each.form !== 'map' || each.entries.length === 0),
  );

/** Accounts by file, then place. */
export const inSourceOrder = (accounts: readonly Account[]): readonly Account[] =>
  [...accounts].sort((left, right) => {
    if (left.file !== right.file) return left.file < right.file ? -1 : 1;
    return left.line - right.line || left.column - right.column;
  });

const WIDTH = 80;

/** One line for each account, `FILE:LINE  setting  outcome`; wide ones continue below. */
export function reportLines(accounts: readonly Account[]): readonly string[] {
  return accounts.flatMap(({ file, line, setting, code, outcome, note }) => {
    const became = [`${outcome} ${explanationOf(code)?.id ?? code}`, ...(note === undefined ? [] : [note])].join(': ');
    const head = `${file}:${line}  ${setting}`;
    const whole = `${head}  ${became}`;
    return whole.length <= WIDTH ? [whole] : [head, ...folded(became, WIDTH - 4).map((each) => `    ${each}`)];
  });
}

/** How many settings had each outcome, in a sentence. */
export function countLine(accounts: readonly Account[]): string {
  const count = (outcome: Account['outcome']): number => accounts.filter((each) => each.outcome === outcome).length;
  const all = `${plural(accounts.length, 'setting')}`;
  return `${all}: ${count('carried')} carried, ${count('changed')} changed, ${count('left behind')} left behind`;
}
