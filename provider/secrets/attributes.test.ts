// Which attributes of a component are secret.
import { kinds } from '../kinds';
import { secretAttributes } from './attributes';
import { UNKNOWN } from '../values/plain';

const component = kinds.find(({ token }) => token === 'Component')!;
const names = (type: unknown, attributes: unknown) => secretAttributes(component, { type, attributes })?.names;

test('a known class says so itself', () => {
  expect(names('mysql', { password: 'x', version: '5.6', token_port: '1' })).toEqual(['password']);
});

test('in a class nobody knows, words that sound like secrets are', () => {
  for (const type of ['of-a-private-pack', undefined, { promised: true }]) {
    expect(names(type, { api_token: 'x', size: 'M', db_password: 'y' })).toEqual(['api_token', 'db_password']);
  }
});

test('of a type that is not known yet, everything is that is secret in any class', () => {
  for (const type of [undefined, UNKNOWN, Promise.resolve('certificate')])
    expect(names(type, { key: 'x', cert: 'y' })).toEqual(['key']);
  expect(names('of-a-private-pack', { key: 'x', cert: 'y' })).toBeUndefined();
});

test('nothing secret, nothing given, or a kind without an open map: nothing to mark', () => {
  expect(names('mysql', { version: '5.6' })).toBeUndefined();
  expect(names('mysql', undefined)).toBeUndefined();
  expect(names('mysql', 'unknown yet')).toBeUndefined();
  for (const of of kinds.filter((kind) => kind.fields['attributes'] === undefined))
    expect(secretAttributes(of, { attributes: { password: 'x' } })).toBeUndefined();
});
