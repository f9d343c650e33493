// Laws of check and diff over every kind.
import { output } from '@pulumi/pulumi/output';
import { formatId, parentAddress, parseId } from '../address/ids';
import { addressNames, scopeAt, scopesOf, type Kind } from '../kind';
import { kinds } from '../kinds';
import { check, diff, type Inputs } from './check';
import { UNKNOWN } from '../values/plain';

const addressed = (of: Kind): Inputs => Object.fromEntries(addressNames(of).map((name) => [name, 'sample']));
const sampleOf = (of: Kind): Inputs => ({ ...addressed(of), ...of.sample.create, ...of.fills });

const cases = kinds.flatMap((of) => scopesOf(of).map((scope) => [`${of.token} ${scope.id ?? ''}`, scope] as const));

describe.each(cases)('%s', (_, of) => {
  const sample = sampleOf(of);

  test('an unknown key is found, with the nearest name', () => {
    const name = addressNames(of)[0] as string;
    const findings = check(of, { ...sample, [`${name}x`]: 1 });
    expect(findings).toMatchObject([{ code: 'unknown-key', hint: `did you mean "${name}"?` }]);
  });

  test('each address part and each required field is missed when it does not exist', () => {
    const required = [...addressNames(of), ...Object.keys(of.fields).filter((name) => of.fields[name]?.required)];
    for (const name of required) {
      const { [name]: _left, ...rest } = sample;
      // Without it the others are the address of another scope.
      if (scopeAt(of, rest)?.path !== of.path) continue;
      expect(check(of, rest)).toContainEqual(expect.objectContaining({ code: 'required', path: [name] }));
    }
  });

  test('equal is equal, outputs of the last run included', () => {
    expect(diff(of, { ...sample, ciId: 7, revision: '8', __provider: 'x' }, sample)).toEqual([]);
  });

  test('each address part replaces, unknown too', () => {
    for (const name of addressNames(of)) {
      for (const value of ['other', UNKNOWN]) {
        expect(diff(of, sample, { ...sample, [name]: value })).toEqual([
          expect.objectContaining({ path: [name], replaces: true }),
        ]);
      }
    }
  });

  test('its update sample changes just the fields it names', () => {
    const names = Object.keys(of.sample.update ?? {});
    const changed = diff(of, sample, { ...sample, ...of.sample.update }).map((change) => change.path[0]);
    expect(changed.sort()).toEqual(names.sort());
  });

  test('ids are the address joined, and parse back', () => {
    const address = Object.fromEntries(addressNames(of).map((name, index) => [name, `part${index}`]));
    const id = formatId(of, 'acme', address);
    const inPlace = addressNames(of).reduce(
      (form, name) => form.replace(`{${name}}`, address[name] ?? ''),
      of.id ?? '',
    );
    expect(id).toBe(of.id === undefined ? ['acme', ...Object.values(address)].join('/') : `acme/${inPlace}`);
    expect(parseId(of, id)).toEqual({ organization: 'acme', address });
    expect(parseId(of, `${id}/more`)).toBeUndefined();
  });
});

test.each<[token: string, inputs: (text: string) => Inputs]>([
  ['Platform', (description) => ({ description })],
  ['Variable', (value) => ({ value })],
  ['Component', (size) => ({ attributes: { size } })],
  ['Attachment', (content) => ({ content })],
])('an output within a text of a program is no value of %s', (token, inputs) => {
  const of = kinds.find((each) => each.token === token) as Kind;
  const size = output('M');
  for (const text of [
    'by Calling [toString] on an [Output<T>] is not supported.',
    JSON.stringify({ size }),
    'x Calling __str__ on an Output[T] is not supported.',
  ])
    expect(check(of, { ...sampleOf(of), ...inputs(text) })).toMatchObject([
      { code: 'wrong-type', message: 'an output of the program was used as a text' },
    ]);
});

test.each([
  ['a digit first', '1shop'],
  ['a slash', 'a/b'],
  ['too long', 'a'.repeat(33)],
  ['reserved', '_design'],
  ['reserved too', 'manifest'],
  ['like an address of the service', 'new'],
  ['blank', ''],
])('a platform named with %s is refused', (_, name) => {
  const of = kinds.find((kind) => kind.token === 'Platform') as Kind;
  expect(check(of, { ...sampleOf(of), name })).toHaveLength(1);
});

test('a name is refused where the service reads something else in its place', () => {
  const isRefused = (of: Kind, name: string): boolean =>
    check(of, { ...sampleOf(of), name }).some(({ code }) => code === 'reserved-name');
  const refusing = cases.flatMap(([title, of]) => (isRefused(of, 'new') ? [title.trim()] : []));
  expect(refusing).toEqual([
    'Assembly',
    'Platform',
    'Component',
    'Attachment',
    'Monitor {assembly}/{platform}/{component}/monitors/{name}',
    'Variable {assembly}/variables/{name}',
    'Variable {assembly}/platforms/{platform}/variables/{name}',
    'Environment',
    'Relay {assembly}/{environment}/relays/{name}',
    'Cloud',
  ]);
});

describe('a kind with several scopes', () => {
  const of = kinds.find((kind) => kind.token === 'Variable') as Kind;
  const value = { name: 'HEAP', value: '1g' };

  test.each([
    [{ assembly: 'shop' }, 'acme/shop/variables/HEAP'],
    [{ assembly: 'shop', platform: 'web' }, 'acme/shop/platforms/web/variables/HEAP'],
    [{ assembly: 'shop', environment: 'prod' }, 'acme/shop/environments/prod/variables/HEAP'],
    [
      { assembly: 'shop', platform: 'web', environment: 'prod' },
      'acme/shop/environments/prod/platforms/web/variables/HEAP',
    ],
  ])('%j shows which', (parents, id) => {
    const scope = scopeAt(of, { ...parents, name: 'HEAP' }) as Kind;
    const address = { ...parents, name: 'HEAP' } as { [name: string]: string };
    expect(formatId(scope, 'acme', address)).toBe(id);
    expect(parseId(scope, id)).toEqual({ organization: 'acme', address });
    expect(scopesOf(of).filter((each) => parseId(each, id) !== undefined)).toHaveLength(1);
    expect(check(of, { ...parents, ...value })).toEqual([]);
    const nearest = Object.values(parents).at(-1);
    const outer = scope.within?.token === 'Assembly' ? {} : { assembly: 'shop' };
    expect(parentAddress(scope, address)).toEqual({ ...outer, name: nearest });
  });

  test('two that are no place together are found, and going from one to another replaces', () => {
    const apart = { ...of, scopes: (of.scopes ?? []).slice(0, 3) };
    expect(check(apart, { assembly: 'shop', platform: 'web', environment: 'prod', ...value })).toEqual([
      expect.objectContaining({ code: 'two-scopes' }),
    ]);
    const inAssembly = { assembly: 'shop', ...value };
    expect(diff(of, inAssembly, { ...inAssembly, platform: 'web' })).toEqual([
      expect.objectContaining({ path: ['platform'], replaces: true }),
    ]);
  });

  test('one value is wanted, and one only', () => {
    const { value: _, ...none } = { assembly: 'shop', ...value };
    expect(check(of, none)).toEqual([expect.objectContaining({ code: 'required', path: ['value'] })]);
    expect(check(of, { ...none, value: 'a', encryptedValue: 'b' })).toEqual([
      expect.objectContaining({ code: 'two-values' }),
    ]);
    expect(check(of, { ...none, value: ' a' })).toEqual([expect.objectContaining({ code: 'bad-format' })]);
  });
});
