import type { Release } from '../../api/contract';
import { withoutTakenBack } from './taken-back';

const scaled = (releaseId: number, current: string, before?: string): Release => ({
  ...{ releaseId, nsPath: '/acme/shop/prod/manifest', releaseState: 'closed', rfc_cis: [] },
  rfc_relations: [
    {
      ...{ ciRelationId: 7, fromCiId: 1, toCiId: 2, nsPath: '', relationName: 'manifest.DependsOn' },
      ...{ rfcAction: 'update', relationAttributes: { current } },
      ...(before === undefined ? {} : { relationBaseAttributes: { current: before } }),
    },
  ],
});

const left = (...releases: readonly Release[]): readonly number[] =>
  withoutTakenBack('environment', releases).flatMap(({ releaseId, rfc_relations: all = [] }) =>
    all.length === 0 ? [] : [releaseId],
  );

test('what was set and set back is left out, and what shows no earlier value is not', () => {
  expect(left(scaled(1, '9', '2'), scaled(2, '2', '9'))).toEqual([]);
  expect(left(scaled(1, '9', '2'), scaled(2, '3', '9'))).toEqual([1, 2]);
  expect(left(scaled(1, '9'))).toEqual([1]);
  expect(left(scaled(1, '9'), scaled(2, '3'))).toEqual([1, 2]);
});
