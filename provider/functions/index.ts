// The door of functions: the list of them, and how they are called.
// It must not know the SDK or the YAML language.
export type { ApiFunction } from './api-function';
export { checkArguments } from './arguments';
export { FunctionFailed, newCaller, type Caller } from './caller';
export { functions } from './functions';
export { wrapSecrets, type RecordType, type Result, type Results, type ResultShape } from './result';
