// The door of faults on purpose: people test their pipelines with them.
// Rules are read and checked in rule.ts.
export { type ObservedRequest, createFaults, type Faults, type MetFault } from './faults';
export { checkFaults, type Fault, FaultsError, readFaults } from './rule';
export { AnswerDropped, applyFault, type Served } from './apply-fault';
