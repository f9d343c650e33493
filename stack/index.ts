// The door of the YAML stack: texts to findings or a plan. Conversions and exports have own doors.

// The language: reading, findings, values.
export { readStack, type ReadStack, type WrittenResource } from './bind/stack';
export { bindConfig } from './bind/config';
export type { Choices } from './compose/composition';
export { resolvedLines, type ResolvedLine } from './compose/resolved-file';
export { plainValue, withKnownValues } from './compose/known';
export { examine, includedFiles, pathsMatching, loadStack, stackSurroundings, type StackSource } from './run/load';
export { withTexts, type StackEnvironment } from './bind/scope';
export {
  catalogueFile,
  namedCatalogue,
  optionFindings,
  ownConfig,
  projectIn,
  scalarText,
  wordIn,
  type Project,
} from './run/project';
export { EXPLANATIONS, explanationOf, type Explanation } from './findings/codes';
export { CONVERSION_CODES, type ConversionCode } from './findings/old-files';
export {
  columnsOf,
  FINDING_FORMATS,
  findingsGithub,
  findingsJson,
  findingsSarif,
  sarifLocation,
  sarifLog,
  type FindingFormat,
  renderFindings,
} from './findings/show';
export { eachOnce, identityOf, type Finding } from './findings/finding';
export { keysTo, namesSaidInside } from './layout';
export { formatYaml } from './yaml/format';
export { checkedData, checkedFile, type ReportMistake } from './yaml/checked';
export { readYaml } from './yaml/read';
export { documentText } from './yaml/format';
export { lineStart, sourceFile, type FilePlace, type Position, type Range, type SourceFile } from './yaml/source';
export { dataIn, entryOf, type Entry, type MapNode, type Node, type Placed } from './yaml/tree';
export { secretsOf, type ResourceDeclaration, type StackPlan } from './plan';
export { knownCarrier, resolve, type Carrier } from './values/resolve';
export { foldersFrom, readTextFile, STANDARD_FILE, type FileContent } from './yaml/text-file';
export { EXPRESSION, holdsExpression, resourceKey, type ResourceKey, type Target, type Value } from './values/value';

// What editors ask.
export { definitionPlaces, fixOf, sitesOf, writtenPacks, type Sites } from './editor';

// Writing.
export { editedYaml } from './yaml/format';

// drift.yaml: what reviews and runs leave as it is.
export {
  attributeSpellings,
  CLASSIFICATIONS,
  DRIFT_FILE,
  SEVERITIES,
  driftFileSchema,
  exceptionMembers,
  fitsEntry,
  hasExpired,
  isAboutStack,
  dayOf,
  isDay,
  namesOne,
  readDriftFile,
  withExpected,
  withIgnored,
  type DriftFile,
  type ExpectedValue,
  type IgnoreEntry,
  type SeverityRule,
} from './run/drift-file';

// A stack in the engine. What declares one has a door of its own, because it loads Pulumi's SDK.
export { faceOf } from './host/face';
export { givenConfigFindings, isEncrypted, ownConfigIn, settingFindings, type SettingsFile } from './run/settings';
export { FILE_FUNCTIONS, type FileFunction } from './values/functions';
export { withNativeValues } from './export/record';
