// The door of deployments: what others took away of what a run declares, for those who tell before it is made.
export { foreseenLosses, type ForeseenRecord } from './foreseen';
export { lossLine, type Loss } from './losses';
