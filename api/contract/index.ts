// The door of the contract: what crosses the wire.
export * from './call';
export * from './diagnostic';
export * from './dialect';
export * from './maps';
export * from './names';
export * from './route';
export * from './routes';
export * from './schemas';
export * from './catalogue/class-metadata';
export * from './catalogue/packs';
