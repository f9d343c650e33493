// The review of a fleet in each format: what it shows, how long it may be, and what no text can do to it.
import { join } from 'node:path';
import { JSDOM, type PageElement } from 'jsdom';
import { CANARY } from '../../test/world/sample-review';
import { HOSTILE, sampleFleet } from '../../test/world/sample-fleet';
import { isSarif, jsonFile, validatorOf } from '../../test/sarif-schema';
import { metricsOf } from '../../test/world/metrics';
import { MARKDOWN_LIMIT } from './markdown';
import type { FleetStack } from '../fleet/fleet';
import { fleetOf, isInShard } from '../fleet/join';
import { FORMATS, renderReview } from '.';

const fleet = sampleFleet(20);

test.each(FORMATS)(
  '%s: the same for the same fleet, every stack that is not in sync is in it, and no secret',
  (format) => {
    const text = renderReview(format, fleet);
    expect(renderReview(format, sampleFleet(20))).toBe(text);
    expect(text).not.toContain(CANARY);
    for (const { name, outcome } of fleet.stacks)
      if (outcome !== 'in-sync') expect(text.replaceAll('&#45;', '-')).toContain(name);
  },
);

test('every fleet is what drift.schema.json says, and another thing is not', () => {
  const { definitions } = jsonFile(join(__dirname, '..', '..', 'drift.schema.json')) as {
    readonly definitions: object;
  };
  const isFleet = validatorOf({
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions,
    $ref: '#/definitions/Fleet',
  });
  const data = (each: object): unknown => JSON.parse(JSON.stringify(each));
  const shard = sampleFleet(3, { shard: { number: 1, of: 2 } });
  expect([fleet, shard, { ...fleet, stacks: 5 }].map((each) => isFleet(data(each)))).toEqual([true, true, false]);
  expect(isSarif(JSON.parse(renderReview('sarif', fleet)))).toBe(true);
});

test('the text has 80 columns, and names each cause with its stacks', () => {
  const text = renderReview('text', fleet);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(text).toMatch(
    /Component attributes\.max_threads .*\n {4}now 300\n {4}medium; changed out of band, by maria, since 4 hours ago/,
  );
  expect(text).toContain('7 records in 7 stacks: stacks/shop-000/dev');
  expect(text).toContain('and 2 more');
});

test('no place of a file makes a line of the text wider than the terminal', () => {
  const [first, ...others] = fleet.stacks;
  const at = { file: `${'folder/'.repeat(20)}oneops.yaml`, line: 12, column: 3 };
  const findings = fleet.stacks.flatMap(({ review }) => review?.findings ?? []).map((each) => ({ ...each, at }));
  const review = fleet.stacks.find((stack) => stack.review !== undefined)?.review;
  if (first === undefined || review === undefined) throw new Error('the sample has no review');
  const stacks = [{ ...first, outcome: 'drift' as const, review: { ...review, findings } }, ...others];
  for (const width of [40, 80])
    expect(
      renderReview('text', { ...fleet, stacks }, { width })
        .split('\n')
        .filter((line) => line.length > Math.max(width, 75)),
    ).toEqual([]);
});

test.each(['text', 'html', 'markdown'] as const)(
  '%s names each broken policy with its stack, and no markup of it',
  (format) => {
    const text = renderReview(format, fleet).replace(/\s+/g, ' ');
    for (const word of ['two-clouds', 'stacks/held/dev', 'has 1 active cloud', 'costs']) expect(text).toContain(word);
    expect(text).toContain('policies are broken in 1 stack');
    if (format === 'html') expect(text).not.toContain('<b>costs');
  },
);

test('the comment fits, whatever the fleet, and says how much it leaves out', () => {
  const text = renderReview('markdown', sampleFleet(2000));
  expect(text.length).toBeLessThanOrEqual(MARKDOWN_LIMIT);
  expect(text).toMatch(/… and \d+ more; the other reports have them\./);
  expect(text.split('\n')[0]).toBe('<!-- pulumi-oneops drift fleet -->');
  expect(renderReview('markdown', fleet)).not.toContain('@everyone');
});

test('the metrics are what Prometheus reads, each stack under its label; the time of the last complete review survives', () => {
  const metrics = metricsOf(renderReview('prometheus', fleet));
  const of = (name: string): readonly unknown[] =>
    metrics.filter((each) => each.name === name).map(({ value }) => value);
  expect(of('oneops_drift_fleet_stacks')).toEqual([25]);
  const outcomes = metrics.filter(({ name, value }) => name === 'oneops_drift_outcome' && value === 1);
  expect(new Set(outcomes.map(({ labels }) => labels['stack']))).toEqual(new Set(fleet.stacks.map(({ name }) => name)));
  const [first] = fleet.stacks.filter(({ review }) => review?.outcome === 'drift');
  const later = {
    ...fleet,
    stacks: fleet.stacks.map((each) =>
      each === first && each.review
        ? { ...each, review: { ...each.review, outcome: 'incomplete' as const, started: each.review.started + 60_000 } }
        : each,
    ),
  };
  const success = (text: string): unknown =>
    metricsOf(text).find(({ name, labels }) => name.includes('last_success') && labels['stack'] === first?.name)?.value;
  const earlier = renderReview('prometheus', fleet);
  expect(success(renderReview('prometheus', later, { earlier }))).toBe(success(earlier));
  expect(success(renderReview('prometheus', later))).toBeUndefined();
});

test.each([
  ['a stack that could not be opened', (each: FleetStack) => ({ ...each, review: undefined })],
  [
    'a folder whose stacks could not be listed',
    ({ name }: FleetStack) => ({ name: name.replace('/dev', ''), folder: name.replace('/dev', ''), stack: '' }),
  ],
])('the metrics of %s stay, apart from its outcome', (_, without) => {
  const [first] = fleet.stacks.filter(
    ({ name, review }) => name.startsWith('stacks/shop') && review?.outcome === 'drift',
  );
  const later = fleetOf({
    ...fleet,
    stacks: fleet.stacks.map((each) =>
      each === first
        ? ({ ...without(each), outcome: 'incomplete', summary: 'incorrect passphrase' } as FleetStack)
        : each,
    ),
  });
  const earlier = renderReview('prometheus', fleet);
  const [before, after] = [earlier, renderReview('prometheus', later, { earlier })].map((text) =>
    metricsOf(text).filter(({ name, labels }) => name !== 'oneops_drift_outcome' && labels['stack'] === first?.name),
  );
  expect(before?.length).toBeGreaterThan(5);
  expect(after).toEqual(before);
  // Once more: what stays is what the file says, not the last run.
  const again = renderReview('prometheus', later, { earlier: renderReview('prometheus', later, { earlier }) });
  expect(again).toBe(renderReview('prometheus', later, { earlier }));
  expect(
    metricsOf(again).find(
      ({ name, labels, value: is }) =>
        name === 'oneops_drift_outcome' &&
        is === 1 &&
        labels['outcome'] === 'incomplete' &&
        first?.name.startsWith(labels['stack'] ?? '-'),
    ),
  ).toBeDefined();
});

test('the metrics of stacks in a missing shard stay', () => {
  const shard = { number: 1, of: 2 };
  const later = fleetOf({
    ...fleet,
    stacks: fleet.stacks.filter(({ name }) => !isInShard(name, shard)),
    missing: [shard],
  });
  const earlier = renderReview('prometheus', fleet);
  const successes = (text: string): readonly unknown[] =>
    metricsOf(text)
      .flatMap(({ name, labels }) => (name.includes('last_success') ? [labels['stack']] : []))
      .sort();
  expect(successes(renderReview('prometheus', later, { earlier }))).toEqual(successes(earlier));
});

test('the metrics of a stack that is gone, or without a record of ours, go', () => {
  const earlier = renderReview('prometheus', fleet);
  const [gone, empty, ...rest] = fleet.stacks.filter(
    ({ name, review }) => name.startsWith('stacks/shop') && review?.outcome === 'drift',
  );
  const { review: _, ...without } = empty as FleetStack;
  const bare: FleetStack = { ...without, outcome: 'in-sync' };
  const later = renderReview('prometheus', fleetOf({ ...fleet, stacks: [bare, ...rest] }), { earlier });
  expect(later).not.toContain(gone?.name);
  expect(
    metricsOf(later)
      .filter(({ labels }) => labels['stack'] === empty?.name)
      .map(({ name }) => name),
  ).toEqual(Array.from({ length: 5 }, () => 'oneops_drift_outcome'));
});

describe('the page', () => {
  const open = (runScripts = true): JSDOM =>
    new JSDOM(
      renderReview('html', fleet),
      runScripts ? { runScripts: 'dangerously', url: 'https://reports.example.com/fleet.html#stack-3' } : {},
    );
  const all = ({ window }: JSDOM, selector: string): readonly PageElement[] => [
    ...window.document.querySelectorAll(selector),
  ];

  test('is whole without JavaScript: every stack with its counts, the most urgent first, and no control that does nothing', () => {
    const page = open(false);
    expect(all(page, '.stack')).toHaveLength(25);
    const [found] = all(page, '.stack').filter((stack) => stack.textContent.includes('shop-000'));
    const counts = [...(found?.querySelectorAll('summary .severity') ?? [])].map(({ textContent }) => textContent);
    expect(counts).toEqual(['1 high', '1 medium', '4 low']);
    const states = all(page, '.stack summary .state').map(({ textContent }) => textContent);
    const ranks = states.map((state) => ['Drift', 'In sync'].indexOf(state));
    expect(new Set(ranks)).toEqual(new Set([-1, 0, 1]));
    expect(ranks).toEqual([...ranks].sort((left, right) => left - right));
    expect(all(page, '#filter:not([hidden])')).toEqual([]);
    expect(all(page, '.cause')).toHaveLength(fleet.causes.length);
  });

  test('unfolds the stack that a link leads to, and hides the stacks that do not match', () => {
    const page = open();
    expect(page.window.document.querySelector('#stack-3[open]') !== null).toBe(true);
    const field = page.window.document.querySelector('#filter input') as PageElement;
    const shown = (): number => all(page, '.stack:not([hidden])').length;
    for (const [words, count] of [
      ['shop-00 drift', 6],
      ['locked/dev', 1],
      ['nowhere', 0],
      ['', 25],
    ] as const) {
      field.value = words;
      field.dispatchEvent(new page.window.Event('input', { bubbles: true }));
      expect([words, shown()]).toEqual([words, count]);
      expect(page.window.document.querySelector('#no-match')?.hidden).toBe(count > 0);
    }
  });

  test('no name becomes markup', () => {
    const page = open();
    expect(all(page, 'script')).toHaveLength(1);
    expect(page.window.document.body.textContent).toContain(HOSTILE);
  });
});
