// The door of the store.
// It must not know anything beyond it.
export * from './jobs';
export * from './open-store';
export * from './rows';
export { NewerDatabase } from './schema';
export * from './stage';
export * from './store';
