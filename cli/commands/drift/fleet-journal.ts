// Which stacks of a fleet are done: a file that a run adds to, and that the next one continues from when this one ends early.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import {
  jsonOf,
  type AppliedRecord,
  type CodeRecord,
  type FleetStack,
  type OpenedStack,
  type Outcome,
} from '../../../drift';
import { textIn } from './sources';

/** Outcomes after which there is nothing left to read. */
const SETTLED: readonly Outcome[] = ['in-sync', 'drift', 'refused'];

/** How long a review is kept, in milliseconds: people write to the service meanwhile. */
const LONGEST_KEPT = 6 * 3_600_000;

/** What was done before, and where the rest is added to. */
export interface FleetJournal {
  readonly has: (name: string) => boolean;
  readonly kept: (name: string, opened: OpenedStack) => FleetStack | undefined;
  readonly add: (stack: FleetStack, opened: OpenedStack) => void;
  readonly notes: () => readonly string[];
  /** Removes the file of a run that is complete: a later run must start from the beginning. */
  readonly end: (outcome: Outcome) => void;
}

/** A line of the file: a stack, and the digest of what was compared. */
interface Entry {
  readonly basis: string;
  readonly stack: FleetStack;
}

const NONE: FleetJournal = {
  has: () => false,
  kept: () => undefined,
  add: () => undefined,
  notes: () => [],
  end: () => undefined,
};

/**
 * Opens the file of `--resume`; without one, nothing is kept. Throws Error for the file of a run with other arguments. A line that was
 * cut off, because the run was killed, is left out: its stack is reviewed again. So is one that was reviewed too long ago.
 */
export function openJournal(file: string | undefined, choices: object): FleetJournal {
  if (file === undefined) return NONE;
  const head = JSON.stringify({ version: 3, choices });
  const text = existsSync(file) ? textIn(file).text : '';
  const lines = text.split('\n');
  if (lines[0] !== '' && lines[0] !== head)
    throw new Error(
      `${file} is of a run with other options, or no file of a run: remove it, or name another one with --resume`,
    );
  const read = lines.slice(1).flatMap((line) => (jsonOf(line) as Entry | undefined) ?? []);
  const young = read.filter(({ stack }) => Date.now() - (stack.review?.started ?? 0) < LONGEST_KEPT);
  const entries = new Map(young.map((entry) => [entry.stack.name, entry]));
  // Whole lines alone: what was cut off would spoil the next one. It contains what the service contains, so it is for its owner.
  const whole = [head, ...young.map((entry) => JSON.stringify(entry)), ''].join('\n');
  if (text !== whole) writeFileSync(file, whole, { mode: 0o600 });
  let used = 0;
  return {
    has: (name) => entries.has(name),
    kept: (name, opened) => {
      const entry = entries.get(name);
      if (entry?.basis !== basisOf(opened)) return undefined;
      used += 1;
      return entry.stack;
    },
    add: (stack, opened) => {
      const entry: Entry = { basis: basisOf(opened), stack };
      if (SETTLED.includes(stack.outcome)) appendFileSync(file, `${JSON.stringify(entry)}\n`);
    },
    notes: () =>
      used === 0
        ? []
        : [`${used} of the stacks ${used === 1 ? 'is' : 'are'} kept from a run that ended early, by ${file}`],
    end: (outcome) => {
      if (SETTLED.includes(outcome)) rmSync(file, { force: true });
    },
  };
}

/** A digest of the service and of everything that is compared with it. It is the same in every process: it rests on plain data alone. */
function basisOf({ api, code, state, rules, policies }: OpenedStack): string {
  const declared = code?.records.map(({ places, ...record }) => ({ ...plain(record), places: [...places] }));
  const applied = state?.records.map(plain);
  const compared = [api.url, api.organization, declared, applied, rules, policies?.text];
  return createHash('sha256').update(JSON.stringify(compared)).digest('hex').slice(0, 16);
}

/** A record without what its kind works out as it is used: its kind by name, and by the path that distinguishes the scopes of one kind. */
const plain = ({ kind: { token, path }, ...record }: Omit<CodeRecord, 'places'> | AppliedRecord): object => ({
  ...record,
  token,
  path,
});
