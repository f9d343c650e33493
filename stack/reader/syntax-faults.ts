// What each error of the YAML grammar means to the person who wrote it.
// It must not know the library that finds the errors, beyond the words it calls them by.

/** A finding's words for one code of the grammar. */
export interface SyntaxFault {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

const syntaxFaults: { readonly [code: string]: SyntaxFault } = {
  TAB_AS_INDENT: { code: 'tab', message: 'a tab cannot indent', hint: 'indent with spaces' },
  BAD_INDENT: {
    code: 'bad-indent',
    message: 'the indentation does not fit the lines before it',
    hint: 'keys of one map start in one column; close every [ and {; text under "|" is indented throughout',
  },
  MULTILINE_IMPLICIT_KEY: {
    code: 'bad-syntax',
    message: 'a key that goes over several lines',
    hint: 'is a ":" missing, or is the text above, under "|" perhaps, indented too little?',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    code: 'bad-syntax',
    message: 'a map or list cannot start here',
    hint: 'put it on a separate line, indented; quote a text that holds ": "',
  },
  BAD_SCALAR_START: {
    code: 'bad-syntax',
    message: 'a text cannot start with this character',
    hint: 'put the text in quotes',
  },
  BAD_DQ_ESCAPE: {
    code: 'bad-syntax',
    message: 'an escape that double quotes do not know',
    hint: 'write "\\\\" for a backslash, or use single quotes',
  },
  UNEXPECTED_TOKEN: { code: 'bad-syntax', message: 'this is not allowed here', hint: 'is the indentation right?' },
  MISSING_CHAR: { code: 'bad-syntax', message: 'something is missing here', hint: 'a closing quote or a ":"?' },
  ALIAS_PROPS: { code: 'bad-syntax', message: 'an alias cannot have an anchor or a tag of its own' },
  BAD_ALIAS: {
    code: 'bad-syntax',
    message: 'an alias without a name',
    hint: 'quote a text that starts with "*" or "&"',
  },
  BAD_DIRECTIVE: { code: 'bad-syntax', message: 'a directive YAML does not know' },
  KEY_OVER_1024_CHARS: { code: 'bad-syntax', message: 'a key of more than 1024 characters' },
  RESOURCE_EXHAUSTION: { code: 'too-deep', message: 'nested too deeply' },
};

/** The words for a code; codes without their own words are simply not valid YAML. */
export function syntaxFault(code: string): SyntaxFault {
  return syntaxFaults[code] ?? { code: 'bad-syntax', message: 'this is not valid YAML' };
}

/**
 * The words for a reference between braces or brackets whose own brace the grammar took for a map, and its place; undefined when the fault at
 * `offset` is not in one.
 */
export function unquotedReference(
  text: string,
  offset: number,
): (SyntaxFault & { readonly pos: readonly [number, number] }) | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const found = /[^\s,[\]{}"':]*\$(?:OO_[A-Z]+)?\{[^{}\n]*$/.exec(text.slice(lineStart, offset + 1));
  if (found === null) return undefined;
  const start = lineStart + found.index;
  const written = /^[^{]*\{[^{}\n,]*\}?/.exec(text.slice(start))?.[0] ?? '';
  return {
    code: 'unquoted-reference',
    message: `a reference between braces or brackets must be in quotes`,
    hint: `write "${written}" with its quotes`,
    pos: [start, start + written.length],
  };
}

/** Characters that look like a space, or like nothing, and are letters to YAML. */
const SPACES: { readonly [character: string]: string } = {
  '\u00A0': 'no-break space',
  '\u200B': 'zero width space',
  '\u202F': 'narrow no-break space',
  '\u3000': 'ideographic space',
  '\uFEFF': 'byte order mark',
};
const SPACE = `[${Object.keys(SPACES).join('')}\\u2000-\\u200A]`;

/** Whether a text has such a character at all. */
export const hasOddSpace = (text: string): boolean => new RegExp(SPACE, 'u').test(text);

/** In a plain text, such a character at an end of it, or next to a mark of YAML, was meant as a space. */
const MISTAKEN = new RegExp(`(?<=^[-?]?)${SPACE}|(?<=:)${SPACE}|${SPACE}(?=#|\\s*$)`, 'u');

/** The words for a character of a plain text that was meant as a space, and its place in the text. */
export function mistakenSpace(text: string): (SyntaxFault & { readonly index: number }) | undefined {
  const found = MISTAKEN.exec(text);
  if (found === null) return undefined;
  const number = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return {
    code: 'bad-syntax',
    message: `the character U+${number} (${SPACES[found[0]] ?? 'a wide space'}) is no space to YAML`,
    hint: 'type a space in its place',
    index: found.index,
  };
}

/** The words for a quote or bracket that is never closed. */
export function unclosed(opened: string): SyntaxFault {
  return { code: 'unclosed', message: `${opened} is never closed` };
}

/** The hint for the first line that is not part of a text under "|" or ">" any more, which starts at `start`. */
export function endedAt(text: string, start: number): { readonly hint: string } {
  const before = text.slice(0, start).split('\n');
  const column = (before.at(-1) ?? '').search(/\S/) + 1;
  return {
    hint: `the text that starts at ${before.length}:${column} ends here: indent this line as far as its others`,
  };
}
