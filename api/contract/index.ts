// The door of the contract: what crosses the wire.
// It must not know who is at either end.
export * from './body';
export * from './diagnostic';
export * from './dialect';
export * from './names';
export * from './record';
export * from './route';
export * from './routes';
export type * from './wire';
export * from './catalogue';
