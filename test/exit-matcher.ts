// `expect(ended).toExitWith(0)`: a command that ends with another code fails the test with what it printed.
// `toMatchObject({ code: 0 })` would show the two codes alone, and a failure on a build machine could not be explained.

/** How a command ended. Each world names what was printed in its own way. */
interface Ended {
  readonly code: number | null;
  readonly output?: string;
  readonly stdout?: string;
  readonly stderr?: string;
}

declare global {
  namespace jest {
    interface Matchers<R> {
      /** Passes if a command ended with this code; a failure shows what it printed. */
      toExitWith(code: number): R;
    }
  }
}

expect.extend({
  toExitWith({ code, output = '', stdout = '', stderr = '' }: Ended, expected: number) {
    const printed = [output, stdout, stderr].filter((text) => text !== '').join('\n');
    return {
      pass: code === expected,
      message: () => `expected the exit code ${expected}, got ${code}; the command printed:\n\n${printed}`,
    };
  },
});
