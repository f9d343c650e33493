// The type of a record that is being made.
// It must not know any record.

/**
 * A record while it is made: optional members are set afterwards, each where there is a value. Spreading them into the literal costs several times
 * as much, which counts where a stack has thousands of records.
 */
export type Building<T> = { -readonly [Member in keyof T]: T[Member] };
