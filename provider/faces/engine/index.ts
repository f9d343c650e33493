// The door of the engine's channel: messages to the engine, noticing that it no longer exists, and ending what it left behind.
// It must not know kinds, resources or programs.
export { answering, engineDiagnostic } from './answers';
export { openEngine, type Engine, type EngineMessage } from './engine';
export { endOrphans } from './orphans';
export { isWholeDestroy, mayBeTargeted } from './targets';
