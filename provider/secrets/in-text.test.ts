// Which parts of a text are not copied.
import { secretsInText } from './in-text';

const KEY = '-----BEGIN RSA PRIVATE KEY-----\ncanary\n-----END RSA PRIVATE KEY-----';

const without = (text: string, mayBeWhole?: boolean): string => {
  const parts = secretsInText(text, mayBeWhole);
  return parts.reduceRight((rest, { start, end }) => `${rest.slice(0, start)}@${rest.slice(end)}`, text);
};

test.each([
  // The parts overlap: the first is the rest of a line.
  ['a key in quotes after its name', `PRIVATE_KEY="${KEY}"\nLEVEL=info\n`, 'PRIVATE_KEY=@"\nLEVEL=info\n'],
  ['a key after a word', `TOKEN=x y${KEY}\nLEVEL=info\n`, 'TOKEN=@\nLEVEL=info\n'],
  // A file from which the configuration is set loses the line breaks at its end.
  ['JSON with a number', '{"password":1234567}\r\n', '@\r\n'],
  ['very many secrets', 'TOKEN=canary\n'.repeat(21), '@\n'],
])('a text without its secrets: %s', (_, text, expected) => {
  expect(without(text)).toBe(expected);
});

test('a text that may be no secret as a whole keeps no number that is one', () => {
  const text = '{"password": 1234567, "pins": 12, "list": [{"token":-1.5e3}], "level":"a"}';
  expect(without(text, false)).toBe('{"password": @, "pins": 12, "list": [{"token":@}], "level":"a"}');
});
