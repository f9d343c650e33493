// What can be run on a component's instances: actions of its class, then attachments on demand (service-facts §4.8).
import type { Context } from '../handler';
import type { StoredRecord } from '../store';

/** Action name that runs an attachment; which one is in `extraInfo`. */
export const ATTACHMENT_ACTION = 'user-custom-attachment';

/** Attachments of a manifest component that may be run on demand: their events name it anywhere (service-facts §2.3). */
function onDemandAttachments({ store }: Pick<Context, 'store'>, component: Pick<StoredRecord, 'id'>): StoredRecord[] {
  return store.relations
    .from(component.id, 'manifest.EscortedBy', 'committed')
    .flatMap((relation) => store.records.byId(relation.toId, 'committed') ?? [])
    .filter((attachment) => (attachment.values['run_on'] ?? '').includes('on-demand'));
}

/** The answer of `actions`. Numbers of class actions follow from the class. */
export function availableActions(context: Pick<Context, 'store' | 'catalogue'>, component: StoredRecord): object[] {
  const classId = context.store.classId(component.className);
  const ofClass = (context.catalogue.classMetadata(component.className)?.actions ?? []).map((actionName, index) => ({
    actionId: classId * 1000 + index,
    classId,
    actionName,
    isInheritable: true,
    description: actionName,
    created: null,
    updated: null,
    inherited: false,
    inheritedFrom: null,
    arguments: null,
  }));
  const onDemand = onDemandAttachments(context, component).map((attachment) => ({
    actionId: attachment.id,
    actionName: ATTACHMENT_ACTION,
    description: attachment.name,
  }));
  return [...ofClass, ...onDemand];
}
