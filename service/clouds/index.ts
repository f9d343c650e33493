// The door of clouds: clouds, their services and variables, offerings, the compute report.
import type { HandlerTable } from '../runtime/handler';
import { cloudRecordHandlers } from './clouds';
import { offeringHandlers } from './offerings';
import { reportHandlers } from './report';
import { cloudServiceHandlers } from './services';

export { addCloud } from './clouds';
export { addService } from './services';

export const cloudHandlers: HandlerTable = {
  ...cloudRecordHandlers,
  ...cloudServiceHandlers,
  ...offeringHandlers,
  ...reportHandlers,
};
