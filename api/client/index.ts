// The door of the client.
// It must not know who calls it.
export * from './api';
export { retryAfterOf } from './answer';
export type { ClientEvent, GaveUp, Observe, Sent } from './events';
export type { RetryPolicy } from './retry';
export { retryBudget, type RetryBudget } from './retry-budget';
export type { Areas, CallOptions, Method, RecordMethods, Value } from './methods';
export { OneOps } from './oneops';
