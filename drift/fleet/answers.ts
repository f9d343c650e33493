// What the reviews of a fleet have read, in little memory: an answer that no review needs at present is kept compressed.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { SharedReads } from '../review/recording-api';

/** Characters of JSON from which on an answer is worth compressing. */
const LARGE = 2_000;

/** Answers by path and query. */
interface FleetAnswers {
  readonly answers: SharedReads['answers'];
  /** Compresses every answer that exists; called when a review is done. */
  readonly rest: () => void;
}

/** Answers that can rest. One that failed is kept as it is. */
export function fleetAnswers(): FleetAnswers {
  const awake = new Map<string, Promise<unknown>>();
  const arrived = new Map<string, unknown>();
  const packed = new Map<string, Uint8Array>();
  return {
    answers: {
      get: (key) => {
        const bytes = packed.get(key);
        return bytes === undefined
          ? awake.get(key)
          : Promise.resolve(JSON.parse(inflateRawSync(bytes).toString()) as unknown);
      },
      set: (key, answer) => {
        if (packed.has(key)) return;
        awake.set(key, answer);
        answer.then(
          (value) => arrived.set(key, value),
          () => undefined,
        );
      },
    },
    rest: () => {
      for (const [key, value] of arrived) {
        const text = JSON.stringify(value) ?? 'null';
        if (text.length < LARGE) continue;
        packed.set(key, new Uint8Array(deflateRawSync(text, { level: 1 })));
        awake.delete(key);
      }
      arrived.clear();
    },
  };
}
