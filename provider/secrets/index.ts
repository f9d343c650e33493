// The door of secrets: which values are secret, and how a secret is hidden.
export * from './attributes';
export * from './forms';
export * from './mask';
export * from './names';
export { secretWrite, serviceStamp, type SecretWrite } from './writes';
