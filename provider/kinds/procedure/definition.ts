// What a procedure runs, as the service expects it: targets, and an action of their class or a script on demand.
// It must not know when it runs, nor what becomes of it.
import { textAt } from '../../values/text-at';
import { routes } from '../../../api/contract';
import { LifecycleError } from '../../errors';
import { nearest } from '../../values/nearest';
import type { Work } from '../../model';
import { wantedInstances } from '../../verbs/named-component';

/** The action that runs an attachment; `extraInfo` names the attachment (service-facts §4.8). */
const ATTACHMENT_ACTION = 'user-custom-attachment';

/** The definition of a procedure, whose path has its component by number. Throws when nothing runs there, or there is no such action, with the nearest name. */
export async function definitionOf(work: Work, name: string): Promise<object> {
  const instances = await wantedInstances(work);
  if (instances.length === 0) {
    throw new LifecycleError(
      `${work.at['platform']}/${work.address['component']} has no instances in ${work.at['environment']}`,
      'deploy the environment first; in a program that declares its Deployment the procedure comes after it',
    );
  }
  const { execStrategy } = work.args;
  return {
    name,
    flow: [
      {
        targetIds: instances.map(({ ciId }) => String(ciId)),
        relationName: 'base.RealizedAs',
        direction: 'from',
        // Said always: the live service runs all at the same time where nothing is said.
        execStrategy: typeof execStrategy === 'string' ? execStrategy : 'one-by-one',
        actions: [{ ...(await actionOf(work)), stepNumber: 1, isCritical: true }],
      },
    ],
  };
}

async function actionOf(work: Work): Promise<object> {
  const wanted = textAt(work.args, 'action');
  const arglist = 'arglist' in work.args ? { arglist: textAt(work.args, 'arglist') } : {};
  const known = await work.api.call(routes.operations.actions, { address: work.at });
  const isOnDemand = ({ actionName }: { readonly actionName: string }): boolean => actionName === ATTACHMENT_ACTION;
  if (known.some((action) => !isOnDemand(action) && action.actionName === wanted))
    return { actionName: wanted, ...arglist };
  const script = known.find((action) => isOnDemand(action) && action.description === wanted);
  if (script) return { actionName: ATTACHMENT_ACTION, extraInfo: String(script.actionId), ...arglist };
  const names = known.map((action) => (isOnDemand(action) ? (action.description ?? '') : action.actionName));
  const near = nearest(wanted, names);
  throw new LifecycleError(
    `${work.address['component']} has no action "${wanted}", and no attachment of that name that runs on demand`,
    near ? `did you mean "${near}"?` : `it has ${names.join(', ') || 'none'}`,
  );
}
