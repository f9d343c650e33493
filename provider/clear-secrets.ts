// What looks like a secret in clear, by the text itself.
// It must not know any kind, nor where a text is written.

/** What people put into texts although it is secret, as it shows in the text itself: a phrase, a name for it, and its form with the secret in it. */
const INSIDE: readonly (readonly [string, string, RegExp])[] = [
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
