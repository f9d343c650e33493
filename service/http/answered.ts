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

/** An answer that is text of a media type, and goes out as it is. */
export function textAnswer(media: string, text: string): Answered {
  return { status: 200, body: text, headers: { 'content-type': `${media}; charset=utf-8` } };
}

/** Whether an answer is such a text. */
export const isText = ({ body, headers }: Answered): boolean =>
  typeof body === 'string' && headers['content-type'] !== undefined;

/** An answer without headers of its own. */
export function jsonAnswer(status: number, body: unknown): Answered {
  return { status, body, headers: NO_HEADERS };
}
