// Laws of masking: no form of a secret survives, and nothing else is touched.
import fc from 'fast-check';
import { masked, textsIn } from './mask';

const secrets = fc
  .string({ minLength: 4, maxLength: 40 })
  .filter((text) => text.trim().length >= 4 && !'[secret]'.includes(text));

test('no form of a secret is left in any text', () => {
  fc.assert(
    fc.property(secrets, fc.lorem(), (secret, around) => {
      const forms = [
        secret,
        JSON.stringify(secret),
        encodeURIComponent(secret),
        Buffer.from(`${secret}:`).toString('base64'),
      ];
      for (const form of forms) {
        const shown = masked(`${around} ${form} ${around}`, [secret]).replaceAll('[secret]', '');
        expect(shown.includes(secret)).toBe(around.includes(secret));
        if (form !== secret && !around.includes(form)) expect(shown.includes(form)).toBe(false);
      }
    }),
  );
});

test('the longer of two secrets that overlap is masked completely', () => {
  expect(masked('token-abc-def', ['token', 'token-abc'])).toBe('[secret]-def');
});

test('short secrets would mask words by chance and are left', () => {
  expect(masked('an easy answer', ['an', 'e', ''])).toBe('an easy answer');
});

test('texts are found at any depth', () => {
  expect(textsIn({ a: ['x', { b: 'y' }], c: 7, d: null, e: true })).toEqual(['x', 'y', '7']);
});
