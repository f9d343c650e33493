// The door of the client.
// It must not know who calls it.
export * from './api';
export type { RetryPolicy } from './retry';
