// How texts are laid out in a terminal: columns, wrapping, colours.
// It must not know what the texts are about.

const CODES = {
  bold: '1',
  dim: '2',
  red: '31',
  green: '32',
  yellow: '33',
  blue: '34',
  cyan: '36',
} as const;

export type Style = keyof typeof CODES;
export type Paint = (style: Style | readonly Style[], text: string) => string;

/** Paints with ANSI codes, or leaves texts alone. */
export const painter =
  (colour: boolean): Paint =>
  (style, text) => {
    const styles = typeof style === 'string' ? [style] : style;
    return colour && text !== '' ? `\u001b[${styles.map((each) => CODES[each]).join(';')}m${text}\u001b[0m` : text;
  };

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Columns a text without line breaks takes in a terminal. */
export function columnsOf(text: string): number {
  return [...text].reduce((sum, each) => sum + (/\p{M}/u.test(each) ? 0 : WIDE.test(each) ? 2 : 1), 0);
}

/** A text of at most that many columns; what is cut ends in `…`. */
export function fitted(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return `${columns < 2 ? '' : headOf(text, columns - 1)}…`;
}

/** A text filled up with spaces to that many columns. */
export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)));

/** Lines of at most that many columns, broken at spaces where possible; the first begins with `lead`, the others with `indent`. */
export function wrapped(text: string, columns: number, lead = '', indent = lead): readonly string[] {
  const lines: string[] = [];
  let start = lead;
  let line = '';
  const end = (): void => {
    lines.push(start + line);
    start = indent;
    line = '';
  };
  for (const word of text.split(' ')) {
    const room = (): number => columns - columnsOf(start);
    if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > room()) end();
    line = line === '' ? word : `${line} ${word}`;
    while (columnsOf(line) > room()) {
      const rest = line.slice(headOf(line, room()).length);
      line = headOf(line, room());
      end();
      line = rest;
    }
  }
  end();
  return lines;
}

/** As much of a text as fits into that many columns, at least one character. */
export function headOf(text: string, columns: number): string {
  let head = '';
  let used = 0;
  for (const each of text) {
    used += columnsOf(each);
    if (used > columns && head !== '') break;
    head += each;
  }
  return head;
}
