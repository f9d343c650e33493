// Values of a stack's configuration, which Pulumi keeps as texts.
// It must not know what is declared, nor how a wrong value is reported.

/** A configured text as a value of its type. A text that does not fit its type is returned as it is. */
export function configValue(type: unknown, text: string): unknown {
  if (type === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
