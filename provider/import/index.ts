// The door of taking over: addresses, what stands below them, and the file for `pulumi import --file`.
// It must not know who asks.
export { declaredName, placeAt, type Place } from './addresses';
export { recordsBelow, type Below } from './below';
export { importFile, type ImportEntry, type ImportFile, type Note, type Taken } from './import-file';
