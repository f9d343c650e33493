// Which proxy a service is reached through, by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY.
// undici's EnvHttpProxyAgent lacks ALL_PROXY, ranges of addresses and names below a name.
import { BlockList, isIP } from 'node:net';
import { BadSettings, isLoopback } from '../errors';

export interface ProcessVariables {
  readonly [name: string]: string | undefined;
}

const DEFAULT_PORTS: { readonly [protocol: string]: string } = { 'http:': '80', 'https:': '443' };

/**
 * The proxy for an address; undefined when no variable names one, NO_PROXY excepts the host, or the
 * host is this machine. The lower-case variable wins. Throws BadSettings for what is no HTTP proxy.
 */
export function proxyFor(url: URL, environment: ProcessVariables): URL | undefined {
  if (isLoopback(url.hostname)) return undefined;
  const variable = (name: string): string | undefined =>
    [environment[name.toLowerCase()], environment[name]].map((value) => value?.trim()).find((value) => value);
  const name = `${url.protocol.slice(0, -1).toUpperCase()}_PROXY`;
  const text = variable(name) ?? variable('ALL_PROXY');
  if (text === undefined || isExcepted(url, variable('NO_PROXY') ?? '')) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  // The value may contain a password, so it is not shown.
  if (proxy === undefined || (proxy.protocol !== 'http:' && proxy.protocol !== 'https:'))
    throw new BadSettings(`${name} or ALL_PROXY does not name a proxy of HTTP`, 'give it as http://host:port');
  return proxy;
}

/** Whether NO_PROXY has the host: `*`, a name with those below it, an address or a range. */
function isExcepted(url: URL, exceptions: string): boolean {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : url.port;
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', wanted] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(bracketed(entry)) ?? [];
      if (wanted !== undefined && wanted !== port) return false;
      const [range = '', bits] = name.split('/');
      if (isIP(range) !== 0) return isWithin(host, range, bits);
      const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '');
      return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
    });
}

/** An IPv6 address without brackets has colons that are no port's. */
const bracketed = (entry: string): string => (isIP(entry.split('/')[0] ?? '') === 6 ? `[${entry}]` : entry);

function isWithin(host: string, range: string, bits: string | undefined): boolean {
  const kind = isIP(host);
  if (kind === 0 || kind !== isIP(range)) return false;
  const family = kind === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  const length = bits === undefined ? undefined : Number(bits);
  if (length === undefined) list.addAddress(range, family);
  else if (Number.isInteger(length) && length >= 0 && length <= (kind === 6 ? 128 : 32))
    list.addSubnet(range, length, family);
  return list.check(host, family);
}
