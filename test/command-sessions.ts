// Sessions of commands that need no service, as a person sees them on a terminal. A file of test/fixtures/sessions has many: `=== title`, files as
// `== NAME` with their lines below, or as `== NAME: LINE`, and commands as `$ WORDS` with everything that is printed, or with nothing below if it is
// what the next command prints. `$ cat NAME` shows a file, and `$ ls FOLDER` what is in it. What goes to the standard error begins with `! `, a line
// `...` stands for any lines, and the last line is the exit code, `[3]`, unless it is 0. Of findings, the quoted lines and the count are left out, and
// a hint or a further place is compared where the session has it. No output contains `canary`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { COMMANDS } from '../cli/table';
import { type Outcome, runToEnd } from './run-command';

/** A file to write, or a command to run, and the lines below it. */
interface Step {
  readonly does: string;
  readonly lines: readonly string[];
}

function stepsOf(lines: readonly string[]): readonly Step[] {
  const steps: { readonly does: string; readonly lines: string[] }[] = [];
  for (const line of lines)
    if (/^(== |\$ )/.test(line)) steps.push({ does: line, lines: [] });
    else steps.at(-1)?.lines.push(line);
  return steps;
}

/** The sessions of a file, by their titles. */
export const sessionsIn = (file: string): readonly (readonly [title: string, steps: readonly Step[]])[] =>
  readFileSync(join(__dirname, 'fixtures', 'sessions', file), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((session) => {
      const [title = '', ...lines] = session.trimEnd().split('\n');
      return [title, stepsOf(lines)];
    });

/** What is printed, line by line, and the exit code. */
function shownOf({ code, stdout, stderr }: Outcome): readonly string[] {
  const linesOf = (text: string): readonly string[] =>
    text
      .replaceAll(process.cwd(), 'HERE')
      .replace(/^ {2}.*\n {2} *\^+\n/gm, '')
      .replace(/^\d+ (error|warning)s?(, \d+ warnings?)?\n/gm, '')
      .split('\n')
      .slice(0, -1);
  const exit = code === 0 ? [] : [`[${code}]`];
  return [...linesOf(stderr).map((line) => `! ${line}`.trimEnd()), ...linesOf(stdout), ...exit];
}

/** Whether these lines are what is shown. */
function areShown([line, ...others]: readonly (string | undefined)[], shown: readonly string[]): boolean {
  if (line === '...') return [...shown, ''].some((_, index) => areShown(others, shown.slice(index)));
  const [first, ...rest] = shown;
  if (first !== undefined && first === line) return areShown(others, rest);
  if (/^(! )? {2}(hint|see): /.test(first ?? '')) return areShown([line, ...others], rest);
  return first === line;
}

/** Words of a line as a shell has them. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted = word]) => quoted);

/** What the words of a command print. */
async function ran([name = '', ...words]: readonly string[]): Promise<Outcome> {
  const shown = (stdout: string): Outcome => ({ code: 0, stdout, stderr: '' });
  const [place = ''] = words;
  if (name === 'cat') return shown(readFileSync(place, 'utf8'));
  if (name === 'ls') return shown(`${readdirSync(place).sort().join(' ')}\n`);
  const found = COMMANDS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no command ${name}`);
  return runToEnd(await found.load(), {}, ...words);
}

/** Carries the steps out in this folder. */
export async function play(steps: readonly Step[]): Promise<void> {
  for (const [index, { does, lines }] of steps.entries()) {
    const [, name, line] = /^== (\S+?)(?:: (.*))?$/.exec(does) ?? [];
    if (name !== undefined) {
      mkdirSync(dirname(name), { recursive: true });
      writeFileSync(name, [...(line === undefined ? [] : [line]), ...lines].map((each) => `${each}\n`).join(''));
      continue;
    }
    const { lines: printed } =
      steps.slice(index).find((each) => each.does.startsWith('$') && each.lines.length > 0) ?? {};
    if (printed === undefined) throw new Error(`nothing is printed by ${does}`);
    const shown = shownOf(await ran(wordsOf(does).slice(1)));
    if (!does.startsWith('$ cat')) expect(shown.join('\n')).not.toContain('canary');
    // Where they differ, the difference is shown.
    if (!areShown(printed, shown)) expect([does, ...shown]).toEqual([does, ...printed]);
  }
}
