// The door of taking over: addresses, what is below them, and the file for `pulumi import --file`.
export { placeAt, type RecordPlace } from './addresses';
export { canBeFound, recordsBelow, recordsWithin, searchNames, survey } from './below';
export {
  derived,
  importFile,
  readTaken,
  type DeclaredEntry,
  type ImportedFor,
  type ImportFile,
  type Note,
  type ReadRecords,
  type Taken,
  type TakenRecord,
} from './import-file';
export { settingsBelow, type GivenRecord, type RecordedValues, type SetValue } from './settings-below';
