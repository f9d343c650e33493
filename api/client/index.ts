// The door of the client.
export { type ClientOptions, createApi } from './api';
export { retryAfterOf } from './answer';
export type { AuditLine } from './audit';
export type { ClientEvent, GaveUp, Observe, Sent } from './exchange';
export { MOST_ATTEMPTS, retryBudget, type RetryBudget, type RetryPolicy } from './retry';
export type { Areas, CallOptions } from './areas';
export { OneOps } from './oneops';
// What a program that imports the client alone needs to branch on failures and to name results.
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
export {
  type Api,
  type Attributes,
  type CallInput,
  type Component,
  type Deployment,
  type DeploymentStatus,
  type Dialect,
  type Environment,
  type EnvironmentPlatform,
  type Instance,
  type OrganizationRow,
  type Procedure,
  type Record,
  type Relation,
  type Release,
  type Repeat,
  type Route,
  routes,
  type Send,
  type SentRecord,
  type TeamRow,
  type Template,
  type WireRequest,
  type WireResponse,
} from '../contract';
export type { After, ProcessVariables as ProcessEnvironment, TransportOptions } from '../transport';
