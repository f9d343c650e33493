// The door of faults on purpose: people test their pipelines with them.
// It must not know anything beyond it.
export { type Call, createFaults, type Faults } from './faults';
export { checkFaults, type Fault, FaultsError, readFaults } from './rule';
export { AnswerDropped, type Delivery, type Served, strike } from './strike';
