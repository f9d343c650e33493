// What reports advise can be typed: every command they name exists, with every option they name.
import { CLASSIFICATIONS, type Review } from '../../drift';
import { nextSteps } from '../../drift/report/words';
import { adviceOn } from '../../drift/review/findings';
import { innermost } from '../../cli/command';
import { COMMANDS } from '../../cli/table';
import { fullReview, SAMPLES } from '../world/sample-review';

/** Of Pulumi's own. */
const ENGINE = ['pulumi up', 'pulumi up --refresh', 'pulumi refresh'];

const reviews: readonly Review[] = [
  ...SAMPLES.map(([, review]) => review),
  { ...fullReview(), outcome: 'refused' },
  { ...fullReview(), outcome: 'incomplete' },
  { ...fullReview(), outcome: 'not-deployed' },
];
const steps = reviews.flatMap((review) => nextSteps(review)).flatMap(({ command }) => command ?? []);
const places = [undefined, { file: 'oneops.yaml', line: 3, column: 1 }, { file: 'index.ts', line: 3, column: 1 }];
const subject = { id: '0123456789', subject: 'Component:acme/shop/web/sh' };
const advised = CLASSIFICATIONS.flatMap((classification) =>
  [true, false].flatMap((isAttribute) =>
    [true, false].flatMap((isHidden) =>
      places.map((at) => ({
        classification,
        isHidden,
        advice: adviceOn(classification, { ...subject, isAttribute, isHidden, at }),
      })),
    ),
  ),
);
const advice = advised.flatMap(({ advice: { revert, accept } }) =>
  [revert, accept].filter((text) => text !== undefined),
);
const commands = advised.flatMap(({ advice: each }) => Object.values(each.commands ?? {}));
const named = [...new Set([...steps, ...advice, ...commands])];

test('a command to copy is a command and no more, and its sentence names it', () => {
  expect(
    commands.filter((command) => !/^pulumi(-oneops)? [a-z-]+( \S+)*$/.test(command) || /[:,;] /.test(command)),
  ).toEqual([]);
  for (const { advice: each } of advised)
    for (const [verb, command] of Object.entries(each.commands ?? {}))
      expect(each[verb as 'revert' | 'accept']).toContain(command);
});

test('what nobody can write into a file is not offered to be accepted', () => {
  const offered = advised.filter(({ isHidden, advice: each }) => isHidden && each.accept?.includes('drift accept'));
  // Of a record that no longer exists there is no value to write: it is taken out of the file.
  expect(offered.filter(({ classification }) => classification !== 'deleted')).toEqual([]);
});

test('there is something to check', () => {
  expect(named.filter((text) => text.includes('pulumi-oneops')).length).toBeGreaterThan(4);
});

test.each(named.filter((text) => text.includes('pulumi-oneops')))('%s', async (text) => {
  const [, name = '', second = ''] = /pulumi-oneops ([\w-]+)(?: ([a-z]+\b(?!:)))?/.exec(text) ?? [];
  const entry = COMMANDS.find((each) => each.name === name);
  const found = entry && (await innermost(entry, [second]));
  expect([name, found?.path.length]).toEqual([name, name === 'drift' ? 2 : 1]);
  for (const option of text.match(/--[\w-]+/g) ?? [])
    expect(Object.keys(found?.command.options ?? {})).toContain(option.slice(2));
});

test.each(named.filter((text) => !text.includes('pulumi-oneops') && text.includes('pulumi ')))('%s', (text) => {
  expect(ENGINE.some((command) => text.includes(command))).toBe(true);
});
