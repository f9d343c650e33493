// What became of every setting of a source: carried, changed or left behind, each with its line.
// It must not know what any setting means.
import type { Node, Placed } from '../reader/tree';

/** What became of a setting. */
type Outcome = 'carried' | 'changed' | 'left behind';

/** One setting of a source and what became of it. */
export interface Account {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Its keys, joined with dots. */
  readonly setting: string;
  readonly outcome: Outcome;
  /** What it is now, or why it was left behind; holds no value. */
  readonly note?: string;
}

/** Collects what became of settings. One for each conversion. */
export interface Ledger {
  /** Every value in the node is in the result as it was. */
  carried(node: Node): void;
  /** Every value in the node is in the result in another form, or at another place. */
  changed(node: Node, note: string): void;
  /** No value in the node is in the result. */
  left(node: Node, note: string): void;
  /** What became of something that is no value: a key, a condition, a line of another file. */
  note(account: Account): void;
  /** Every account in the order of the source. A value of `root` that nobody spoke of is left behind. */
  accounts(root: Node | undefined): readonly Account[];
}

/** An empty ledger. `shown` returns the name of a key as the source writes it. */
export function newLedger(shown: (key: string) => string): Ledger {
  const told = new Map<string, Account>();
  const spokenOf = new Set<number>();
  const note = (account: Account): void => {
    told.set(JSON.stringify([account.file, account.line, account.column, account.setting]), account);
  };
  const record = (node: Node, outcome: Outcome, text?: string): void => {
    for (const leaf of leavesOf(node)) {
      spokenOf.add(leaf.at.start.offset);
      note({ ...placeOf(leaf, shown), outcome, ...(text === undefined ? {} : { note: text }) });
    }
  };
  return {
    carried: (node) => record(node, 'carried'),
    changed: (node, text) => record(node, 'changed', text),
    left: (node, text) => record(node, 'left behind', text),
    note,
    accounts: (root) => {
      for (const leaf of root === undefined ? [] : leavesOf(root))
        if (!spokenOf.has(leaf.at.start.offset)) record(leaf, 'left behind', 'nothing uses it');
      return inSourceOrder([...told.values()]);
    },
  };
}

/** The place of a setting and its keys as text. */
function placeOf(
  { at, path }: Placed,
  shown: (key: string) => string,
): Pick<Account, 'file' | 'line' | 'column' | 'setting'> {
  const setting = path.map((step) => (typeof step === 'number' ? `[${step}]` : shown(step))).join('.');
  const { line, column } = at.start;
  return { file: at.file, line, column, setting: setting.replaceAll('.[', '[') };
}

/** Single values of a node; an empty list or map is one. */
export function leavesOf(node: Node): readonly Node[] {
  if (node.form === 'list') return node.items.length === 0 ? [node] : node.items.flatMap(leavesOf);
  if (node.form === 'map')
    return node.entries.length === 0 ? [node] : node.entries.flatMap(({ value }) => leavesOf(value));
  return [node];
}

/** Accounts by file, then place. */
export const inSourceOrder = (accounts: readonly Account[]): readonly Account[] => [...accounts].sort(bySource);

const bySource = (left: Account, right: Account): number =>
  left.file === right.file ? left.line - right.line || left.column - right.column : left.file < right.file ? -1 : 1;
