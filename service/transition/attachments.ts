// Attachments of an environment: read, and changed for one environment (service-facts §4.7.5).
// It must not know when an attachment is run.
import { type z } from 'zod';
import { type attachmentBody, type ClassMetadata, routes } from '../../api/contract';
import { mergedRecord, storedName } from '../answers';
import { enforcedClass, relaxed, withTexts } from '../attributes';
import { type Context, type HandlerTable, handlersOf } from '../handler';
import { locate } from '../locate';
import { isLeaving, type StoredRecord } from '../store';
import { locatePlace, type Place } from './place';
import { locateComponent, locatePlatform, updateRecord } from './platforms';

const CLASS = 'manifest.Attachment';

type PlatformAddress = { readonly assembly: string; readonly environment: string; readonly platform: string };

function platformIn(context: Context<PlatformAddress>): { readonly place: Place; readonly platform: StoredRecord } {
  const place = locatePlace(context);
  return { place, platform: locatePlatform(context, place, context.address.platform) };
}

/** By name anywhere in the platform: a component in the path is not compared, as in designs. */
const locateAttachment = (context: Context<PlatformAddress>, identifier: string): StoredRecord =>
  locate(context, identifier, {
    noun: 'attachment',
    namespace: platformIn(context).platform.namespace,
    className: CLASS,
  });

function metadataFor(context: Context): ClassMetadata {
  const metadata = enforcedClass(context, CLASS);
  return context.voice.attachmentFieldsRequired ? metadata : relaxed(metadata, ['path', 'run_on', 'priority']);
}

type Sent = z.output<typeof attachmentBody>;

function update(context: Context<PlatformAddress, Sent>, identifier: string): object {
  const sent = withTexts(context, CLASS, context.body.cms_dj_ci);
  const entries = Object.entries(sent.ciAttributes ?? {}).map(
    ([name, value]) => [storedName(context.voice, CLASS, name), value] as const,
  );
  const attachment = locateAttachment(context, identifier);
  const spoken = { ...context, body: { cms_dj_ci: sent } };
  return updateRecord(spoken, locatePlace(context), attachment, Object.fromEntries(entries), metadataFor(context));
}

/** Handlers of an environment's attachments. */
export const attachmentHandlers: HandlerTable = handlersOf(routes.environmentAttachments, {
  list: (context) => {
    const { platform } = platformIn(context);
    const component = locateComponent(context, platform, context.address.component);
    return context.store.relations
      .from(component.id, 'manifest.EscortedBy')
      .filter((relation) => !isLeaving(relation))
      .flatMap((relation) => context.store.records.byId(relation.toId) ?? [])
      .map((attachment) => mergedRecord(context, attachment));
  },
  read: (context) => mergedRecord(context, locateAttachment(context, context.address.attachment)),
  update: (context) => update(context, context.address.attachment),
  readInPlatform: (context) => mergedRecord(context, locateAttachment(context, context.address.attachment)),
  updateInPlatform: (context) => update(context, context.address.attachment),
});
