// The layout of stack files: of examples, pages and random stacks, a second time changes nothing,
// and the plan stays.
import fc from 'fast-check';
import { writtenYaml } from '../../test/docs/page-blocks';
import { randomStack } from '../../test/world/random-stacks';
import { choosing, documentOf, yamlText } from '../../test/world/stack-yaml';
import { formatYaml, readStack } from '..';

const written = writtenYaml();

/** The plan without places. */
function planText(text: string): string {
  const environment = { readFile: () => ({ text: '' }), env: { REGION: 'east' } };
  const { plan, findings } = readStack([{ name: 'oneops.yaml', text }], environment);
  const withoutPlaces = (key: string, value: unknown): unknown =>
    ['at', 'place', 'places', 'hidden'].includes(key) ? undefined : value;
  return JSON.stringify([plan, findings.map(({ code, message }) => [code, message])], withoutPlaces);
}

function judge(text: string): void {
  const once = formatYaml(text);
  if (once === undefined) throw new Error(`no layout for\n${text}`);
  expect(formatYaml(once)).toBe(once);
  expect(planText(once)).toBe(planText(text));
}

test.each(written)('%s', (_, text) => {
  expect(written.length).toBeGreaterThan(40);
  judge(text);
});

test('random stacks in random layouts', () => {
  const choices = fc.array(fc.nat(60), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(randomStack, choices, (spec, numbers) => judge(yamlText(documentOf(spec), choosing(numbers)))),
    { numRuns: Number(process.env['RUNS'] ?? '10') },
  );
});
