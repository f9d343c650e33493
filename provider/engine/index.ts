// The door of the engine's channel: messages to the engine, and noticing that it is gone.
// It must not know kinds, resources or programs.
export { openEngine, type Engine, type EngineMessage } from './engine';
