// The door of what the API offers and no other part of this package calls.
import type { HandlerTable } from '../runtime/handler';
import { extractHandlers } from './extract';
import { loadHandlers } from './load';
import { healthHandlers, numberHandlers, switchHandlers } from './lookups';
import { writtenHandlers } from './written-environment';

export const extraHandlers: HandlerTable = {
  ...extractHandlers,
  ...loadHandlers,
  ...writtenHandlers,
  ...numberHandlers,
  ...healthHandlers,
  ...switchHandlers,
};
