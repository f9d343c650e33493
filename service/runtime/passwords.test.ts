// Laws of passwords: only the right one fits, nothing of it is kept, and its token is the same until it is to be another.
import { isPassword, sealPassword, tokenOfPassword, withNewToken } from './secrets';

const PASSWORD = 'correct horse battery staple';

test('only the password fits, and none fits where there is none', () => {
  const sealed = sealPassword(PASSWORD);
  expect(isPassword(sealed, PASSWORD)).toBe(true);
  for (const wrong of ['', ' ', PASSWORD.toUpperCase(), `${PASSWORD} `, sealed])
    expect(isPassword(sealed, wrong)).toBe(false);
  for (const any of [PASSWORD, '']) expect(isPassword(undefined, any)).toBe(false);
});

test('is sealed another way each time, and typed the same way whatever the keyboard', () => {
  expect(sealPassword(PASSWORD)).not.toBe(sealPassword(PASSWORD));
  expect(sealPassword(PASSWORD)).not.toContain('horse');
  expect(isPassword(sealPassword('caf\u00e9'), 'cafe\u0301')).toBe(true);
});

test('its token is one, until another is requested; then the password still fits', async () => {
  const sealed = sealPassword(PASSWORD);
  const token = await tokenOfPassword(sealed, PASSWORD);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await tokenOfPassword(sealed, 'another')).toBeUndefined();
  expect(await tokenOfPassword(undefined, PASSWORD)).toBeUndefined();
  expect(await tokenOfPassword(sealed, PASSWORD)).toBe(token);
  expect(sealed).not.toContain(token);
  const next = withNewToken(sealed);
  expect(isPassword(next, PASSWORD)).toBe(true);
  expect(await tokenOfPassword(next, PASSWORD)).not.toBe(token);
});
