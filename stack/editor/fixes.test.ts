// Every hint that proposes another word is a quick fix, and the fix removes its finding: over the golden corpus and the examples of the codes.
import { wrong } from '../../test/findings-corpus';
import { examine } from '../examine';
import { EXPLANATIONS } from '../findings/codes';
import { fixOf } from './fixes';

const texts = [
  ...wrong.map(({ title, text }): [string, string, object] => [title, text, {}]),
  ...EXPLANATIONS.flatMap(({ explanations }) => explanations).map((each): [string, string, object] => [
    each.id,
    each.wrong,
    each.config ?? {},
  ]),
];

const proposing = texts.filter(([, text, config]) =>
  examine(text, { config: { ...config } }).findings.some(({ hint }) => hint?.includes('did you mean')),
);

test('there are many', () => {
  expect(proposing.length).toBeGreaterThan(30);
});

test.each(proposing)('the fix of %s', (_, text, config) => {
  const { file, findings } = examine(text, { config: { ...config } });
  for (const finding of findings.filter(({ hint }) => hint?.includes('did you mean'))) {
    const fix = fixOf(finding, [file]);
    expect([finding.message, fix]).toEqual([finding.message, expect.anything()]);
    if (fix === undefined) continue;
    const { at, text: word } = fix;
    const after = file.text.slice(0, at.start.offset) + word + file.text.slice(at.end.offset);
    const left = examine(after, { config: { ...config } }).findings;
    expect(left.filter(({ code, message }) => code === finding.code && message === finding.message)).toEqual([]);
  }
});
