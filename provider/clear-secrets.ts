// What looks like a secret in clear, by the text itself.
// It must not know any kind, nor where a text is written.

/** What people put into texts although it is secret, as it shows in the text itself. */
const INSIDE: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['a password', /:\/\/[^\s/:@]*:(?![$*<{])[^\s/@]+@/],
  ['a secret', /:\/\/[^\s]*[?&;](?:password|passwd|pwd|token|secret|api_?key|access_?key)=(?![$*<{])[^\s&;]/i],
];

/** The secret that a text contains, as a phrase: `a private key`. Undefined for none. */
export const secretInText = (text: string): string | undefined => INSIDE.find(([, form]) => form.test(text))?.[0];
