// What became of every setting as lines of text.
// It must not know how a setting was converted.
import { explanationOf } from '../findings/codes';
import type { Account } from './ledger';

const WIDTH = 80;

/** One line for each account, `FILE:LINE  setting  what became of it`; what is wider than a terminal continues below. */
export function reportLines(accounts: readonly Account[]): readonly string[] {
  return accounts.flatMap(({ file, line, setting, code, outcome, note }) => {
    const became = [`${outcome} ${explanationOf(code)?.id ?? code}`, ...(note === undefined ? [] : [note])].join(': ');
    const head = `${file}:${line}  ${setting}`;
    const whole = `${head}  ${became}`;
    return whole.length <= WIDTH ? [whole] : [head, ...wrapped(became)];
  });
}

function wrapped(text: string): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length + 5 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => `    ${line}`);
}

/** How many settings had each outcome, in a sentence. */
export function countLine(accounts: readonly Account[]): string {
  const count = (outcome: Account['outcome']): number => accounts.filter((each) => each.outcome === outcome).length;
  const all = `${accounts.length} ${accounts.length === 1 ? 'setting' : 'settings'}`;
  return `${all}: ${count('carried')} carried, ${count('changed')} changed, ${count('left behind')} left behind`;
}
