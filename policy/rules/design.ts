// Rules about a design: its assembly, platforms, components, attachments and monitors. Those about
// components and attachments also judge what an environment declares of them.
import * as z from 'zod';
import {
  assembly,
  attachment,
  component,
  environmentAttachment,
  environmentComponent,
  monitor,
  platform,
} from '../../provider/kinds';
import { holdsUnknown, isPlainObject, matchesAny, textAt, valueIn, patterns } from '../../provider/values';
import { demandsValue, effectiveText, effectiveValue, policyRule, type PolicyRule } from './rule';

const assemblyStack = (owner: string): string => `assembly: { name: shop, ${owner} }\n`;

const platformStack = (pack: string): string =>
  `assembly: { name: shop, owner: team@acme.io }\nplatforms:\n  web: { pack: ${pack} }\n`;

const componentStack = (size: string): string => `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute: { size: ${size} }
`;

const attachmentStack = (settings: string): string => `assembly: { name: shop, owner: team@acme.io }
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
 * Whether every program takes the same host from an address: the one that is written there. Others
 * may end it at a backslash, leave out a tab, or know no other form of a number; a user before it
 * is there only to look like a host.
 */
function isPlain(source: string, host: string): boolean {
  if (/[\\\p{Cc}]/u.test(source)) return false;
  const [, written] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(source) ?? [];
  return host === '' || written?.replace(/:\d*$/, '').toLowerCase() === host.toLowerCase();
}

/** Whether a host is allowed. The text around a variable of the service shows no host. */
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

const monitorStack = (settings: string): string => `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute:
        monitors:
          heap: { cmd: check_heap, custom: true, ${settings} }
`;

export const DESIGN_RULES: readonly PolicyRule[] = [
  policyRule({
    name: 'owner-domain',
    kinds: [assembly],
    demands: 'Each assembly has an owner, whose e-mail address is in an allowed domain.',
    parameters: z.strictObject({ domains: patterns('Allowed domains: `acme.io`, `*.acme.io`') }),
    sample: {
      parameters: { domains: ['acme.io', '*.acme.io'] },
      wrong: assemblyStack('owner: team@example.com'),
      right: assemblyStack('owner: team@shop.acme.io'),
    },
    judge(record, { domains }) {
      const owner = effectiveText(record, 'owner');
      if (owner === undefined) return undefined;
      const domain = /@([^@]*)$/.exec(owner)?.[1] ?? '';
      const inLowerCase = (text: string): string => text.toLowerCase();
      if (matchesAny(domains.map(inLowerCase), inLowerCase(domain))) return undefined;
      const said = owner === '' ? 'has no owner' : `has the owner ${owner}`;
      return { message: `${said}; an address in ${domains.join(' or ')} is required`, path: ['owner'] };
    },
  }),
  policyRule({
    name: 'packs-allowed',
    kinds: [platform],
    demands: 'Each platform comes from an allowed pack and version.',
    parameters: z.strictObject({
      allowed: patterns('Allowed packs, as source/pack:version: `oneops/tomcat:1`, `oneops/*`'),
    }),
    sample: {
      parameters: { allowed: ['oneops/tomcat:1', 'oneops/mysql:*'] },
      wrong: platformStack('oneops/custom:1'),
      right: platformStack('oneops/tomcat:1'),
    },
    judge(record, { allowed }) {
      const parts = ['source', 'pack', 'version'].map((name) => effectiveValue(record, name));
      if (parts.some((part) => part === undefined || part === '')) return undefined;
      const [source, pack, version] = parts;
      const named = `${String(source)}/${String(pack)}:${String(version)}`;
      if (matchesAny(allowed, named)) return undefined;
      return { message: `comes from pack ${named}; allowed are ${allowed.join(', ')}`, path: ['pack'] };
    },
  }),
  policyRule({
    name: 'attribute-values',
    kinds: [component, environmentComponent],
    demands:
      'An attribute of components has an allowed value where it is declared, in the design or in an environment.',
    parameters: z.strictObject({
      types: patterns('Templates of the components: `compute`, `*`').default(['*']),
      attribute: z.string().describe('Name of the attribute'),
      allowed: patterns('Allowed values').optional(),
      least: z.number().describe('Least number').optional(),
      most: z.number().describe('Largest number').optional(),
    }),
    sample: {
      parameters: { types: 'compute', attribute: 'size', allowed: ['S', 'M', 'L'] },
      wrong: componentStack('XXL'),
      right: componentStack('L'),
    },
    judge({ args }, { types, attribute, allowed, least, most }) {
      // In an environment the type may be left out; the component may then be of any.
      const { type } = args;
      if (typeof type === 'string' && !matchesAny(types, type)) return undefined;
      const { attributes } = args;
      if (!isPlainObject(attributes)) return undefined;
      const given = valueIn(attributes, [attribute]);
      const values = Array.isArray(given)
        ? given.map((each: unknown) => textAt({ each }, 'each'))
        : [textAt(attributes, attribute)];
      const faults = (value: string): readonly string[] => [
        ...(allowed === undefined || matchesAny(allowed, value) ? [] : [`allowed are ${allowed.join(', ')}`]),
        ...(least === undefined || Number(value) >= least ? [] : [`at least ${least} is required`]),
        ...(most === undefined || Number(value) <= most ? [] : [`at most ${most} is allowed`]),
      ];
      return values
        .filter((value) => value !== '' && !holdsUnknown(value))
        .flatMap((value) => faults(value).map((fault) => `has ${attribute} ${value}; ${fault}`))
        .map((message) => ({ message, path: ['attributes', attribute] }));
    },
  }),
  policyRule({
    name: 'attachment-sources',
    kinds: [attachment, environmentAttachment],
    demands: 'Each attachment is downloaded from an allowed host, over an allowed protocol.',
    parameters: z.strictObject({
      hosts: patterns('Allowed hosts: `files.acme.io`, `*.acme.io`'),
      protocols: patterns('Allowed protocols').default(['https']),
    }),
    sample: {
      parameters: { hosts: ['*.acme.io'] },
      wrong: attachmentStack('source: "http://files.acme.io/settings.xml"'),
      right: attachmentStack('source: "https://files.acme.io/settings.xml"'),
    },
    judge(record, { hosts, protocols }) {
      const source = effectiveValue(record, 'source');
      const address = addressIn(source);
      if (address === undefined) return undefined;
      const { scheme, host } = address;
      if (!isPlain(String(source), host)) return { message: NOT_PLAIN, path: ['source'] };
      if (isAllowed(hosts, host) && matchesAny(protocols, scheme)) return undefined;
      const from = host === '' ? 'an address without a host' : `${scheme}://${host}`;
      const allowed = `${protocols.join(' or ')} from ${hosts.join(', ')}`;
      return { message: `is downloaded from ${from}; allowed is ${allowed}`, path: ['source'] };
    },
  }),
  policyRule({
    name: 'attachment-checksum',
    kinds: [attachment, environmentAttachment],
    demands: 'Each attachment that is downloaded has a checksum.',
    parameters: z.strictObject({}),
    sample: {
      parameters: {},
      wrong: attachmentStack('source: "https://files.acme.io/settings.xml"'),
      right: attachmentStack(
        'source: "https://files.acme.io/settings.xml", checksum: 9b74c9897bac770ffc029102a200c5de',
      ),
    },
    secretsSatisfy: true,
    judge(record) {
      const isSecret = record.hidden.some(([argument]) => argument === 'source');
      const source = effectiveValue(record, 'source');
      if ((source === undefined && !isSecret) || source === '' || effectiveValue(record, 'checksum') !== '')
        return undefined;
      return { message: 'is downloaded without a checksum: its content is not checked', path: ['source'] };
    },
  }),
  demandsValue({
    name: 'monitors-enabled',
    kinds: [monitor],
    demands: 'No declared monitor is switched off.',
    argument: 'enable',
    value: true,
    message: 'is switched off',
    sample: { parameters: {}, wrong: monitorStack('enable: false'), right: monitorStack('enable: true') },
  }),
];
