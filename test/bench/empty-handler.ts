// What the service and the client are measured with: node's own HTTP server with a handler that
// sends the same answer each time.
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Header names and values, one after the other, and the body. */
const { head, body } = JSON.parse(process.argv[2] ?? '') as { readonly head: readonly string[]; readonly body: string };

const server = createServer((_, response) => void response.writeHead(200, [...head]).end(body));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
