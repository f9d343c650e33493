// The layout of stack files: over the examples, the blocks of the pages and random stacks, a second time changes nothing, and the plan stays.
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classMetadata, templateClass } from '../../api/contract';
import { formatYaml, readStack } from '../../stack';
import { randomStack } from '../world/random-stacks';
import { choosing, documentOf, yamlText } from '../world/stack-yaml';

const ROOT = join(__dirname, '..', '..');

const filesBelow = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

const written: readonly (readonly [string, string])[] = [
  ...filesBelow('examples', '.yaml').map((name) => [name, textOf(name)] as const),
  // The reference of findings shows wrong files, some of which cannot be read: they have no layout.
  ...filesBelow('docs', '.md')
    .filter((page) => !page.endsWith('findings.md'))
    .flatMap((page) =>
      [...textOf(page).matchAll(/^```yaml\n([^]*?)^```$/gm)].map(
        ([, text = ''], index) => [`${page} block ${index + 1}`, text] as const,
      ),
    ),
];

/** The plan without places. */
function planText(text: string): string {
  const environment = { classMetadata, templateClass, readFile: () => ({ text: '' }), env: { REGION: 'east' } };
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
