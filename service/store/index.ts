// The door of the store. Each table is reached through the part that owns it.
export type { StoredApproval, StoredDeployment, StoredDeploymentRecord, StoredMove } from './deployments';
export type { Job, StoredAction, StoredAttachmentRun, StoredProcedure } from './deployments';
export type { Rights, StoredUser } from './users';
export * from './store';
export * from './rows';
export { DatabaseInUse, UnknownRow } from './database';
export * from './private-file';
export { TokenTaken } from './users';
export * from './stage';
