// The explain command: what it prints for an id and for a word, and what it says to a code that does not exist.
import { CONVERSION_CODES, EXPLANATIONS } from '../../../stack';
import { explainCommand } from './explain';

async function explain(...words: readonly string[]): Promise<string> {
  const written: string[] = [];
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    await explainCommand.run(words);
    return written.join('');
  } finally {
    spy.mockRestore();
  }
}

test('an id and its word print the same: meaning, the mistake with its finding, what is right', async () => {
  const text = await explain('ONE1207');
  expect(await explain('unknown-platform')).toBe(text);
  expect(await explain('1207')).toBe(text);
  expect(text).toMatch(/^ONE1207 unknown-platform\n\nThe file declares no platform/);
  expect(text).toContain('oneops.yaml:6:18: error ONE1207: there is no platform "wbe"\n');
  expect(text).toMatch(/\nRight:\n\n {2}assembly: \{ name: shop \}\n/);
});

test.each(CONVERSION_CODES.map((each): [string, typeof each] => [each.id, each]))(
  '%s is explained with an old file and what convert says of it',
  async (id, { code, meaning, old }) => {
    const text = await explain(id);
    expect(await explain(code)).toBe(text);
    expect(text.replace(/\s+/g, ' ')).toContain(meaning);
    for (const line of old.trim().split('\n')) expect(text).toContain(`  ${line}`.trimEnd());
    expect(text.slice(text.indexOf('What convert says:'))).toContain(id);
  },
);

test('without a code, all are listed', async () => {
  const text = await explain();
  for (const { explanations } of [...EXPLANATIONS, { explanations: CONVERSION_CODES }])
    for (const { id, code } of explanations) expect(text).toContain(`  ${id}  ${code}\n`);
});

test('JSON for programs', async () => {
  expect(JSON.parse(await explain('ONE1207', '--json'))).toMatchObject({ id: 'ONE1207', code: 'unknown-platform' });
});

test('a code that does not exist is answered with the nearest one', async () => {
  await expect(async () => explain('unknown-plattform')).rejects.toThrow('did you mean "unknown-platform"?');
  await expect(async () => explain('ONE1207', 'ONE1208')).rejects.toThrow('explain takes one code');
});

test('meanings and examples fit a terminal of 80 columns', async () => {
  for (const { id, meaning } of EXPLANATIONS.flatMap(({ explanations }) => explanations)) {
    const lines = (await explain(id)).split('\n');
    const prose = lines.slice(2, lines.indexOf('Wrong:'));
    expect(prose.join(' ').trim()).toBe(meaning);
    expect(prose.filter((line) => line.length > 80)).toEqual([]);
  }
});
