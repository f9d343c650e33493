// Reads each record under review from the service: through the provider's own lifecycle, several at a time, each collection once.
import type { Api } from '../../api/client';
import { Bug, Forbidden, OneOpsError, Unauthenticated } from '../../api/errors';
import type { Inputs, Kind, Session } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle, type Row, type State } from '../../provider/lifecycle';
import type { Unread } from './review';

/** A record to be read: `known` are the declared arguments and what the state computed. */
interface Wanted {
  readonly kind: Kind;
  readonly id: string;
  readonly known: Inputs;
}

/** The record as the service has it, undefined when it no longer exists for certain; or why it could not be read. */
export type LiveRead = { readonly live: State | undefined } | { readonly unread: Unread };

interface ReadOptions {
  /** Records read at the same time. */
  readonly concurrency: number;
  /** Remembers what was read. */
  readonly session: Session;
  /** Told after each record. */
  readonly progress?: ((done: number, all: number) => void) | undefined;
}

const SILENT: Row = { progress: () => undefined, notice: () => undefined };

/** Reads all of them; an answer for each, in their order. One that fails keeps nothing else from being read. */
export async function readLive(
  api: Api,
  wanted: readonly Wanted[],
  { concurrency, session, progress }: ReadOptions,
): Promise<readonly LiveRead[]> {
  const lives = new Map(kinds.map((kind) => [kind.token, lifecycle(kind, () => Promise.resolve(api), session)]));
  const answers: LiveRead[] = [];
  const order = collectionsFirst(wanted).values();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const index of order) {
      const { kind, id, known } = wanted[index] as Wanted;
      try {
        answers[index] = { live: await lives.get(kind.token)?.read(id, known, SILENT) };
      } catch (error) {
        // Defects are not reported as failures of the service.
        if (!(error instanceof OneOpsError) || error instanceof Bug) throw error;
        answers[index] = { unread: unreadOf(kind, id, error) };
      }
      done += 1;
      progress?.(done, wanted.length);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, wanted.length)) }, work));
  return answers;
}

/** Indexes, one of each collection before the others: those that wait for the same list would keep other lists from being asked. */
function collectionsFirst(wanted: readonly Wanted[]): readonly number[] {
  const begun = new Set<string>();
  const first: number[] = [];
  const others: number[] = [];
  for (const [index, { kind, id }] of wanted.entries()) {
    const collection = `${kind.token} ${id.slice(0, id.lastIndexOf('/'))}`;
    (begun.has(collection) ? others : first).push(index);
    begun.add(collection);
  }
  return [...first, ...others];
}

/** What could not be looked at, and why, in one line. */
function unreadOf(kind: Kind, address: string, error: OneOpsError): Unread {
  return {
    kind: kind.token,
    address,
    reason: error.message.split('\n')[0] ?? error.message,
    ...(error instanceof Unauthenticated || error instanceof Forbidden ? { authentication: true } : {}),
  };
}

/** What no read of a record shows at present: whether a platform is enabled, where the service does not list the changes of an open release. */
export const unreadValues = (
  { kind, id }: { readonly kind: Kind; readonly id: string },
  live: State | undefined,
): readonly Unread[] =>
  Object.entries(live?.unknown ?? {}).map(([name, why]) => ({
    kind: kind.token,
    address: id,
    reason: `the value of ${name} is not known: ${why}`,
  }));

/** The same of what nobody declares in a record. */
export function unreadBelow({ kind, id }: { readonly kind: Kind; readonly id: string }, error: OneOpsError): Unread {
  const unread = unreadOf(kind, id, error);
  return { ...unread, reason: `what nobody declares in it could not be read: ${unread.reason}` };
}
