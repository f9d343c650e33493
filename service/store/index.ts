// The door of the store.
// It must not know anything beyond it.
export * from './jobs';
export * from './open-store';
export type * from './rows';
export { NewerDatabase } from './schema';
export { DatabaseInUse } from './database';
export { DamagedDatabase, ForeignDatabase, StorageFailure, StorageFull, WrongKey } from './storage-errors';
export { TokenTaken } from './users';
export * from './stage';
export * from './store';
