// What looks like a secret in clear, by the text itself.
// It must not know any kind, nor where a text is written.

/** A phrase, a name, and the form of a text with a secret in it. */
type Form = readonly [string, string, RegExp];

/** Tools that people give passwords on their command lines, and the options before them. */
const PASSWORD_OPTIONS: { readonly [tool: string]: string } = {
  curl: '(?:-u|-U|--user|--proxy-user)[ =]{0,9}["\']?[^\\s:"\'$]+:',
  'mysql(?:dump|admin)?': '-p',
  sshpass: '-p ?',
  'redis-cli': '-a ',
};

/** What people put into texts although it is secret, as it shows in the text itself. */
const INSIDE: readonly Form[] = [
  [
    'a private key',
    'private_key',
    /(?<secret>-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:[^]{0,20000}?-----END (?:[A-Z]+ )*PRIVATE KEY-----)?)/dg,
  ],
  ['a password', 'password', /:\/\/[^\s/:@]*:(?<secret>(?![$*<{])[^\s/]+)@/dg],
  [
    'a secret',
    'secret',
    /:\/\/[^\s]{0,2000}[?&;](?:password|passwd|pwd|token|secret|api_?key|access_?key)=(?<secret>(?![$*<{])[^\s&;]+)/dgi,
  ],
  [
    'a token',
    'authorization',
    /\bauthorization["']?[^\S\n]{0,9}[:=,][^\S\n]{0,9}["']?(?:bearer|basic|token)[^\S\n]+(?<secret>(?![$*<{[%]|#{|[\w-]*token(?=["'\s]|$))[^\s"']+)/dgi,
  ],
  ['a password', 'password', /\bidentified\s{1,9}by\s{1,9}(?:password\s{1,9})?'(?<secret>(?![$*<{[%]|#{)[^'\n]+)'/dgi],
  ['a password', 'password', /\blogin\s{1,9}\S{1,99}\s{1,9}password\s{1,9}(?<secret>(?![$*<{[%]|#{)\S+)/dg],
  ...Object.entries(PASSWORD_OPTIONS).map(([tool, option]): Form => [
    'a password',
    'password',
    new RegExp(`\\b${tool}\\s(?:[^\\n|;&]{0,300}?\\s)??${option}["']?(?<secret>(?![$*<{[%]|#{)[^\\s"']+)`, 'dg'),
  ]),
];

/** The secret that a text contains, as a phrase: `a private key`. Undefined for none. */
export const secretInText = (text: string): string | undefined =>
  INSIDE.find(([, , form]) => text.search(form) >= 0)?.[0];

/** A part of a text that is a secret, and a name for it. */
export interface SecretPart {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The parts of a text that are secrets as it shows in them. */
export const secretPartsIn = (text: string): readonly SecretPart[] =>
  INSIDE.flatMap(([, name, form]) =>
    [...text.matchAll(form)].flatMap(({ indices }): readonly SecretPart[] => {
      const range = indices?.groups?.['secret'];
      return range === undefined ? [] : [{ name, start: range[0], end: range[1] }];
    }),
  );
