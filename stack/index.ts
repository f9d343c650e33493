// The door of the YAML stack: texts to findings or a plan.
// It must not know the commands that use it.

// The language: reading, findings, values.
export { readStack, type ReadStack, type WrittenResource } from './bind/bind-stack';
export { bindConfig } from './bind/config';
export { writtenPacks } from './bind/written-packs';
export type { Choices } from './compose/composition';
export { resolvedLines, type ResolvedLine } from './compose/resolved-file';
export { withKnownValues } from './compose/known';
export { plainValue } from './compose/known';
export { includedFiles, pathsMatching } from './included-files';
export type { StackEnvironment } from './bind/scope';
export { examine } from './examine';
export { catalogueFile, namedCatalogue } from './saved-catalogue';
export { CONVERSION_CODES, EXPLANATIONS, explanationOf, type ConversionCode, type Explanation } from './findings/codes';
export {
  FINDING_FORMATS,
  findingFormat,
  findingsGithub,
  findingsJson,
  findingsSarif,
  sarifLocation,
  type FindingFormat,
} from './findings/formats';
export type { Finding } from './findings/finding';
export { renderFindings } from './findings/render';
export { graphOf, type StackGraph } from './graph';
export { formatYaml } from './reader/format-yaml';
export { readYaml } from './reader/read-yaml';
export { documentText } from './reader/yaml-text';
export { sourceFile, type Position, type Range, type SourceFile } from './reader/source';
export { entryOf, type Entry, type ListNode, type MapNode, type Node, type Placed } from './reader/tree';
export type {
  Alias,
  ArgumentPlace,
  ConfigDeclaration,
  ConfigType,
  OutputDeclaration,
  ResourceDeclaration,
  ResourceOptions,
  StackPlan,
} from './values/plan';
export { resolve, type Carrier } from './values/resolve';
export { readTextFile, type FileContent } from './text-file';
export {
  EXPRESSION,
  holdsExpression,
  referencesIn,
  resourceKey,
  type Reference,
  type ResourceKey,
  type Steps,
  type Target,
  type Value,
} from './values/value';

// What editors ask.
export { fixOf, type TextEdit } from './editor/fixes';
export { definitionPlaces, sitesOf, type Sites } from './editor/sites';

// Writing.
export { editedYaml } from './reader/yaml-text';
export { exportedStack, type ExportedStack } from './export/exported-stack';

// Plans as programs of other languages.
export { pclOf, type Loss, type PclProgram } from './pcl/write';

// Old files as stack files.
export { convert, type Converted } from './convert/convert';
export { conversionExample } from './convert/example';
export type { ReadPartial } from './convert/expansion';
export { countLine, reportLines } from './convert/report';

// drift.yaml: what reviews and runs leave as it is.
export {
  attributeSpellings,
  DRIFT_FILE,
  driftFileSchema,
  exceptionMembers,
  fitsEntry,
  hasExpired,
  ignoredAttributes,
  isAboutStack,
  isDay,
  namesOne,
  readDriftFile,
  UnusableDriftFile,
  withExpected,
  withIgnored,
  type DriftFile,
  type ExpectedValue,
  type IgnoreEntry,
  type SeverityRule,
} from './drift-file';

// A stack in the engine.
export { loadStack, STANDARD_FILE, stackSurroundings, type StackSource } from './load';
export { faceOf } from './language-host/face';
export {
  clearSettings,
  isEncrypted,
  ownConfigIn,
  settingFindings,
  changedTexts,
  undeclaredSettings,
  type SettingsFile,
} from './settings-file';
export { optionFindings, projectIn, scalarText, wordIn, type Project } from './project-file';
export { FILE_FUNCTIONS, type FileFunction } from './values/functions';
export { declareStack } from './program';
export { register, type PlanRun } from './register';
