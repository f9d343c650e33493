// The door of operations: instances, their states and actions, procedures.
// It must not know anything beyond it.
import type { HandlerTable } from '../handler';
import type { Runners } from '../store';
import { instanceHandlers } from './instances';
import { procedureHandlers } from './procedures';
import { procedureRunners, type ActionFailures } from './run-procedure';

/** Handlers of operations and procedures, by route name. */
export const operationHandlers: HandlerTable = { ...instanceHandlers, ...procedureHandlers };

/** Runners of procedures, by job name. */
export function operationJobs(failures: ActionFailures): Runners {
  return procedureRunners(failures);
}
