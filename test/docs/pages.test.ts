// Laws of the pages: every link leads somewhere, the index lists every page, and every dependency is explained.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(__dirname, '..', '..');

const below = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));

const pages = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'llms.txt',
  ...below('docs'),
  ...below('examples'),
];
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const prose = (page: string): string => textOf(page).replace(/^```[^]*?^```$/gm, '');

/** Anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (page: string): readonly string[] =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

const linksOf = (page: string): readonly string[] =>
  [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
}

test.each(pages.filter((page) => linksOf(page).length > 0))('every link of %s leads somewhere', (page) => {
  expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([]);
});

test('the index lists every page', () => {
  const listed = linksOf('docs/README.md').map((link) => join('docs', link));
  const all = below('docs').filter((page) => page !== 'docs/README.md' && !page.startsWith('docs/reference/'));
  expect(all.filter((page) => !listed.includes(page))).toEqual([]);
});

test('a page that people write has at most 1,700 words', () => {
  const written = readdirSync(join(ROOT, 'docs')).filter(
    (name) => name.endsWith('.md') && !['findings.md', 'bench.md'].includes(name),
  );
  expect(written.filter((name) => textOf(`docs/${name}`).split(/\s+/).length > 1700)).toEqual([]);
});

test('every dependency is explained, and every one that is not at its newest version', () => {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as { readonly [key: string]: { readonly [name: string]: string } };
  const page = textOf('docs/design/dependencies.md');
  const names = Object.keys({ ...dependencies, ...peerDependencies });
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);

  const cellsOf = (title: string): readonly (readonly string[])[] => {
    const section = page.slice(page.indexOf(`## ${title}`)).split('\n## ')[0] ?? '';
    const rows = section.split('\n').filter((row) => row.startsWith('| `'));
    return rows.map((row) => row.split('|').map((cell) => cell.trim()));
  };
  const listed = cellsOf('Libraries').flatMap(([, name]) => name?.match(/[\w./@-]+/g) ?? []);
  expect(listed.filter((name) => !(name in (dependencies ?? {})))).toEqual([]);

  const all: { readonly [name: string]: string } = { ...dependencies, ...devDependencies };
  const behind = cellsOf('Not at the newest version').map(([, name = '', version]) => [
    name.replaceAll('`', ''),
    version,
  ]);
  expect(behind.length).toBeGreaterThan(0);
  for (const [name = '', version] of behind) expect(`${name} ${all[name]?.split('.')[0]}`).toBe(`${name} ${version}`);
});
