// Laws of what counts as this machine.
import { isLoopback } from './index';

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.1', '[::1]', '::1', '[::ffff:7f00:1]'])('%s is', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each([
  'oneops.acme.io',
  'localhost.acme.io',
  'foo.localhost',
  '128.0.0.1',
  '0.0.0.0',
  '[::2]',
  '[::ffff:8000:1]',
  '',
])('%s is not', (host) => {
  expect(isLoopback(host)).toBe(false);
});
