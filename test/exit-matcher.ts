// `expect(ended).toExitWith(0, { stdout: 'written' })`: a command that ends with another code, or prints something
// else, fails the test with what it printed. `toMatchObject({ code: 0 })` would show the two codes alone, and a failure
// on a build machine could not be explained.

const STREAMS = ['output', 'text', 'stdout', 'stderr'] as const;
type Streams<T> = { readonly [stream in (typeof STREAMS)[number]]?: T };

/** How a command ended. Each world names what was printed in its own way. */
type Ended = Streams<string> & { readonly code: number | null };

/** Texts and patterns in what was printed; '' for nothing at all. */
type Texts = string | RegExp | readonly (string | RegExp)[];

/** `without`: texts that are on no stream. */
type Printed = Streams<Texts> & { readonly without?: Texts };

declare global {
  namespace jest {
    interface Matchers<R> {
      /** Passes if a command ended with this code and printed these texts; a failure shows what it printed. */
      toExitWith(code: number, printed?: Printed): R;
    }
  }
}

const isPrinted = (text: string, wanted: string | RegExp): boolean => {
  if (wanted === '') return text === '';
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
};

expect.extend({
  toExitWith(ended: Ended, expected: number, printed: Printed = {}) {
    const all = STREAMS.map((stream) => ended[stream] ?? '')
      .filter((text) => text !== '')
      .join('\n');
    const wrong = [
      ...STREAMS.flatMap((stream) =>
        [printed[stream] ?? []]
          .flat()
          .filter((wanted) => !isPrinted(ended[stream] ?? '', wanted))
          .map((wanted) => `\n${stream} is not: ${wanted === '' ? 'empty' : String(wanted)}`),
      ),
      ...[printed.without ?? []]
        .flat()
        .filter((unwanted) => isPrinted(all, unwanted))
        .map((unwanted) => `\nit must not print: ${String(unwanted)}`),
    ];
    return {
      pass: ended.code === expected && wrong.length === 0,
      message: () =>
        `expected the exit code ${expected}, got ${ended.code}; the command printed:\n\n${all}${wrong.join('')}`,
    };
  },
});
