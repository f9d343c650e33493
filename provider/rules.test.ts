// Laws of check and diff over every kind: samples are right, wrong ones are found, equal is equal, the address replaces.
import { addressNames, formatId, parseId, type Kind } from './kind';
import { kinds } from './kinds';
import { check, diff, type Inputs } from './rules';
import { UNKNOWN } from './unknown';

const addressed = (of: Kind): Inputs => Object.fromEntries(addressNames(of).map((name) => [name, 'sample']));
const sampleOf = (of: Kind): Inputs => ({ ...addressed(of), ...of.sample.create, ...of.fills });

describe.each(kinds.map((of) => [of.token, of] as const))('%s', (_, of) => {
  const sample = sampleOf(of);

  test('its sample has no findings', () => {
    expect(check(of, sample)).toEqual([]);
  });

  test('an unknown key is found, with the nearest name', () => {
    const name = addressNames(of)[0] as string;
    const findings = check(of, { ...sample, [`${name}x`]: 1 });
    expect(findings).toMatchObject([{ code: 'unknown-key', hint: `did you mean "${name}"?` }]);
  });

  test('each address part and each required field is missed when it is not there', () => {
    const required = [...addressNames(of), ...Object.keys(of.fields).filter((name) => of.fields[name]?.required)];
    for (const name of required) {
      const { [name]: _left, ...rest } = sample;
      expect(check(of, rest)).toContainEqual(expect.objectContaining({ code: 'required', path: [name] }));
    }
  });

  test('an unknown in place of any one value, of any type, is no finding', () => {
    for (const name of Object.keys(sample)) expect(check(of, { ...sample, [name]: UNKNOWN })).toEqual([]);
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
    expect(id).toBe(['acme', ...Object.values(address)].join('/'));
    expect(parseId(of, id)).toEqual({ organization: 'acme', address });
    expect(parseId(of, `${id}/more`)).toBeUndefined();
  });
});

test.each([
  ['a digit first', '1shop'],
  ['a slash', 'a/b'],
  ['too long', 'a'.repeat(33)],
  ['reserved', '_design'],
  ['reserved too', 'manifest'],
  ['blank', ''],
])('a platform named with %s is refused', (_, name) => {
  const of = kinds.find((kind) => kind.token === 'Platform') as Kind;
  expect(check(of, { ...sampleOf(of), name })).toHaveLength(1);
});
