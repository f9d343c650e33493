// A value is worked out once for each object, undefined too, and never taken for another object's.
import fc from 'fast-check';
import { oncePer } from './plain';

test('answers as the function itself does, which it asks once for each object', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.string(), { nil: undefined })), fc.array(fc.nat()), (values, order) => {
      const keys = values.map((value) => ({ value }));
      let asked = 0;
      const valueOf = oncePer((key: { readonly value: string | undefined }) => {
        asked += 1;
        return key.value;
      });
      const picked = order.flatMap((number) => keys[number % Math.max(1, keys.length)] ?? []);
      expect(picked.map(valueOf)).toEqual(picked.map(({ value }) => value));
      expect(asked).toBe(new Set(picked).size);
    }),
  );
});
