// The door of the engine's channel: messages to the engine, noticing that it no longer exists, and ending what it left behind.
export { answering, endOrphans, engineDiagnostic, openEngine, type Engine, type EngineMessage } from './engine';
export { isWholeDestroy, mayBeTargeted } from './targets';
