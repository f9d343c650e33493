// The table kind × promise: which promises of its lifecycle each kind kept, in which dialect, and which it cannot keep, with the reason.
import { DIALECTS, type Dialect } from '../../api/contract';
import type { Kind } from '../../provider';
import { SAMPLED } from '../world/samples';
import { titleOf } from '../world/world';

/** Reasons by the title of a kind; a kind of several scopes by scope. */
interface Reasons {
  readonly [title: string]: string;
}

const ofTitles = (titles: readonly string[], reason: string): Reasons =>
  Object.fromEntries(titles.map((title) => [title, reason]));

/** Kinds that are an action and not a record: nobody can delete one, and it has no attributes. */
const ofActions = (reason: string): Reasons =>
  ofTitles(['DesignRelease', 'Deployment', 'Procedure', 'InstanceReplacement'], reason);

/** Kinds whose records are created with their environment. */
const ofEnvironments = ofTitles(
  [
    'EnvironmentPlatform',
    'CloudConfiguration',
    'EnvironmentComponent',
    'EnvironmentAttachment',
    'Monitor of Component in Environment',
    'Variable of Environment',
    'Variable of Platform in Environment',
  ],
  'created with its environment: it cannot be deleted, only set back',
);

/** Why a record cannot be deleted by another user. */
export const UNDELETABLE: Reasons = {
  ...ofActions('an action, not a record: nobody can delete it'),
  ...ofEnvironments,
};

interface PromiseTable<Promised extends string> {
  /** Whether a kind is excepted from a promise. */
  isExcepted(promise: Promised, of: Kind): boolean;
  /** Expects that every kind keeps a promise unless it is excepted, and that an excepted one does not; records it for the dialect. */
  keeps(dialect: Dialect, promise: Promised, isKept: (of: Kind) => boolean): void;
  /** The table and the reasons of its exceptions. `title`: its first line. */
  lines(title: string): readonly string[];
}

/** A table of these promises, in which nothing is recorded yet. */
export function promiseTable<const Promised extends string>(
  promises: readonly Promised[],
  exceptions: { readonly [promise in Promised]?: Reasons },
): PromiseTable<Promised> {
  const kept = new Map<string, Set<Dialect>>();
  const keyOf = (promise: Promised, of: Kind): string => `${titleOf(of)} ${promise}`;
  const isExcepted = (promise: Promised, of: Kind): boolean => exceptions[promise]?.[titleOf(of)] !== undefined;
  const cell = (promise: Promised, of: Kind): string =>
    isExcepted(promise, of)
      ? '–'
      : DIALECTS.map((dialect) => (kept.get(keyOf(promise, of))?.has(dialect) ? '✓' : '✗')).join('');
  return {
    isExcepted,

    keeps(dialect, promise, isKept) {
      const wrong = SAMPLED.flatMap((of) => {
        const excepted = isExcepted(promise, of);
        if (isKept(of) === excepted) return [`${titleOf(of)}: ${excepted ? 'keeps it after all' : 'does not keep it'}`];
        return [];
      });
      expect({ promise, wrong }).toEqual({ promise, wrong: [] });
      for (const of of SAMPLED) {
        const key = keyOf(promise, of);
        kept.set(key, new Set([...(kept.get(key) ?? []), dialect]));
      }
    },

    lines(title) {
      const width = Math.max(...promises.map(({ length }) => length)) + 2;
      const rows = promises.map((promise) => [
        promise,
        ...SAMPLED.map((of) => cell(promise, of).padEnd(titleOf(of).length)),
      ]);
      const table = [['', ...SAMPLED.map(titleOf)], ...rows];
      return [
        `\n${title} (${DIALECTS.join(', ')})`,
        ...table.map(([head = '', ...cells]) => `${head.padEnd(width)}${cells.join('  ')}`),
        ...promises.flatMap((promise) =>
          Object.entries(exceptions[promise] ?? {}).map(([of, reason]) => `– ${of}, ${promise}: ${String(reason)}`),
        ),
      ];
    },
  };
}
