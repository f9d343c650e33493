// The door of clouds: clouds, their services, offerings, class metadata, the compute report.
// It must not know anything beyond it.
import { type HandlerTable } from '../handler';
import { cloudRecordHandlers } from './clouds';
import { offeringHandlers } from './offerings';
import { reportHandlers } from './report';
import { cloudServiceHandlers } from './services';

export const cloudHandlers: HandlerTable = {
  ...cloudRecordHandlers,
  ...cloudServiceHandlers,
  ...offeringHandlers,
  ...reportHandlers,
};
