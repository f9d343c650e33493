// Marks of secrets: where they are found, and that what contains none is not copied.
import { hide, holdsHidden, split } from './compare';

test('marks are found at any depth, and their paths are said', () => {
  const value = { plain: 1, map: { password: hide('x'), other: [1] }, list: [{ token: hide('y') }] };
  expect(split(value)).toEqual({
    plain: { plain: 1, map: { password: 'x', other: [1] }, list: [{ token: 'y' }] },
    hidden: [['map', 'password'], ['list']],
  });
  expect(split(hide({ deep: hide('z') }))).toEqual({ plain: { deep: 'z' }, hidden: [[]] });
  expect([value, value.map, value.list, [hide(1)]].map(holdsHidden)).toEqual([true, true, true, true]);
});

test('what contains no mark is returned as it is: the states of a fleet are not copied', () => {
  const value = { map: { name: 'x', none: null, nothing: undefined }, list: [{ deep: [1] }, hide] };
  expect(split(value).plain).toBe(value);
  expect(split([value]).hidden).toEqual([]);
  expect([value, null, undefined, 'text', 0].map(holdsHidden)).toEqual([false, false, false, false, false]);
  const beside = split({ value, secret: hide(1) }).plain as { readonly value: unknown };
  expect(beside.value).toBe(value);
});
