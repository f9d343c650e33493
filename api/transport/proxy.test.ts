// Laws of the choice of a proxy: the variables, their exceptions, that this machine is never reached through one, and what this machine is.
import { BadSettings, isLoopback } from '../errors';
import { type ProcessVariables, proxyFor } from './index';

const via = (url: string, environment: ProcessVariables): string | undefined =>
  proxyFor(new URL(url), environment)?.origin;
const PROXY = 'http://proxy.acme.io:3128';

test.each<[string, ProcessVariables, string | undefined]>([
  ['https://oneops.acme.io', { HTTPS_PROXY: PROXY }, PROXY],
  ['https://oneops.acme.io', { https_proxy: PROXY, HTTPS_PROXY: 'http://other:1' }, PROXY],
  ['https://oneops.acme.io', { ALL_PROXY: PROXY }, PROXY],
  ['https://oneops.acme.io', { HTTP_PROXY: PROXY }, undefined],
  ['http://oneops.acme.io', { HTTPS_PROXY: PROXY }, undefined],
  ['http://oneops.acme.io', { HTTP_PROXY: PROXY }, PROXY],
  ['https://oneops.acme.io', { HTTPS_PROXY: 'proxy.acme.io:3128' }, PROXY],
  ['https://oneops.acme.io', { HTTPS_PROXY: '  ' }, undefined],
  ['https://oneops.acme.io', {}, undefined],
])('%s with %j goes through %s', (url, environment, proxy) => {
  expect(via(url, environment)).toBe(proxy);
});

test.each(['http://localhost:9090', 'http://127.0.0.1', 'https://[::1]:9'])('%s is reached directly', (url) => {
  expect(via(url, { HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY, ALL_PROXY: PROXY })).toBeUndefined();
});

test.each<[string, string, boolean]>([
  ['https://oneops.acme.io', '*', true],
  ['https://oneops.acme.io', 'oneops.acme.io', true],
  ['https://oneops.acme.io', 'ACME.io', true],
  ['https://oneops.acme.io', '.acme.io', true],
  ['https://oneops.acme.io', '*.acme.io', true],
  ['https://oneops.acme.io', 'other.io, acme.io', true],
  ['https://oneops.acme.io', 'other.io acme.io', true],
  ['https://oneops.acme.io', 'acme.io:443', true],
  ['https://oneops.acme.io:8443', 'acme.io:443', false],
  ['https://oneops.acme.io', 'cme.io', false],
  ['https://oneops.acme.io', 'oneops.acme.io.evil', false],
  ['https://oneops.acme.io', '', false],
  ['https://10.1.2.3', '10.0.0.0/8', true],
  ['https://11.1.2.3', '10.0.0.0/8', false],
  ['https://10.1.2.3', '10.1.2.3', true],
  ['https://10.1.2.3', '10.1.2.3:444', false],
  ['https://[fd00::1]', 'fd00::/8', true],
  ['https://[fd00::1]', 'fd00::1', true],
  ['https://[fd00::1]', '[fd00::1]:443', true],
  ['https://[fe00::1]', 'fd00::/8', false],
  ['https://10.1.2.3', '10.0.0.0/99', false],
])('%s with NO_PROXY=%s: excepted is %s', (url, exceptions, excepted) => {
  expect(via(url, { HTTPS_PROXY: PROXY, NO_PROXY: exceptions })).toBe(excepted ? undefined : PROXY);
});

test.each(['socks5://user:secret@proxy:1080', 'http://user:secret@'])('no proxy of HTTP, and refused: %s', (text) => {
  const choose = (): unknown => proxyFor(new URL('https://oneops.acme.io'), { HTTPS_PROXY: text });
  expect(choose).toThrow(BadSettings);
  expect(choose).not.toThrow(/secret/);
});

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.1', '[::1]', '::1', '[::ffff:7f00:1]'])(
  '%s is this machine',
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each([
  'oneops.acme.io',
  'localhost.acme.io',
  'foo.localhost',
  '128.0.0.1',
  '0.0.0.0',
  '[::2]',
  '[::ffff:8000:1]',
  '',
])('%s is not this machine', (host) => {
  expect(isLoopback(host)).toBe(false);
});
