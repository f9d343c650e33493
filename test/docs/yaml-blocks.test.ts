// Every stack file in the docs and the examples reads without a finding. The page of findings shows wrong files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classMetadata, templateClass } from '../../api/contract';
import { readStack } from '../../stack';

const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['docs', join('docs', 'reference', 'kinds')];
const PAGES = [
  'README.md',
  ...FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name))),
].filter((name) => name.endsWith('.md') && !name.endsWith('findings.md'));

/** Blocks that are stack files: Pulumi.yaml and pieces are recognized by what they lack. */
const blocks = PAGES.flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/```yaml\n([^]*?)```/g)]
    .map((match) => match[1] as string)
    .filter((text) => /^assembly:/m.test(text) && !text.startsWith('# file: '))
    .map((text, index): [string, string] => [`${page} block ${index + 1}`, text]),
);

/** Files that a page shows next to its blocks: each begins with `# file: NAME`. */
const filesOf = (name: string): { readonly name: string; readonly content: { readonly text: string } }[] =>
  [
    ...readFileSync(join(ROOT, name.replace(/ block \d+$/, '')), 'utf8').matchAll(
      /```yaml\n# file: ([^\n]+)\n([^]*?)```/g,
    ),
  ].map(([, file = '', text = '']) => ({ name: file, content: { text } }));

const examples = readdirSync(join(ROOT, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(ROOT, 'examples', entry.name, 'oneops.yaml')))
  .map((entry): [string, string] => [
    `examples/${entry.name}`,
    readFileSync(join(ROOT, 'examples', entry.name, 'oneops.yaml'), 'utf8'),
  ]);

test('there are blocks to read', () => {
  expect(blocks.map(([name]) => name)).toEqual(expect.arrayContaining(['README.md block 1', 'docs/yaml.md block 1']));
});

test.each([...blocks, ...examples])('%s', (name, text) => {
  const { findings, plan } = readStack([{ name, text }], {
    classMetadata,
    templateClass,
    readFile: () => ({ text: 'a file that the page names' }),
    env: { REGION: 'east' },
    choices: {
      stack: 'dev',
      include: (pattern) => {
        const matches = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
        return { files: filesOf(name).filter((file) => matches.test(file.name)) };
      },
    },
  });
  // A page of a kind shows every argument, whatever the others are.
  const isWhole = name.startsWith(join('docs', 'reference', 'kinds'));
  expect(findings.filter(({ code }) => !isWhole || code !== 'idle-setting')).toEqual([]);
  expect(plan?.resources.length).toBeGreaterThan(1);
});
