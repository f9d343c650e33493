// The door of clouds: clouds, their services, offerings, variables and supports, class metadata, the compute report.
import { type HandlerTable } from '../handler';
import { cloudRecordHandlers } from './clouds';
import { offeringHandlers } from './offerings';
import { reportHandlers } from './report';
import { cloudOfferingHandlers } from './service-offerings';
import { cloudServiceHandlers } from './services';
import { cloudSupportHandlers, cloudVariableHandlers, cloudZoneHandlers } from './parts';

export const cloudHandlers: HandlerTable = {
  ...cloudRecordHandlers,
  ...cloudServiceHandlers,
  ...cloudOfferingHandlers,
  ...cloudVariableHandlers,
  ...cloudSupportHandlers,
  ...cloudZoneHandlers,
  ...offeringHandlers,
  ...reportHandlers,
};
