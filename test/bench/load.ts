// Sends requests over plain sockets, each caller one at a time on a separate connection: next to
// nothing of the work measured is the sender's.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Text of a complete request, and of its number-th repetition. */
export type RequestText = (number: number) => string;

/** A request as text. */
export function requestText(
  method: string,
  path: string,
  headers: { readonly [name: string]: string },
  body = '',
): string {
  const all = { host: 'localhost', ...headers, ...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Bytes of an answer whose head is complete; undefined before. Throws for any status but 200. */
function lengthOf(received: Buffer): number | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`${head}\n${received.toString('utf8', end)}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without its length:\n${head}`);
  return end + 4 + Number(length);
}

/** Sends one request and resolves when its answer is complete. */
function exchange(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const end = (error?: Error): void => {
      socket.removeListener('data', take);
      socket.removeListener('error', end);
      socket.removeListener('close', gone);
      if (error === undefined) resolve();
      else reject(error);
    };
    const gone = (): void => end(new Error('the connection was closed before the answer was complete'));
    const take = (chunk: Buffer): void => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      try {
        const length = lengthOf(received);
        if (length !== undefined && received.length >= length) end();
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)));
      }
    };
    socket.on('data', take);
    socket.on('error', end);
    socket.on('close', gone);
    socket.write(text);
  });
}

async function connected(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname).setNoDelay(true);
  await once(socket, 'connect');
  return socket;
}

/** Callers of one address, each with a connection that stays open from one run to the next. */
export function loadOf(url: string, callers: number, request: RequestText) {
  const target = new URL(url);
  const sockets: (Socket | undefined)[] = Array.from({ length: callers }, () => undefined);
  let number = 0;
  return {
    /** Sends so many requests in all; rejects for any answer whose status is not 200. */
    run: async (calls: number): Promise<void> => {
      // A server closes what idles, as every connection here does while others have their turn.
      const open = async (socket: Socket | undefined): Promise<Socket> =>
        socket === undefined || socket.destroyed || socket.readableEnded ? connected(target) : socket;
      sockets.splice(0, callers, ...(await Promise.all(sockets.map(open))));
      let left = calls;
      const call = async (socket: Socket | undefined): Promise<void> => {
        while (socket !== undefined && left > 0) {
          left -= 1;
          number += 1;
          await exchange(socket, request(number));
        }
      };
      await Promise.all(sockets.map(call));
    },
    close: (): void => sockets.forEach((socket) => socket?.destroy()),
  };
}
