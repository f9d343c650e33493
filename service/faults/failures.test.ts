// Which work orders a failure hits, and how often.
import { createFailures } from './faults';

const compute = (cloud: string, id: number): string[] => [
  '/acme/shop/prod/web/compute',
  `/acme/shop/prod/web/compute@${cloud}`,
  `/acme/shop/prod/web/compute-${id}-1`,
];

describe('failures', () => {
  test.each([
    ['web/compute', true, true],
    ['prod/web/compute', true, true],
    ['/acme/shop/prod/web/compute', true, true],
    ['compute', true, true],
    ['web/compute@west', false, true],
    ['web/compute-501-1', true, false],
    ['eb/compute', false, false],
    ['stage/web/compute', false, false],
    ['web', false, false],
  ])('that match %s hit east: %s, west: %s', (match, east, west) => {
    const failures = createFailures([{ match, message: 'no capacity' }]);
    expect(failures.take(compute('east', 501))).toBe(east ? 'no capacity' : undefined);
    expect(failures.take(compute('west', 502))).toBe(west ? 'no capacity' : undefined);
  });

  test('count down, the first in force first, and can be replaced', () => {
    const failures = createFailures([
      { match: 'compute', message: 'once', times: 1 },
      { match: 'web/compute', message: 'always' },
    ]);
    const taken = [1, 2, 3].map(() => failures.take(compute('east', 501)));
    expect(taken).toEqual(['once', 'always', 'always']);
    failures.set([]);
    expect(failures.take(compute('east', 501))).toBeUndefined();
  });
});
