// The door of operations: instances, their states and actions, procedures.
import type { Catalogue } from '../catalogue';
import type { HandlerTable } from '../runtime/handler';
import { instanceHandlers, instanceStateHandlers, manifestHandlers } from './instances';
import { procedureHandlers } from './procedures';
import { procedureRunners, type ActionFailures } from './run-procedure';
import type { Runners } from '../runtime/work';

export { procedureAnswer } from './procedures';

/** Handlers of operations and procedures, by route name. */
export const operationHandlers: HandlerTable = {
  ...manifestHandlers,
  ...instanceStateHandlers,
  ...instanceHandlers,
  ...procedureHandlers,
};

/** Runners of procedures, by job name. */
export function operationJobs(failures: ActionFailures, catalogue: Catalogue): Runners {
  return procedureRunners(failures, catalogue);
}
