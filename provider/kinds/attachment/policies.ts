// Rules about attachments: where their content comes from, and that it is checked.
import { z } from 'zod';
import { effectiveValue, matchesAny, patterns, policyRule, type PolicyRule } from '../../policy-rule';

const stack = (settings: string): string => `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      tomcat:
        attachments:
          settings: { path: /app/settings.xml, ${settings} }
`;

/** Scheme and host of a URL; undefined for what is none. */
function addressIn(source: unknown): { readonly scheme: string; readonly host: string } | undefined {
  if (typeof source !== 'string' || source === '') return undefined;
  if (!URL.canParse(source)) return { scheme: '', host: '' };
  const { protocol, hostname } = new URL(source);
  return { scheme: protocol.replace(/:$/, ''), host: hostname };
}

/**
 * Whether every program takes the same host from an address: the one that is written there. Others may end it at a backslash, leave out a tab,
 * or know no other form of a number; a user before it is there only to look like a host.
 */
function isPlain(source: string, host: string): boolean {
  if (/[\\\p{Cc}]/u.test(source)) return false;
  const [, written] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(source) ?? [];
  return host === '' || written?.replace(/:\d*$/, '').toLowerCase() === host.toLowerCase();
}

/** Whether a host is one of those. A variable of the service may be `example.com/`: text before and after it says nothing of the host. */
function isAllowed(hosts: readonly string[], host: string): boolean {
  const wanted = hosts.map((each) => each.toLowerCase());
  // Of http alone, an address already has its host in small letters.
  const asked = host.toLowerCase();
  return matchesAny(
    asked.includes('$oo_') ? wanted.filter((each) => each === '*' || each.includes('$oo_')) : wanted,
    asked,
  );
}

const NOT_PLAIN =
  'is downloaded from an address that programs read differently: write scheme://host/path, without a user, backslashes and control characters, and the host as it is looked up';

/** Rules about attachments. */
export const attachmentPolicies: readonly PolicyRule[] = [
  policyRule({
    name: 'attachment-sources',
    demands: 'Each attachment is downloaded from an allowed host, over an allowed protocol.',
    parameters: z.strictObject({
      hosts: patterns('Allowed hosts: `files.acme.io`, `*.acme.io`'),
      protocols: patterns('Allowed protocols').default(['https']),
    }),
    sample: {
      parameters: { hosts: ['*.acme.io'] },
      wrong: stack('source: "http://files.acme.io/settings.xml"'),
      right: stack('source: "https://files.acme.io/settings.xml"'),
    },
    judge(record, { hosts, protocols }) {
      const source = effectiveValue(record, 'source');
      const address = addressIn(source);
      if (address === undefined) return [];
      const { scheme, host } = address;
      if (!isPlain(String(source), host)) return [{ message: NOT_PLAIN, path: ['source'] }];
      if (isAllowed(hosts, host) && matchesAny(protocols, scheme)) return [];
      const from = host === '' ? 'an address without a host' : `${scheme}://${host}`;
      const allowed = `${protocols.join(' or ')} from ${hosts.join(', ')}`;
      return [{ message: `is downloaded from ${from}; allowed is ${allowed}`, path: ['source'] }];
    },
  }),
  policyRule({
    name: 'attachment-checksum',
    demands: 'Each attachment that is downloaded has a checksum.',
    parameters: z.strictObject({}),
    sample: {
      parameters: {},
      wrong: stack('source: "https://files.acme.io/settings.xml"'),
      right: stack('source: "https://files.acme.io/settings.xml", checksum: 9b74c9897bac770ffc029102a200c5de'),
    },
    secretsSatisfy: true,
    judge(record) {
      const isSecret = record.hidden.some(([argument]) => argument === 'source');
      const source = effectiveValue(record, 'source');
      if ((source === undefined && !isSecret) || source === '' || effectiveValue(record, 'checksum') !== '') return [];
      return [{ message: 'is downloaded without a checksum: its content is not checked', path: ['source'] }];
    },
  }),
];
