// The door of administration.
export { administered, isAdministrative } from './administered';
