// The golden corpus: small stack files with exactly the findings that people see. Each file of the corpus contains many: `=== title`, the text, and a
// line `=> …` for each finding, with ` | hint` where its hint matters. `@shop`, `@web` and `@prod` are short for the lines that most of them begin with.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, 'fixtures', 'findings');

const LINES: { readonly [word: string]: string } = {
  '@shop': 'assembly: { name: shop }',
  '@web': 'platforms: { web: { pack: oneops/tomcat:1 } }',
  '@prod': 'environments:\n  prod:\n    clouds: [east]',
};

/** One stack file. */
export interface Case {
  readonly title: string;
  readonly text: string;
  readonly findings: readonly string[];
}

const casesOf = (file: string): readonly Case[] =>
  readFileSync(join(FOLDER, file), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.trimEnd().split('\n');
      const isFinding = (line: string): boolean => line.startsWith('=> ');
      const text = lines.filter((line) => !isFinding(line)).map((line) => `${LINES[line] ?? line}\n`);
      return { title, text: text.join(''), findings: lines.filter(isFinding).map((line) => line.slice(3)) };
    });

/** Files with something wrong, and files with nothing wrong. */
export const wrong = casesOf('wrong.txt');
export const right = casesOf('right.txt');
