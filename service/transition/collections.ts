// Variables, attachments, monitors and relays of environments (service-facts §2.2.7, §2.6).
import { defaultAttributes, routes } from '../../api/contract';
import { attachmentMetadata, knownClass, withTexts } from '../runtime/attributes';
import { type Context, handlersOf, type HandlerTable } from '../runtime/handler';
import { asSent, collection, type DirectCollection, type StagedCollection } from '../runtime/collection';
import {
  heldBy,
  type ComponentAddress,
  type EnvironmentAddress,
  type EnvironmentPlace,
  locatePlace,
  manifestStage,
  type PlatformAddress,
} from './place';
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
  const listed = () =>
    heldBy(context.store, locateComponent(context, platform, context.address.component), 'manifest.EscortedBy');
  return { ...attachmentsIn(context), listed };
}

const sentAttachment = (
  context: Context<unknown>,
  sent: Parameters<typeof withTexts>[2],
): ReturnType<typeof withTexts> => withTexts(context, CLASS, sent);

type Named<A> = A & { readonly attachment: string };

const ofComponent = collection({
  mode: 'staged',
  collection: attachmentsOf,
  identifier: (address: Named<ComponentAddress>) => address.attachment,
  sent: sentAttachment,
});

const inPlatform = collection({
  mode: 'staged',
  collection: attachmentsIn,
  identifier: (address: Named<PlatformAddress>) => address.attachment,
  sent: sentAttachment,
});

export const environmentAttachmentHandlers: HandlerTable = handlersOf(routes.environmentAttachments, {
  ...ofComponent,
  readInPlatform: inPlatform.read,
  updateInPlatform: inPlatform.update,
});

function monitorsOf(context: Context<ComponentAddress>): StagedCollection {
  const { place, platform } = locatePlatformPlace(context);
  const listed = () =>
    heldBy(context.store, locateComponent(context, platform, context.address.component), 'manifest.WatchedBy');
  return {
    noun: 'monitor',
    namespace: platform.namespace,
    className: 'manifest.Monitor',
    lockedBy: 'manifest',
    listed,
    write: (work) => work(manifestStage(context, place)),
  };
}

const monitors = collection({
  mode: 'staged',
  collection: monitorsOf,
  identifier: (address: ComponentAddress & { readonly monitor: string }) => address.monitor,
  sent: asSent,
});

export const monitorHandlers: HandlerTable = handlersOf(routes.environmentMonitors, monitors);

function variablesOf(
  context: Context<unknown>,
  place: EnvironmentPlace,
  of: { readonly namespace: string; readonly className: string },
): StagedCollection {
  return {
    ...of,
    noun: 'variable',
    lockedBy: 'manifest',
    write: (work) => work(manifestStage(context, place)),
  };
}

type NamedVariable<A> = A & { readonly variable: string };

const globalVariables = collection({
  mode: 'staged',
  collection: (context: Context<EnvironmentAddress>) => {
    const place = locatePlace(context);
    return variablesOf(context, place, { namespace: place.manifest, className: 'manifest.Globalvar' });
  },
  identifier: (address: NamedVariable<EnvironmentAddress>) => address.variable,
  sent: asSent,
});

const localVariables = collection({
  mode: 'staged',
  collection: (context: Context<PlatformAddress>) => {
    const { place, platform } = locatePlatformPlace(context);
    return variablesOf(context, place, { namespace: platform.namespace, className: 'manifest.Localvar' });
  },
  identifier: (address: NamedVariable<PlatformAddress>) => address.variable,
  sent: asSent,
});

export const environmentVariableHandlers: HandlerTable = {
  ...handlersOf(routes.environmentVariables, globalVariables),
  ...handlersOf(routes.environmentPlatformVariables, localVariables),
};

const RELAY_CLASS = 'manifest.relay.email.Relay';

/** The relay every environment is born with: to the owner of its assembly. */
const DEFAULT_RELAY = 'default';

const relaysAt = ({ path, environment }: EnvironmentPlace): DirectCollection => ({
  noun: 'relay',
  namespace: path,
  className: RELAY_CLASS,
  tie: { name: 'manifest.Delivers', from: environment.id },
});

/** Gives a new environment its relay, if the assembly has an owner (service-facts §4.7.1). */
export function addDefaultRelay(
  context: Pick<Context, 'store' | 'catalogue' | 'user' | 'now'>,
  place: EnvironmentPlace,
  owner: string,
): void {
  if (owner === '') return;
  const { store } = context;
  const { namespace, className } = relaysAt(place);
  const values = defaultAttributes(knownClass(context.catalogue, RELAY_CLASS), { emails: owner });
  const relay = store.records.insert({ namespace, className, name: DEFAULT_RELAY, values, comments: '' }, context);
  const ends = { fromId: place.environment.id, toId: relay.id };
  store.relations.insert({ namespace, name: 'manifest.Delivers', ...ends }, context);
}

const relays = collection({
  mode: 'direct',
  collection: (context: Context<EnvironmentAddress>) => relaysAt(locatePlace(context)),
  identifier: (address: EnvironmentAddress & { readonly relay: string }) => address.relay,
});

export const relayHandlers: HandlerTable = handlersOf(routes.relays, {
  ...relays,
  toggle: relays.toggling('enabled'),
});
