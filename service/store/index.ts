// The door of the store. Each table is reached through the part that owns it.
export type { Deployments } from './deployments';
export type { StoredApproval, StoredDeployment, StoredDeploymentRecord, StoredMove } from './deployments';
export type { StoredAction, StoredAttachmentRun, StoredProcedure } from './deployments';
export type { Job } from './deployments';
export type { CloseFacts } from './releases';
export type { Rights, StoredUser } from './users';
export * from './store';
export * from './rows';
export { DatabaseInUse } from './database';
export * from './private-file';
export { UnknownRow } from './database';
export { TokenTaken } from './users';
export * from './stage';
