// Laws of member paths: each leads back to its kind and address.
import { addressNames, scopesOf, type Kind } from '../kind';
import { kindOf, kinds } from '../kinds';
import { memberPath, parseMemberPath } from './member-path';

const staged = kinds.flatMap(scopesOf).filter(({ stage, token }) => stage !== 'none' && token !== 'Environment');

test.each(staged.map((of) => [`${of.token} ${of.id ?? ''}`, of] as const))('%s: there and back', (_, of) => {
  const address = Object.fromEntries(addressNames(of).map((name) => [name, `a-${name}`]));
  const found = parseMemberPath(kinds, of.stage, memberPath(of, address));
  const { assembly: _assembly, environment: _environment, ...inside } = address;
  expect([found?.of.token, found?.of.path, found?.inside]).toEqual([of.token, of.path, inside]);
});

test("an environment's own member is of no kind that a sweep removes", () => {
  expect(parseMemberPath(kinds, 'environment', 'environment')).toBeUndefined();
});

test('a platform called like the path of its environment is a platform', () => {
  const found = parseMemberPath(
    kinds,
    'environment',
    memberPath(kindOf('EnvironmentPlatform') as Kind, { platform: 'environment' }),
  );
  expect([found?.of.token, found?.inside]).toEqual(['EnvironmentPlatform', { platform: 'environment' }]);
});

test('a component called like what is around variables is a component', () => {
  const at = (path: string): Kind | undefined => parseMemberPath(kinds, 'design', path)?.of;
  expect(at('web/variables')?.token).toBe('Component');
  expect(at('variables/X')?.token).toBe('Component');
  expect(at('web/$X')?.token).toBe('Variable');
  expect(at('$X')?.token).toBe('Variable');
});
