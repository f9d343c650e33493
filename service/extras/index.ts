// The door of what the API offers and no other part of this package calls.
import type { HandlerTable } from '../runtime/handler';
import { cloudPartHandlers } from './cloud-parts';
import { healthHandlers, numberHandlers } from './lookups';
import { switchHandlers } from './lookups';

export const extraHandlers: HandlerTable = {
  ...cloudPartHandlers,
  ...numberHandlers,
  ...healthHandlers,
  ...switchHandlers,
};
