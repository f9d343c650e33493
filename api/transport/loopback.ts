// Which hosts are this machine: a token may go there unencrypted, and never through a proxy.
// It must not know connections, proxies or tokens.
import { BlockList, isIP } from 'node:net';

/** Whether a host of a URL (IPv6 in brackets or not) is this machine: `localhost`, 127.0.0.0/8, ::1. Other names are never looked up. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  const kind = isIP(name);
  if (kind === 0) return name === 'localhost' || name === 'localhost.';
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8, 'ipv4');
  own.addAddress('::1', 'ipv6');
  return own.check(name, kind === 6 ? 'ipv6' : 'ipv4');
}
