// What the service says of itself: that it is there, and what it serves (service-facts §4.9 status/ecv).
// It must not know any route.
import { openApi, type OpenApi, routes } from '../../api/contract';
import { type HandlerTable, handlersOf } from '../handler';

/** Handlers that describe one service. The description is made once, when it is first asked for: it takes a while, and needs no login. */
export function selfHandlers(): HandlerTable {
  let description: OpenApi | undefined;
  return handlersOf(routes.service, {
    status: () => ({ status: 'ok' }),
    description: (context) => (description ??= openApi(context.voice)),
  });
}
