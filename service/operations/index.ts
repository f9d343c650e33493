// The door of operations: instances, their states and actions, procedures.
import type { Catalogue } from '../catalogue';
import type { HandlerTable } from '../handler';
import type { Runners } from '../store';
import { healthHandlers } from './health';
import { instanceHandlers, instanceStateHandlers } from './instances';
import { manifestHandlers } from './manifest';
import { procedureHandlers } from './procedures';
import { procedureRunners, type ActionFailures } from './run-procedure';
import { switchHandlers } from './switches';

export { procedureAnswer } from './procedures';

/** Handlers of operations and procedures, by route name. */
export const operationHandlers: HandlerTable = {
  ...manifestHandlers,
  ...instanceStateHandlers,
  ...instanceHandlers,
  ...switchHandlers,
  ...procedureHandlers,
  ...healthHandlers,
};

/** Runners of procedures, by job name. */
export function operationJobs(failures: ActionFailures, catalogue: Catalogue): Runners {
  return procedureRunners(failures, catalogue);
}
