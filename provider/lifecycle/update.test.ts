// Laws of what an interrupted change leaves.
import fc from 'fast-check';
import { isMixture } from './update';
import type { Shape } from '../values/shape';

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const set: Shape = { type: 'list', items: { type: 'text' }, encoding: 'json', unordered: true };
const sets = fc.uniqueArray(word, { maxLength: 4 });

test('of a set, each item is there or not as it is before or after; anything else is no mixture', () => {
  fc.assert(
    fc.property(sets, sets, word, (before, after, other) => {
      for (const left of [before, after, [...before, ...after], before.filter((item) => after.includes(item))])
        expect(isMixture(set, before, after, JSON.stringify([...left].reverse()))).toBe(true);
      for (const name of [...before, ...after, other]) {
        const [isBefore, isAfter] = [before.includes(name), after.includes(name)];
        const live = [...before.filter((item) => item !== name), name];
        expect(isMixture(set, before, after, JSON.stringify(live))).toBe(isBefore || isAfter);
        const without = before.filter((item) => item !== name);
        expect(isMixture(set, before, after, JSON.stringify(without))).toBe(!(isBefore && isAfter));
      }
    }),
  );
});

test('a list whose order counts changes as a whole', () => {
  expect(isMixture({ ...set, unordered: false }, ['a'], ['b'], '[]')).toBe(false);
});
