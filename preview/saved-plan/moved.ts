// Whether the state of a stack is still the one that a plan was made from, from the two alone.
import { holdsUnknown, isPlainObject } from '../../provider';
import { parseUrn } from '../document';
import { withoutSecrets, plannedInputs } from './planned-document';
import type { PlanFile, PlanStart, ResourcePlan, StartResource } from './plan-file';
import type { StaleReason } from './verification';

/** Each way in which the state shows that it moved on. `isBound`: a digest that covers the start says the rest, so the time does not matter. */
export function movedState(plan: PlanFile, start: PlanStart, isBound: boolean): readonly StaleReason[] {
  const planned = Date.parse(plan.manifest.time);
  const resources = Object.entries(plan.resourcePlans).flatMap(([urn, each]) => {
    const message = movedResource(each, start.resources.get(urn));
    return message === undefined || isOfEngine(urn) ? [] : [reason(urn, start, message)];
  });
  const added = [...start.resources.keys()]
    .filter((urn) => plan.resourcePlans[urn] === undefined && !isOfEngine(urn))
    .map((urn) => reason(urn, start, 'it came into the state after the plan was made'));
  const pending = start.pending.map(({ urn, operation }): StaleReason => {
    const message = `an interrupted run left it pending (${operation}): ${FINISH}`;
    return { of: 'state', address: urn, message };
  });
  const found = [...pending, ...resources, ...added];
  if (found.length > 0 || isBound || start.saved === undefined || start.saved <= planned) return found;
  const message = 'the state was saved again after the plan was made: another run, a refresh or an import ended';
  return [{ of: 'state', address: 'the state of the stack', message, when: start.saved }];
}

const FINISH = 'end that run with "pulumi up" and "pulumi refresh --clear-pending-creates", then make the plan again';

/** Whether a URN is of the stack itself or of a provider. */
const isOfEngine = (urn: string): boolean => parseUrn(urn)?.type.startsWith('pulumi:') === true;

const reason = (urn: string, { resources }: PlanStart, message: string): StaleReason => ({
  of: 'state',
  address: resources.get(urn)?.id ?? parseUrn(urn)?.name ?? urn,
  message,
});

/** What shows that the state of a resource is not the one that was planned from; undefined when nothing does. */
function movedResource(plan: ResourcePlan, now: StartResource | undefined): string | undefined {
  const steps = plan.steps ?? [];
  const isNew = steps.includes('create') || steps.includes('import');
  if (isNew) return now === undefined ? undefined : 'the plan creates it, and it is in the state already';
  if (now === undefined)
    return steps.length === 0 ? undefined : 'it was in the state when the plan was made, and no longer is';
  const { state } = plan;
  if (!isPlainObject(state) || steps.includes('delete')) return undefined;
  // A preview by the plugin also contains the outputs that an update leaves as they are.
  const present = steps.includes('same') ? now.outputs : { ...now.outputs, ...plannedInputs(plan, now) };
  const names = Object.keys(state).filter((name) => !isEqual(state[name], present?.[name]));
  return names.length === 0 ? undefined : `the state does not have the ${names.join(', ')} that the plan was made from`;
}

/** Whether two values are equal, as far as they are known; what is encrypted counts as equal. */
function isEqual(planned: unknown, present: unknown): boolean {
  if (holdsUnknown(planned)) return true;
  return sorted(withoutSecrets(planned)) === sorted(withoutSecrets(present));
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    isPlainObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
      : item,
  );
}
