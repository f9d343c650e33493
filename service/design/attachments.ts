// Attachments of design components (api.md §2.3, §4.6; service-facts §2.3, §4.6).
// It must not know when an attachment is run.
import { defaultAttributes, routes, type ClassMetadata, type SentRecord } from '../../api/contract';
import { deletedAnswer, mergedRecord, storedName, templateAnswer } from '../answers';
import {
  enforcedClass,
  knownClass,
  newValues,
  patchValues,
  relaxed,
  requiredAttributes,
  type SentAttributes,
  sentOwners,
  withTexts,
} from '../attributes';
import { type Context, type HandlerTable, handlersOf, refused } from '../handler';
import { checkedName, locate } from '../locate';
import { isLeaving, type Owners, type Stage, type StoredRecord, type Values } from '../store';
import {
  checkStaying,
  type DesignPlatform,
  locateComponent,
  locatePlatform,
  patchOf,
  reread,
  updateDesign,
  writeDesign,
} from './place';

const CLASS = 'catalog.Attachment';
const ESCORT = 'catalog.EscortedBy';

/** The events api.md §2.3 allows. */
const EVENTS = [
  'before-add',
  'after-add',
  'before-update',
  'after-update',
  'before-delete',
  'after-delete',
  'on-demand',
];

interface ComponentPlace extends DesignPlatform {
  readonly component: StoredRecord;
}

function locateIn(
  context: Context,
  address: { readonly assembly: string; readonly platform: string; readonly component: string },
): ComponentPlace {
  const place = locatePlatform(context, address);
  return { ...place, component: locateComponent(context, place.inside, address.component) };
}

/** By name anywhere in the platform: the component in the path is not compared (service-facts §4.6). */
const locateAttachment = (context: Context, place: DesignPlatform, identifier: string): StoredRecord =>
  locate(context, identifier, { noun: 'attachment', namespace: place.inside, className: CLASS });

/** Metadata of attachments; path, events and priority are required where the dialect asks for them (row 7). */
export function attachmentMetadata(context: Context): ClassMetadata {
  const metadata = enforcedClass(context, CLASS);
  return context.voice.attachmentFieldsRequired ? metadata : relaxed(metadata, ['path', 'run_on', 'priority']);
}

/** Sent attributes under their stored names; throws a Refusal (422) for events that are none, where the dialect names them (dialect row 7). */
export function storedAttributes(context: Context, sent: Pick<SentRecord, 'ciAttributes'>): SentAttributes {
  const entries = Object.entries(sent.ciAttributes ?? {}).map(
    ([name, value]) => [storedName(context.voice, CLASS, name), value] as const,
  );
  const attributes = Object.fromEntries(entries);
  if (context.voice.attachmentEvents === 'runs_on') {
    const events = String(attributes['run_on'] ?? '')
      .split(',')
      .map((event) => event.trim());
    const unknown = events.filter((event) => event !== '' && !EVENTS.includes(event));
    if (unknown.length > 0) throw refused(`runs_on does not know ${unknown.join(', ')}: it takes ${EVENTS.join(', ')}`);
  }
  return attributes;
}

function storedOwners(context: Context, sent: SentRecord): Owners | undefined {
  const owners = sentOwners(sent.ciAttrProps);
  return owners === undefined
    ? undefined
    : Object.fromEntries(
        Object.entries(owners).map(([name, owner]) => [storedName(context.voice, CLASS, name), owner]),
      );
}

/** An attachment of a platform, whichever component it is of. */
function read(context: Context, place: DesignPlatform, identifier: string): object {
  return mergedRecord(context, locateAttachment(context, place, identifier));
}

function update(context: Context, place: DesignPlatform, identifier: string, sent: SentRecord): object {
  requiredAttributes(context.voice, 'cms_dj_ci', sent.ciAttributes);
  const attachment = locateAttachment(context, place, identifier);
  const values = patchValues(attachmentMetadata(context), CLASS, attachment.values, storedAttributes(context, sent));
  const patch = patchOf(sent, values, storedOwners(context, sent));
  return mergedRecord(context, updateDesign(context, place, attachment, patch));
}

function remove(context: Context, place: DesignPlatform, identifier: string): object | undefined {
  const attachment = locateAttachment(context, place, identifier);
  const before = mergedRecord(context, attachment);
  writeDesign(context, place, (stage) => stage.remove(attachment));
  return deletedAnswer(context.voice, before);
}

function create(context: Context, place: ComponentPlace, sent: SentRecord): object {
  requiredAttributes(context.voice, 'cms_dj_ci', sent.ciAttributes);
  checkStaying(place.platform);
  if (isLeaving(place.component)) throw refused(`component ${place.component.name} is to be deleted`);
  const name = checkedName('attachment', sent.ciName);
  if (context.store.records.byName(place.inside, CLASS, name) !== undefined) {
    throw refused(`an attachment named ${name} exists already in platform ${place.platform.name} (400)`);
  }
  const values = newValues(attachmentMetadata(context), CLASS, storedAttributes(context, sent));
  const owners = storedOwners(context, sent) ?? {};
  const made = writeDesign(context, place, (stage) =>
    addAttachment(stage, place, { name, values, owners, comments: sent.comments ?? '' }),
  );
  return mergedRecord(context, reread(context, made));
}

/** A new attachment of a component, tied to it. */
export function addAttachment(
  stage: Stage,
  place: Pick<ComponentPlace, 'inside' | 'component'>,
  attachment: { readonly name: string; readonly values: Values; readonly owners: Owners; readonly comments: string },
): StoredRecord {
  const record = stage.add({ namespace: place.inside, className: CLASS, ...attachment });
  stage.addRelation({ namespace: place.inside, name: ESCORT, fromId: place.component.id, toId: record.id });
  return record;
}

/** Handlers of attachments. */
export const attachmentHandlers: HandlerTable = handlersOf(routes.attachments, {
  list: (context) => {
    const { component } = locateIn(context, context.address);
    const { records, relations } = context.store;
    return relations
      .from(component.id, ESCORT)
      .flatMap((relation) => records.byId(relation.toId) ?? [])
      .map((attachment) => mergedRecord(context, attachment));
  },
  template: (context) => {
    const { inside } = locateIn(context, context.address);
    const values = defaultAttributes(knownClass(context.catalogue, CLASS));
    return templateAnswer(context, { name: '', className: CLASS, namespace: inside, values }, 'merged');
  },
  create: (context) =>
    create(context, locateIn(context, context.address), withTexts(context, CLASS, context.body.cms_dj_ci)),
  read: (context) => read(context, locateIn(context, context.address), context.address.attachment),
  update: (context) =>
    update(
      context,
      locateIn(context, context.address),
      context.address.attachment,
      withTexts(context, CLASS, context.body.cms_dj_ci),
    ),
  delete: (context) => remove(context, locateIn(context, context.address), context.address.attachment),
  readInPlatform: (context) => read(context, locatePlatform(context, context.address), context.address.attachment),
  updateInPlatform: (context) =>
    update(
      context,
      locatePlatform(context, context.address),
      context.address.attachment,
      withTexts(context, CLASS, context.body.cms_dj_ci),
    ),
  deleteInPlatform: (context) => remove(context, locatePlatform(context, context.address), context.address.attachment),
});
