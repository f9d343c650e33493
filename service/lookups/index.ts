// The door of look-ups: anything by number, packs, the service itself.
import { type HandlerTable } from '../handler';
import { numberHandlers } from './numbers';
import { packHandlers } from './packs';

export { selfHandlers } from './packs';

export const lookupHandlers: HandlerTable = { ...numberHandlers, ...packHandlers };
