// The door of the client.
export { createApi, type ClientOptions } from './api';
export { retryAfterOf } from './answer';
export type { AuditLine } from './audit';
export type { ClientEvent, GaveUp, Observe, Sent } from './events';
export { retryBudget, type RetryBudget, type RetryPolicy } from './retry';
export type { Areas, CallOptions, Method, RecordMethods, PathValue } from './methods';
export { OneOps } from './oneops';
// What a program that imports the client alone needs to branch on failures and to name what it gets.
export {
  Aborted,
  ApiError,
  AuditFailed,
  BadRequest,
  BadSettings,
  Conflict,
  ConnectionFailed,
  ContractError,
  Forbidden,
  NotFound,
  OneOpsError,
  RateLimited,
  ReadOnly,
  ServerError,
  StaleConnection,
  TimedOut,
  TooLarge,
  TransportError,
  Unauthenticated,
  Unprocessable,
  Untrusted,
} from '../errors';
export { routes } from '../contract';
export type {
  Api,
  Attributes,
  CallInput,
  Component,
  Deployment,
  DeploymentStatus,
  Dialect,
  Environment,
  EnvironmentPlatform,
  Instance,
  OrganizationRow,
  Procedure,
  Record,
  Relation,
  Release,
  Repeat,
  Route,
  Send,
  SentRecord,
  TeamRow,
  Template,
  WireRequest,
  WireResponse,
} from '../contract';
export type { After, ProcessVariables as ProcessEnvironment, TransportOptions } from '../transport';
