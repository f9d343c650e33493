// The door of deployments, for previews: the losses that a run would be refused for.
export { foreseenLosses, type ForeseenRecord } from './losses/foreseen';
export { lossLine, type Loss } from './losses/loss';
