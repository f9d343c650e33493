// The door of administration.
// It must not know anything beyond it.
export { administered, isAdministrative } from './administered';
