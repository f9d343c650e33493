// Patterns of rules, and days.
// It must not know rules.

/** Whether a text fits a pattern: `*` stands for anything within one part, `**` for anything; parts end at `separator`. */
export function matches(pattern: string, text: string, separator: '/' | '.'): boolean {
  const within = separator === '/' ? '[^/]*' : '[^.]*';
  const expression = pattern
    .split(/(\*+)/)
    .map((piece) => {
      if (piece.startsWith('**')) return '[^]*';
      return piece === '*' ? within : piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${expression}$`).test(text);
}

/** Whether a text is a day that there is: `2027-01-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
