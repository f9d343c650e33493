// The door of the contract: what crosses the wire.
export * from './body';
export * from './call';
export * from './diagnostic';
export * from './dialect';
export * from './instance';
export * from './json-measure';
export * from './names';
export * from './openapi';
export * from './record';
export * from './release';
export * from './route';
export * from './routes';
export type * from './wire';
export * from './catalogue';
