// The entry point of taking over: addresses, what is below them, and the file for `pulumi import --file`.
export { declaredName, placeAt, type RecordPlace } from './addresses';
export { recordsBelow } from './below';
export {
  importFile,
  readTaken,
  type ImportedFor,
  type ImportFile,
  type Note,
  type ReadRecords,
  type Taken,
  type TakenRecord,
} from './import-file';
export { survey } from './below';
export { canBeFound, recordsWithin, searchNames } from './below';
