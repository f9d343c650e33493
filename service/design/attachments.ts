// Attachments of design components (service-facts §2.3, §4.6).
// They are found by name anywhere in the platform: the component in a path is not compared.
import { type ClassMetadata, routes, type SentRecord } from '../../api/contract';
import { attachmentMetadata, requiredAttributes, type SentAttributes, withTexts } from '../attributes';
import { type Context, type HandlerTable, handlersOf, refused } from '../handler';
import { stagedCollection, type StagedCollection, storedAttributes } from '../staged-collection';
import { type AttributeLocks, type ReleaseWriter, type StoredRecord, type Values } from '../store';
import {
  checkComponentStaying,
  type DesignComponentAddress,
  type ComponentPlace,
  type DesignPlatform,
  heldBy,
  locateComponentPlace,
  locateDesignPlatform,
  type DesignPlatformAddress,
  writeDesign,
} from './place';

const CLASS = 'catalog.Attachment';
const ESCORT = 'catalog.EscortedBy';

/** The events at which the API runs attachments. */
const EVENTS = [
  'before-add',
  'after-add',
  'before-update',
  'after-update',
  'before-delete',
  'after-delete',
  'on-demand',
];

/** Rules for the values of design attachments. */
export const designAttachmentMetadata = (context: Pick<Context, 'catalogue' | 'rules'>): ClassMetadata =>
  attachmentMetadata(context, CLASS);

/** Throws a RefusedRequest (422) for events that the API does not know, where the dialect names them (dialect row 7). */
function checkEvents({ rules }: Pick<Context, 'rules'>, attributes: SentAttributes): void {
  if (rules.attachmentEvents !== 'runs_on') return;
  const events = String(attributes['run_on'] ?? '')
    .split(',')
    .map((event) => event.trim());
  const unknown = events.filter((event) => event !== '' && !EVENTS.includes(event));
  if (unknown.length > 0) throw refused(`runs_on does not know ${unknown.join(', ')}: it takes ${EVENTS.join(', ')}`);
}

/** Sent attributes of an attachment by their stored names. Throws a RefusedRequest (422) for unknown events. */
export function checkedAttributes(
  context: Pick<Context, 'rules'>,
  sent: Pick<SentRecord, 'ciAttributes'>,
): SentAttributes {
  const attributes = storedAttributes(context, CLASS, sent);
  checkEvents(context, attributes);
  return attributes;
}

const relationTo = (place: Pick<ComponentPlace, 'inside' | 'component'>, record: StoredRecord) => ({
  namespace: place.inside,
  name: ESCORT,
  fromId: place.component.id,
  toId: record.id,
});

/** A new attachment of a component, tied to it. */
export function addAttachment(
  stage: ReleaseWriter,
  place: Pick<ComponentPlace, 'inside' | 'component'>,
  attachment: {
    readonly name: string;
    readonly values: Values;
    readonly owners: AttributeLocks;
    readonly comments: string;
  },
): StoredRecord {
  const record = stage.add({ namespace: place.inside, className: CLASS, ...attachment });
  stage.addRelation(relationTo(place, record));
  return record;
}

/** The attachments of a platform, whichever component they belong to. */
function attachmentsIn(context: Context<unknown>, place: DesignPlatform): StagedCollection {
  return {
    noun: 'attachment',
    namespace: place.inside,
    className: CLASS,
    metadata: designAttachmentMetadata(context),
    lockedBy: 'design',
    write: (work) => writeDesign(context, place, work),
  };
}

function attachmentsOf(context: Context<DesignComponentAddress>): StagedCollection {
  const place = locateComponentPlace(context);
  return {
    ...attachmentsIn(context, place),
    listed: () => heldBy(context.store, place.component, ESCORT),
    adding: {
      check: () => checkComponentStaying(place),
      relation: (record) => relationTo(place, record),
      scope: ` in platform ${place.platform.name}`,
    },
  };
}

/** A sent attachment: hashes as their JSON text, with attributes where the dialect asks for them. */
function sentAttachment(context: Context<unknown>, sent: Parameters<typeof withTexts>[2]): SentRecord {
  const texts = withTexts(context, CLASS, sent);
  requiredAttributes(context.rules, 'cms_dj_ci', texts.ciAttributes);
  return texts;
}

type Named<A> = A & { readonly attachment: string };

const ofComponent = stagedCollection({
  collection: attachmentsOf,
  identifier: (address: Named<DesignComponentAddress>) => address.attachment,
  sent: sentAttachment,
  check: checkEvents,
});

const inPlatform = stagedCollection({
  collection: (context: Context<DesignPlatformAddress>) =>
    attachmentsIn(context, locateDesignPlatform(context, context.address)),
  identifier: (address: Named<DesignPlatformAddress>) => address.attachment,
  sent: sentAttachment,
  check: checkEvents,
});

/** Handlers of attachments. */
export const designAttachmentHandlers: HandlerTable = handlersOf(routes.attachments, {
  ...ofComponent.records,
  readInPlatform: inPlatform.records.read,
  updateInPlatform: inPlatform.records.update,
  deleteInPlatform: inPlatform.records.delete,
});
