// Answers at hand for as long as nothing is written: asked again, a record that nobody changed is not looked up and put into words again.
// It must not know requests, nor which answers may be kept.

/** What is kept, and for how long. */
export interface AnswerMemory<T> {
  /** What was kept under a key since the last write. */
  recall(key: string): T | undefined;
  /** Keeps an answer of so many characters. */
  keep(key: string, answer: T, length: number): void;
}

/** Bytes of all that is kept, counted as if every character took two. */
const LIMIT = 4 * 1024 * 1024;

/** Bytes of one answer: lists that are larger would push out many records. */
const LARGEST = 64 * 1024;

/** Bytes that keeping one takes beside its characters, by and large. */
const EACH = 300;

/** An empty memory, emptied again whenever `writes` moves. The oldest go when there is no room. */
export function createAnswerMemory<T>(writes: () => number): AnswerMemory<T> {
  const known = new Map<string, { readonly answer: T; readonly bytes: number }>();
  let held = 0;
  let seen = writes();
  const forget = (): void => {
    known.clear();
    held = 0;
    seen = writes();
  };
  const drop = (key: string): void => {
    held -= known.get(key)?.bytes ?? 0;
    known.delete(key);
  };
  return {
    recall: (key) => {
      if (writes() !== seen) forget();
      return known.get(key)?.answer;
    },
    keep: (key, answer, length) => {
      if (writes() !== seen) forget();
      const bytes = 2 * (key.length + length) + EACH;
      if (bytes > LARGEST) return;
      drop(key);
      for (const oldest of known.keys()) {
        if (held + bytes <= LIMIT) break;
        drop(oldest);
      }
      known.set(key, { answer, bytes });
      held += bytes;
    },
  };
}
