// Help in 80 columns: lines that are too long are broken at words, below the text that they continue.
// It must not know any command.

const WIDTH = 80;

/** A line with the column at which its text continues: after the option that it explains, or where it begins. */
interface Line {
  readonly text: string;
  readonly indent: number;
  /** Whether it explains another option, or is not running text: it continues no other line. */
  readonly isNew: boolean;
}

function lineOf(text: string): Line {
  const explained = /^ *\S(?:.*?\S)?(?: {2,})(?=\S)/.exec(text)?.[0].length;
  const indent = explained ?? text.length - text.trimStart().length;
  return { text, indent, isNew: explained !== undefined || /^(?:usage:|exit codes|examples)|^\s*$/.test(text) };
}

/** A text of help with no line of more than 80 columns. */
export function helpText(help: string): string {
  const blocks: Line[][] = [];
  for (const line of help.split('\n').map(lineOf)) {
    const block = blocks.at(-1);
    if (block === undefined || line.isNew || line.indent !== block[0]?.indent || block[0].text.trim() === '')
      blocks.push([line]);
    else block.push(line);
  }
  return blocks.flatMap(broken).join('\n');
}

/** The lines of a block: as they are where they fit, and with other breaks where one does not. */
function broken(block: readonly Line[]): readonly string[] {
  const [first] = block;
  if (first === undefined || block.every(({ text }) => text.length <= WIDTH)) return block.map(({ text }) => text);
  const margin = ' '.repeat(first.indent);
  const [word = '', ...words] = block
    .map(({ text, indent }) => text.slice(indent))
    .join(' ')
    .split(' ');
  const lines = [first.text.slice(0, first.indent) + word];
  for (const next of words) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + next.length > WIDTH) lines.push(margin + next);
    else lines[lines.length - 1] = `${line} ${next}`;
  }
  return lines;
}
