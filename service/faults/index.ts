// The door of faults on purpose: people test their pipelines with them.
export {
  AnswerDropped,
  applyFault,
  createFailures,
  createFaults,
  type Failure,
  type Failures,
  type Faults,
  type MetFault,
  type ObservedRequest,
  type Served,
} from './faults';
export { checkFaults, type Fault, FaultsError, readFaults } from './faults';
