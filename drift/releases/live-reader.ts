// Reads from the service, and remembers what could not be read, so that a report says so instead of failing.
import { Forbidden, messageOf, NotFound, Unauthenticated } from '../../api/errors';

/** Reads, and remembers what could not be read. */
export interface LiveReader {
  /** The answer; undefined when the record does not exist, or, said in `unread`, when there is none. */
  read<T>(what: string, ask: () => Promise<T>): Promise<T | undefined>;
  readonly unread: string[];
  authentication: boolean;
}

/** A reader that has read nothing yet. */
export function newLiveReader(): LiveReader {
  const reader: LiveReader = {
    unread: [],
    authentication: false,
    async read(what, ask) {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof NotFound) return undefined;
        if (error instanceof Unauthenticated || error instanceof Forbidden) reader.authentication = true;
        reader.unread.push(`${what}: ${messageOf(error).replace(/\s*\n\s*/g, '; ')}`);
        return undefined;
      }
    },
  };
  return reader;
}
