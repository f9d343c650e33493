// The door of the engine harness: Pulumi projects in their own folders, run by the real CLI.
export { type Engine, findEngine, REPOSITORY } from './engine';
export {
  diagnosticsIn,
  keyOf,
  keyOfUrn,
  messagesOfRun,
  noticesOfRun,
  programFile,
  programFiles,
  type ProgramResource,
  type Step,
  stepsOfPreview,
  stepsOfRun,
} from './program';
export { descendantsOf, isThere, killAll, survivorsOf } from './processes';
export { newProject, setUp, type Project, type Run } from './project';
export { pendingOperations, stateOf, type StateResource } from './state';
