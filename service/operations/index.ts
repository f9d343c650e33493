// The door of operations: instances, their states and actions, procedures.
import type { HandlerTable } from '../runtime/handler';
import { instanceHandlers } from './instances';
import { procedureHandlers } from './procedures';

export { procedureAnswer, procedureRunners } from './procedures';

export const operationHandlers: HandlerTable = {
  ...instanceHandlers,
  ...procedureHandlers,
};
