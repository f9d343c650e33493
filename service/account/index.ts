// The door of account and organizations.
// It must not know anything beyond it.
export { accountHandlers } from './account';
