// Pages and examples as people read them: their texts, the blocks of pages, and the YAML of both.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..');

export const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** Paths of the files in a folder, at any depth, by the end of their names. */
export const filesBelow = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

/** The names of the pages in a folder. */
export const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

/** The blocks of a language in the text of a page. */
export const blocksOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);

/**
 * YAML of the examples and of the pages, each with where it is. The reference of findings shows
 * wrong files, some of which cannot be read.
 */
export const writtenYaml = (): readonly (readonly [where: string, text: string])[] => [
  ...filesBelow('examples', '.yaml').map((name) => [name, textOf(name)] as const),
  ...filesBelow('docs', '.md')
    .filter((page) => !page.endsWith('findings.md'))
    .flatMap((page) =>
      blocksOf(textOf(page), 'yaml').map((text, index) => [`${page} block ${index + 1}`, text] as const),
    ),
];
