// What looks like a secret in clear, by the text itself.
// It must not know any kind, nor where a text is written.

/** A phrase, a name, the form of a text with a secret in it, and which of the texts and secrets found surely are ones; default: all. */
type Form = readonly [string, string, RegExp, ((found: string, secret: string) => boolean)?];

/** Where a secret starts that is not filled in later. */
const START = '(?![$*<{[%]|#{)';

/** A word of a command line, or all that is between the quotes before it, in which a user's name can be, too. */
const WORD = ['"', "'"]
  .map((quote) => `(?<=${quote}(?:[^\\s:"'$]+:)?)${START}[^${quote}\\n]+`)
  .concat(`${START}[^\\s"']+`)
  .join('|');

/** A command line of a tool up to an option with a password. */
const OPTIONS = '\\s(?:[^\\n|;&]{0,300}?\\s)??';

/** Command lines of tools that people give passwords, up to those. */
const COMMANDS: readonly string[] = [
  `curl${OPTIONS}(?:-u|-U|--user|--proxy-user)[ =]{0,9}["']?[^\\s:"'$]+:`,
  // What has a colon is a port of a container.
  `mysql(?:dump|admin)?${OPTIONS}(?!-p[\\d.:]*:\\d)-p`,
  // The options of the command that it starts are not its own.
  'sshpass(?:\\s{1,9}-(?:[vV]|P\\s?\\S{1,99})){0,3}\\s{1,9}-p ?',
  `redis-cli${OPTIONS}-a `,
];

/** What stands for a password in a description: `curl -u user:password`. */
const EXAMPLE = /^pass(?:word|wd)?$/i;

/** What people put into texts although it is secret, as it shows in the text itself. */
const INSIDE: readonly Form[] = [
  [
    'a private key',
    'private_key',
    /(?<secret>-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:[^]{0,20000}?-----END (?:[A-Z]+ )*PRIVATE KEY-----)?)/dg,
  ],
  [
    'a password',
    'password',
    /:\/\/[^\s/:@]*:(?<secret>(?![$*<{])[^\s/]+)@/dg,
    // `http://host:80?mail=ada@acme.io`
    (_, secret) => !/^\d{1,5}[?#,]/.test(secret) && !EXAMPLE.test(secret),
  ],
  [
    'a secret',
    'secret',
    /:\/\/[^\s]{0,2000}[?&;](?:password|passwd|pwd|token|secret|api_?key|access_?key)=(?<secret>(?![$*<{])[^\s&;]+)/dgi,
  ],
  [
    'a token',
    'authorization',
    /\bauthorization["']?[^\S\n]{0,9}[:=,][^\S\n]{0,9}["']?(?:bearer|basic|token)[^\S\n]+(?<secret>(?![$*<{[%]|#{|[\w-]*token(?=["'\s]|$)|\w+=["'])[^\s"']+)/dgi,
    // `authorization: basic authentication is needed`
    (_, secret) => /\d/.test(secret) || secret.length >= 20,
  ],
  [
    'a password',
    'password',
    /(?:@\S{1,99}\s{1,9})?\bidentified\s{1,9}by\s{1,9}(?:password\s{1,9})?'(?<secret>(?![$*<{[%]|#{)(?:''|\\[^\n]|[^'\\\n])+)'/dgi,
    // `each node is identified by 'name'`
    (found) => /^@|IDENTIFIED/.test(found),
  ],
  [
    'a password',
    'password',
    /(?:\bmachine\s{1,9}\S{1,99}\s{1,9})?\blogin\s{1,9}\S{1,99}\s{1,9}password\s{1,9}(?<secret>(?![$*<{[%]|#{)\S+)/dg,
    // `login and password policy`
    (found) => found.startsWith('machine'),
  ],
  ...COMMANDS.map((command): Form => [
    'a password',
    'password',
    // What is before it is looked back at: a command can have several of them.
    new RegExp(`(?<=\\b${command}["']?)(?<secret>${WORD})`, 'dg'),
    // `ssh -l mysql -p2222`
    (_, secret) => !EXAMPLE.test(secret) && (!command.startsWith('mysql') || /\D/.test(secret)),
  ]),
];

/** Each form without the flags that cost time: nearly every text has none of them. */
const PROBES = new Map(INSIDE.map(([, , form]) => [form, new RegExp(form.source, form.flags.replace(/[dg]/g, ''))]));

const matchesOf = (text: string, form: RegExp): Iterable<RegExpExecArray> =>
  PROBES.get(form)?.test(text) ? text.matchAll(form) : [];

/** The secret that a text surely contains, as a phrase: `a private key`. Undefined for none. */
export const secretInText = (text: string): string | undefined =>
  INSIDE.find(([, , form, isSure = () => true]) => {
    for (const { 0: found, groups } of matchesOf(text, form)) if (isSure(found, groups?.['secret'] ?? '')) return true;
    return false;
  })?.[0];

/** A part of a text that is a secret, and a name for it. */
export interface SecretPart {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The parts of a text that can be secrets as it shows in them. */
export const secretPartsIn = (text: string): readonly SecretPart[] =>
  INSIDE.flatMap(([, name, form]) =>
    [...matchesOf(text, form)].flatMap(({ indices }): readonly SecretPart[] => {
      const range = indices?.groups?.['secret'];
      return range === undefined ? [] : [{ name, start: range[0], end: range[1] }];
    }),
  );
