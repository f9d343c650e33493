// Puts a chapter into docs/bench.md and leaves the others as they are.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../world/engine';

const PAGE = join(REPOSITORY, 'docs', 'bench.md');

/** The page with a chapter in the place of the one with the same heading, or at its end. */
function withChapter(page: string, text: string): string {
  const [heading = ''] = text.split('\n', 1);
  const [start = '', ...chapters] = page.trimEnd().split(/\n+(?=## )/);
  const isNew = !chapters.some((chapter) => chapter.startsWith(`${heading}\n`));
  const replaced = chapters.map((chapter) => (chapter.startsWith(`${heading}\n`) ? text : chapter));
  return `${[start, ...replaced, ...(isNew ? [text] : [])].join('\n\n')}\n`;
}

/** Writes a chapter, which begins with its heading. */
export function writeChapter(text: string): void {
  writeFileSync(PAGE, withChapter(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '', text));
}
