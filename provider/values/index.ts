// The door of values: what a value may look like, where in a value something is, and texts.
export { mapValues } from '../../api/contract';
export * from './plain';
export * from './property-path';
export * from './shape';
export * from './text';
