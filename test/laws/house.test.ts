// Six sizes of the repository may shrink and not grow: files, lines, cycles, unused exports, citations that do not resolve. The other numbers of
// `make house` say where to look.
import heldNumbers from '../house/held.json';
import { countOf, measureHouse, mostOf } from '../house/table';

test('held numbers do not grow: lower them in test/house/held.json when a change makes it possible', () => {
  const measures = measureHouse();
  expect(measures.filter((each) => mostOf(each) !== undefined).map(({ what }) => what)).toEqual(
    Object.keys(heldNumbers),
  );
  const grown = measures
    .filter((each) => countOf(each) > (mostOf(each) ?? Infinity))
    .map((each) => ({ what: each.what, most: mostOf(each), now: countOf(each), places: each.places }));
  expect(grown).toEqual([]);
});
