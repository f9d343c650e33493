// An order exists exactly when there is no cycle, and then contains every edge.
import fc from 'fast-check';
import { newReport } from '../findings/finding';
import { rangesOf, sourceFile } from '../yaml/source';
import { resourceKey } from '../values/value';
import { inOrder, type Ordered } from './order';

const file = sourceFile('f', 'x'.repeat(1000));
const key = (index: number) => resourceKey('Platform', String(index));
const graph = (edges: readonly (readonly [number, number])[], size: number): readonly Ordered[] =>
  Array.from({ length: size }, (_, index) => ({
    key: key(index),
    edges: edges.flatMap(([from, to], place) =>
      from === index ? [{ to: key(to), place: { path: [], at: rangesOf(file)(place, place + 1) } }] : [],
    ),
  }));

/** Whether a node can be reached from itself. */
const isCyclic = (edges: readonly (readonly [number, number])[], node: number): boolean => {
  const seen = new Set<number>();
  const walk = (at: number): boolean =>
    edges.some(([from, to]) => from === at && (to === node || (!seen.has(to) && seen.add(to) && walk(to))));
  return walk(node);
};

const size = 7;
const anyEdges = fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 12 });

test('without a cycle every node comes once, after all it comes after', () => {
  fc.assert(
    fc.property(anyEdges, (edges) => {
      const acyclic = edges.filter(([from, to]) => from > to);
      const report = newReport(['f']);
      const keys = inOrder(report, graph(acyclic, size)).map((node) => node.key);
      expect(report.findings()).toEqual([]);
      expect([...keys].sort()).toEqual(Array.from({ length: size }, (_, index) => key(index)));
      for (const [from, to] of acyclic) expect(keys.indexOf(key(to))).toBeLessThan(keys.indexOf(key(from)));
    }),
  );
});

test('what comes after nothing keeps its place', () => {
  expect(inOrder(newReport(['f']), graph([[1, 3]], 5)).map((node) => node.key)).toEqual([0, 3, 1, 2, 4].map(key));
});

test('cycles are reported, each at an edge that is part of one', () => {
  fc.assert(
    fc.property(anyEdges, (edges) => {
      const report = newReport(['f']);
      inOrder(report, graph(edges, size));
      const cyclic = Array.from({ length: size }, (_, index) => index).filter((index) => isCyclic(edges, index));
      expect(report.findings().length > 0).toBe(cyclic.length > 0);
      for (const { at } of report.findings()) {
        const edge = edges[at.start.offset];
        expect(edge && (edge[0] === edge[1] || cyclic.includes(edge[0]))).toBe(true);
      }
    }),
  );
});

test('a circle is reported once, with the way around it', () => {
  const report = newReport(['f']);
  inOrder(
    report,
    graph(
      [
        [0, 1],
        [1, 2],
        [2, 0],
        [3, 0],
        [4, 4],
      ],
      5,
    ),
  );
  expect(report.findings().map(({ message }) => message)).toEqual([
    'a cycle: Platform 2 → Platform 0 → Platform 1 → Platform 2',
    'a cycle: Platform 4 → Platform 4',
  ]);
});
