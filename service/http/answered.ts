// An answer before it becomes text: status, body, and headers of its own.
// It must not know where it goes.

/** `body: undefined` is an empty body. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: { readonly [name: string]: string };
}

/** What most answers have of their own. */
export const NO_HEADERS: Answered['headers'] = {};

/** An answer without headers of its own. */
export function jsonAnswer(status: number, body: unknown): Answered {
  return { status, body, headers: NO_HEADERS };
}
