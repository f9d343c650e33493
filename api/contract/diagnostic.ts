// One finding about what a person wrote, as a value.

/** Keys and list indexes from the checked value's root to the place of a finding. */
export type Path = readonly (string | number)[];

/** One finding. A value, collected and returned; never thrown one by one (architecture §2). */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** Closed set of words, `kebab-case`; tests and tools match on it, never on the message. */
  readonly code: string;
  /** What is wrong, in a sentence without a trailing full stop; contains no secret. */
  readonly message: string;
  readonly path: Path;
  /** What to do, when we know it. */
  readonly hint?: string;
}

/** A finding that stops the run. */
export function problem(code: string, path: Path, message: string, hint?: string): Diagnostic {
  return { severity: 'error', code, message, path, ...(hint === undefined ? {} : { hint }) };
}

/** A finding that is reported and lets the run continue. */
export function warning(code: string, path: Path, message: string, hint?: string): Diagnostic {
  return { severity: 'warning', code, message, path, ...(hint === undefined ? {} : { hint }) };
}

/** A finding and what to do about it, as one text. */
export const inOneSentence = ({ message, hint }: Diagnostic): string =>
  hint === undefined ? message : `${message}: ${hint}`;

/** `a.b[2]["odd key"]`: a path as people write it. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[A-Za-z_][\w-]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}
