// What the service is measured against: node's own HTTP server with a handler that does nothing but send one answer, the same each time.
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Header names and values, one after the other, and the body: as JSON in the first word; without a word there is nothing to send. */
const { head, body } = JSON.parse(process.argv[2] ?? '{"head":[],"body":""}') as {
  readonly head: readonly string[];
  readonly body: string;
};

const server = createServer((_, response) => {
  if (body === '') response.end();
  else response.writeHead(200, [...head]).end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
