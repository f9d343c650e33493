// What reports advise can be typed: every command they name is there, with every option they name.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CLASSIFICATIONS, type Review } from '../../drift';
import { nextSteps } from '../../drift/reports/next-steps';
import { adviceOn } from '../../drift/findings';
import type { Command } from '../../cli/command';
import { fullReview, SAMPLES } from './sample-review';

const COMMANDS = join(__dirname, '..', '..', 'cli', 'commands');
/** Of Pulumi's own. */
const ENGINE = ['pulumi up', 'pulumi up --refresh', 'pulumi refresh'];

const reviews: readonly Review[] = [
  ...SAMPLES.map(([, review]) => review),
  { ...fullReview(), outcome: 'refused' },
  { ...fullReview(), outcome: 'authentication' },
];
const steps = reviews.flatMap((review) => nextSteps(review)).flatMap(({ command }) => command ?? []);
const places = [undefined, { file: 'oneops.yaml', line: 3, column: 1 }, { file: 'index.ts', line: 3, column: 1 }];
const advice = CLASSIFICATIONS.flatMap((classification) =>
  [true, false].flatMap((isAttribute) =>
    places.flatMap((at) =>
      Object.values(adviceOn(classification, '0123456789', 'Component:acme/shop/web/sh', isAttribute, at)),
    ),
  ),
);
const named = [...new Set([...steps, ...advice])];

test('there is something to check', () => {
  expect(named.filter((text) => text.includes('pulumi-oneops')).length).toBeGreaterThan(4);
});

test.each(named.filter((text) => text.includes('pulumi-oneops')))('%s', (text) => {
  const [, name = '', second = ''] = /pulumi-oneops ([\w-]+)(?: ([a-z]+\b(?!:)))?/.exec(text) ?? [];
  const file = join(COMMANDS, name, second);
  const path = second !== '' && existsSync(`${file}.ts`) ? file : join(COMMANDS, name);
  expect([name, existsSync(`${path}.ts`)]).toEqual([name, true]);
  if (name === 'drift') expect(existsSync(`${file}.ts`)).toBe(true);
  const [command] = Object.values(jest.requireActual<{ readonly [name: string]: Command }>(`${path}.ts`)).filter(
    (each) => typeof each === 'object' && 'help' in each,
  );
  for (const option of text.match(/--[\w-]+/g) ?? []) expect(command?.help).toContain(option);
});

test.each(named.filter((text) => !text.includes('pulumi-oneops') && text.includes('pulumi ')))('%s', (text) => {
  expect(ENGINE.some((command) => text.includes(command))).toBe(true);
});
