// The embedded service in a separate process, which its starter asks over IPC what came in, and says how slow to be.
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { createService, listen } from '../../../service';
import type { Asked, Measured } from './measured-service';

let calls = 0;
let open = 0;
let connections = 0;

const tell = (measured: Measured): void => {
  process.send?.(measured);
};

async function main(token: string): Promise<void> {
  const service = createService({
    database: ':memory:',
    dialect: 'classic',
    users: [{ name: 'admin', token }],
    journal: () => {
      calls += 1;
    },
  });
  subscribe('net.server.socket', (message) => {
    open += 1;
    connections = Math.max(connections, open);
    const { socket } = message as { readonly socket: Socket };
    // What the client closed is closed, although this side still has to close it.
    const here = new Set([socket]);
    const gone = (): void => {
      if (here.delete(socket)) open -= 1;
    };
    socket.once('end', gone).once('close', gone);
  });
  const listening = await listen(service, { port: 0 });
  process.on('message', (asked: Asked) => {
    if (asked.latency !== undefined)
      service.faults.set(asked.latency === 0 ? [] : [{ effect: 'delay', ms: asked.latency }]);
    tell({ calls, connections });
    calls = 0;
    connections = open;
  });
  process.on('disconnect', () => {
    void listening.close().then(() => service.close());
  });
  tell({ url: listening.url, calls, connections });
}

void main(process.argv[2] ?? '');
