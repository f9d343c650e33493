// What the service is measured against: node's own HTTP server with a handler that does nothing but answer.
// It must not know anything.
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

const answer = process.argv[2] ?? '';

const server = createServer((_, response) => {
  if (answer !== '') response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(answer);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
