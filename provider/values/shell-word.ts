// One word of a command that a person copies into a shell.

/** A text as one word for a POSIX shell: as it is where nothing in it means something to a shell, else in single quotes. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
