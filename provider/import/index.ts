// The door of taking over: addresses, what stands below them, and the file for `pulumi import --file`.
// It must not know who asks.
export { declaredName, placeAt, type Place } from './addresses';
export { recordsBelow } from './below';
export { importFile, type ImportFile, type Note, type Taken } from './import-file';
