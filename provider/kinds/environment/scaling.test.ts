// How values of several relations are read: namesakes, locks, and what scaling by load changes.
import type { Relation } from '../../../api/contract';
import { liveScale, LOCKS_ONLY, setScale } from './scaling';

/** A relation to a component `compute`. */
const relationTo = (ciRelationId: number, current: string, locked: readonly string[] = []): Relation => ({
  ciRelationId,
  nsPath: '/acme/shop/prod/manifest/web/1',
  fromCiId: 1,
  toCiId: ciRelationId * 10,
  relationName: 'manifest.DependsOn',
  relationAttributes: { current, min: '2', max: '6' },
  relationAttrProps: { owner: Object.fromEntries(locked.map((name) => [name, 'manifest'])) },
  toCi: {
    ciId: ciRelationId * 10,
    ciName: 'compute',
    ciClassName: 'manifest.oneops.1.Compute',
    nsPath: '/acme/shop/prod/manifest/web/1',
    ciAttributes: {},
  },
});

test.each([[['3', '1']], [['1', '3']]])(
  'of two components of one name, the one that is scaled otherwise shows: %j',
  (texts) => {
    const relations = texts.map((current, index) => relationTo(index + 1, current));
    expect(liveScale(relations, { compute: { current: 3 } }, false)).toEqual({ compute: { current: 1 } });
  },
);

test('of two components of one name, the locked value shows', () => {
  const relations = [relationTo(1, '2'), relationTo(2, '4', ['current'])];
  expect(setScale(relations, LOCKS_ONLY)).toEqual({ compute: { current: 4 } });
});

test('without a lock, what differs from the value of the pack is set, unless scaling by load changes it within the limits', () => {
  const bases = new Map([[1, { current: '2', min: '2', max: '6' }]]);
  const set = (current: string, byLoad: boolean) => setScale([relationTo(1, current)], { bases, byLoad });
  expect([set('2', false), set('4', false), set('4', true), set('1', true)]).toEqual([
    {},
    { compute: { current: 4 } },
    {},
    { compute: { current: 1 } },
  ]);
});
