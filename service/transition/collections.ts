// Variables, attachments, monitors and relays of environments (service-facts §2.2.7, §2.6).
import { defaultAttributes, routes } from '../../api/contract';
import { attachmentMetadata, knownClass, withTexts } from '../runtime/attributes';
import { type Context, handlersOf, type HandlerTable } from '../runtime/handler';
import { collection, type Collection } from '../runtime/collection';
import { heldBy } from '../store';
import {
  type ComponentAddress,
  type EnvironmentAddress,
  type EnvironmentPlace,
  locatePlace,
  manifestStage,
  type PlatformAddress,
} from './place';
import { locateComponentPlace, locatePlatformPlace } from './platforms';

const CLASS = 'manifest.Attachment';

type Records = Pick<Collection, 'noun' | 'className' | 'metadata' | 'listed'>;

const stagedIn = (context: Context<unknown>, place: EnvironmentPlace): NonNullable<Collection['staged']> => ({
  lockedBy: 'manifest',
  write: (work) => work(manifestStage(context, place)),
});

function inPlatform(context: Context<PlatformAddress>, records: Records): Collection {
  const { place, platform } = locatePlatformPlace(context);
  const { namespace } = platform;
  return { ...records, namespace, staged: stagedIn(context, place) };
}

/** Records that a component has by a relation; a name is looked up in its platform. */
const ofComponent = (context: Context<ComponentAddress>, records: Records, relation: string): Collection =>
  inPlatform(context, {
    ...records,
    listed: () => heldBy(context.store, locateComponentPlace(context).component, relation, 'staying'),
  });

const attachments = (context: Context<PlatformAddress>): Records => ({
  noun: 'attachment',
  className: CLASS,
  metadata: attachmentMetadata(context, CLASS),
});

const reading = {
  sent: (context: Context<unknown>, sent: Parameters<typeof withTexts>[2]) => withTexts(context, CLASS, sent),
};

const attachmentsInPlatform = collection(
  (context: Context<PlatformAddress>) => inPlatform(context, attachments(context)),
  reading,
);

const RELAY_CLASS = 'manifest.relay.email.Relay';

/** The relay every environment is born with: to the owner of its assembly. */
const DEFAULT_RELAY = 'default';

const relaysAt = ({ path, environment }: EnvironmentPlace) =>
  ({
    noun: 'relay',
    namespace: path,
    className: RELAY_CLASS,
    tie: { name: 'manifest.Delivers', from: environment.id },
  }) satisfies Collection;

/** Gives a new environment its relay, if the assembly has an owner (service-facts §4.7.1). */
export function addDefaultRelay(context: Context, place: EnvironmentPlace, owner: string): void {
  if (owner === '') return;
  const { namespace, className, tie } = relaysAt(place);
  const values = defaultAttributes(knownClass(context.catalogue, RELAY_CLASS), { emails: owner });
  context.store.insertTied({ namespace, className, name: DEFAULT_RELAY, values, comments: '' }, tie, context);
}

const relays = collection((context: Context<EnvironmentAddress>) => relaysAt(locatePlace(context)));

export const environmentPartHandlers: HandlerTable = {
  ...handlersOf(routes.environmentAttachments, {
    ...collection(
      (context: Context<ComponentAddress>) => ofComponent(context, attachments(context), 'manifest.EscortedBy'),
      reading,
    ),
    readInPlatform: attachmentsInPlatform.read,
    updateInPlatform: attachmentsInPlatform.update,
  }),
  ...handlersOf(
    routes.environmentMonitors,
    collection((context: Context<ComponentAddress>) =>
      ofComponent(context, { noun: 'monitor', className: 'manifest.Monitor' }, 'manifest.WatchedBy'),
    ),
  ),
  ...handlersOf(
    routes.environmentVariables,
    collection((context: Context<EnvironmentAddress>) => {
      const place = locatePlace(context);
      return {
        noun: 'variable',
        namespace: place.manifest,
        className: 'manifest.Globalvar',
        staged: stagedIn(context, place),
      };
    }),
  ),
  ...handlersOf(
    routes.environmentPlatformVariables,
    collection((context: Context<PlatformAddress>) =>
      inPlatform(context, { noun: 'variable', className: 'manifest.Localvar' }),
    ),
  ),
  ...handlersOf(routes.relays, { ...relays, toggle: relays.toggling('enabled') }),
};
