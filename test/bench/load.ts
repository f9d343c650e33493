// Sends requests from callers of one address, each of them one at a time on a connection of its own.
import { Pool } from 'undici';

/** A request, and its number-th repetition. */
export interface LoadRequest {
  readonly method: 'GET';
  readonly path: string;
  readonly headers: Record<string, string>;
}

/** Callers of one address, whose connections stay open from one run to the next. */
export function loadOf(url: string, callers: number, request: (number: number) => LoadRequest) {
  const pool = new Pool(url, { connections: callers, pipelining: 1 });
  let number = 0;
  return {
    /** Sends so many requests in all; rejects for any answer whose status is not 200. */
    run: async (calls: number): Promise<void> => {
      let left = calls;
      const caller = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          number += 1;
          const { statusCode, body } = await pool.request(request(number));
          const text = await body.text();
          if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
        }
      };
      await Promise.all(Array.from({ length: callers }, caller));
    },
    close: (): Promise<void> => pool.close(),
  };
}
