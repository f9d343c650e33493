// The work order in progress on one instance, canceled by hand (service-facts §3.5, §4.8 cancel_deployment).
// It must not know how orders are carried out: the deployment ends failed for want of this one, and may be retried.
import { routes } from '../../api/contract';
import { type HandlerTable, handlersOf, refused } from '../handler';
import { locateInstance } from '../instances';
import { locatePlace } from '../transition';
import { orderAnswer } from './history';

/** Handler of cancel_deployment. */
export const cancelOrderHandlers: HandlerTable = handlersOf(routes.operations, {
  cancelDeployment: (context) => {
    const { store, now } = context;
    const { bom } = locatePlace(context);
    const instance = locateInstance(context, context.address.instance, 'merged');
    const deployment = store.deployments.latest(bom);
    const orders = (deployment === undefined ? [] : store.deployments.records(deployment.id)).filter(
      (order) => order.recordId === instance.id && order.state === 'inprogress',
    );
    if (orders.length === 0) throw refused(`no work order is in progress on ${instance.name}`);
    return orders.map((order) =>
      orderAnswer(store.deployments.updateRecord(order.id, { state: 'canceled', updated: now })),
    );
  },
});
