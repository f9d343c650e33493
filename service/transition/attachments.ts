// Attachments of an environment: read, and changed for one environment (service-facts §4.7.5).
// They are found by name anywhere in the platform, as in designs: the component in a path is not compared.
import { routes } from '../../api/contract';
import { attachmentMetadata, withTexts } from '../attributes';
import { type Context, type HandlerTable, handlersOf } from '../handler';
import { stagedCollection, type StagedCollection } from '../staged-collection';
import { isLeaving } from '../store';
import { type ComponentAddress, manifestStage, type PlatformAddress } from './place';
import { locateComponent, locatePlatformPlace } from './platforms';

const CLASS = 'manifest.Attachment';

function attachmentsIn(context: Context<PlatformAddress>): StagedCollection {
  const { place, platform } = locatePlatformPlace(context);
  return {
    noun: 'attachment',
    namespace: platform.namespace,
    className: CLASS,
    metadata: attachmentMetadata(context, CLASS),
    lockedBy: 'manifest',
    write: (work) => work(manifestStage(context, place)),
  };
}

function attachmentsOf(context: Context<ComponentAddress>): StagedCollection {
  const { platform } = locatePlatformPlace(context);
  const listed = () => {
    const component = locateComponent(context, platform, context.address.component);
    return context.store.relations
      .from(component.id, 'manifest.EscortedBy')
      .filter((relation) => !isLeaving(relation))
      .flatMap((relation) => context.store.records.byId(relation.toId) ?? []);
  };
  return { ...attachmentsIn(context), listed };
}

const sentAttachment = (
  context: Context<unknown>,
  sent: Parameters<typeof withTexts>[2],
): ReturnType<typeof withTexts> => withTexts(context, CLASS, sent);

type Named<A> = A & { readonly attachment: string };

const ofComponent = stagedCollection({
  collection: attachmentsOf,
  identifier: (address: Named<ComponentAddress>) => address.attachment,
  sent: sentAttachment,
});

const inPlatform = stagedCollection({
  collection: attachmentsIn,
  identifier: (address: Named<PlatformAddress>) => address.attachment,
  sent: sentAttachment,
});

/** Handlers of an environment's attachments. */
export const environmentAttachmentHandlers: HandlerTable = handlersOf(routes.environmentAttachments, {
  list: ofComponent.records.list,
  read: ofComponent.records.read,
  update: ofComponent.records.update,
  readInPlatform: inPlatform.records.read,
  updateInPlatform: inPlatform.records.update,
});
