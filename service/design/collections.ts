// Variables, attachments and monitors of designs (service-facts §2.2.7, §2.3, §4.5.3, §4.5.4,
// §4.6). Attachments are found by name anywhere in the platform; monitors are only stored.
import { type ClassMetadata, routes, type SentRecord } from '../../api/contract';
import { attachmentMetadata, requiredAttributes, type SentAttributes, withTexts } from '../runtime/attributes';
import { type Context, handlersOf, type HandlerTable, refused } from '../runtime/handler';
import { asSent, collection, type StagedCollection, storedAttributes } from '../runtime/collection';
import type { AttributeLocks, ReleaseWriter, StoredRecord, Values } from '../store';
import {
  checkComponentStaying,
  checkStaying,
  type ComponentPlace,
  type Design,
  type DesignComponentAddress,
  type DesignPlatform,
  type DesignPlatformAddress,
  heldBy,
  IMPLEMENTATION,
  locateComponentPlace,
  locateDesign,
  locateDesignPlatform,
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

export const designAttachmentMetadata = (context: Pick<Context, 'catalogue' | 'rules'>): ClassMetadata =>
  attachmentMetadata(context, CLASS);

/** Throws a RefusedRequest (422) for unknown events, where the dialect names them (row 7). */
function checkEvents({ rules }: Pick<Context, 'rules'>, attributes: SentAttributes): void {
  if (rules.attachmentEvents !== 'runs_on') return;
  const events = String(attributes['run_on'] ?? '')
    .split(',')
    .map((event) => event.trim());
  const unknown = events.filter((event) => event !== '' && !EVENTS.includes(event));
  if (unknown.length > 0) throw refused(`runs_on does not know ${unknown.join(', ')}: it takes ${EVENTS.join(', ')}`);
}

/** Sent attributes by stored name. Throws a RefusedRequest (422) for unknown events. */
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

/** A sent attachment: hashes as JSON text, with the attributes that the dialect requires. */
function sentAttachment(context: Context<unknown>, sent: Parameters<typeof withTexts>[2]): SentRecord {
  const texts = withTexts(context, CLASS, sent);
  requiredAttributes(context.rules, 'cms_dj_ci', texts.ciAttributes);
  return texts;
}

type Named<A> = A & { readonly attachment: string };

const ofComponent = collection({
  mode: 'staged',
  collection: attachmentsOf,
  identifier: (address: Named<DesignComponentAddress>) => address.attachment,
  sent: sentAttachment,
  check: checkEvents,
});

const inPlatform = collection({
  mode: 'staged',
  collection: (context: Context<DesignPlatformAddress>) =>
    attachmentsIn(context, locateDesignPlatform(context, context.address)),
  identifier: (address: Named<DesignPlatformAddress>) => address.attachment,
  sent: sentAttachment,
  check: checkEvents,
});

export const designAttachmentHandlers: HandlerTable = handlersOf(routes.attachments, {
  ...ofComponent,
  readInPlatform: inPlatform.read,
  updateInPlatform: inPlatform.update,
  deleteInPlatform: inPlatform.delete,
});

const WATCH = 'catalog.WatchedBy';

function monitorsOf(context: Context<DesignComponentAddress>): StagedCollection {
  const place = locateComponentPlace(context);
  const { inside: namespace, platform, component } = place;
  return {
    noun: 'monitor',
    namespace,
    className: 'catalog.Monitor',
    lockedBy: 'design',
    listed: () => heldBy(context.store, component, WATCH),
    write: (work) => writeDesign(context, place, work),
    adding: {
      check: () => checkComponentStaying(place),
      relation: (record) => ({ namespace, name: WATCH, fromId: component.id, toId: record.id }),
      proposedName: `${platform.name}-${component.name}-`,
      values: { custom: 'true' },
      scope: ` in platform ${platform.name}`,
    },
  };
}

const monitors = collection({
  mode: 'staged',
  collection: monitorsOf,
  identifier: (address: DesignComponentAddress & { readonly monitor: string }) => address.monitor,
  sent: asSent,
});

export const designMonitorHandlers: HandlerTable = handlersOf(routes.monitors, {
  ...monitors,
  toggle: monitors.toggling('enable'),
});

interface Scope {
  readonly namespace: string;
  readonly className: string;
  readonly relation: string;
  /** The assembly or the platform that the variables are values for. */
  readonly holder: StoredRecord;
}

function variablesOf(context: Context<unknown>, design: Design, scope: Scope): StagedCollection {
  const { namespace, className, relation, holder } = scope;
  return {
    noun: 'variable',
    namespace,
    className,
    lockedBy: 'design',
    write: (work) => writeDesign(context, design, work),
    adding: {
      impl: IMPLEMENTATION,
      check: () => checkStaying(holder),
      relation: (record) => ({ namespace, name: relation, fromId: record.id, toId: holder.id }),
    },
  };
}

type DesignAddress = { readonly assembly: string };
type NamedVariable<A> = A & { readonly variable?: string | undefined };

const globalVariables = collection({
  mode: 'staged',
  collection: (context: Context<DesignAddress>) => {
    const design = locateDesign(context, context.address.assembly);
    const { namespace, assembly: holder } = design;
    return variablesOf(context, design, {
      namespace,
      className: 'catalog.Globalvar',
      relation: 'base.ValueFor',
      holder,
    });
  },
  identifier: (address: NamedVariable<DesignAddress>) => address.variable,
  sent: asSent,
});

const localVariables = collection({
  mode: 'staged',
  collection: (context: Context<DesignPlatformAddress>) => {
    const design = locateDesignPlatform(context, context.address);
    const { inside: namespace, platform: holder } = design;
    return variablesOf(context, design, {
      namespace,
      className: 'catalog.Localvar',
      relation: 'catalog.ValueFor',
      holder,
    });
  },
  identifier: (address: NamedVariable<DesignPlatformAddress>) => address.variable,
  sent: asSent,
});

export const designVariableHandlers: HandlerTable = {
  ...handlersOf(routes.designVariables, globalVariables),
  ...handlersOf(routes.platformVariables, localVariables),
};
