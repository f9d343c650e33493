// Variables, attachments and monitors of designs (service-facts §2.2.7, §2.3, §4.5.3, §4.5.4,
// §4.6). Attachments are found by name anywhere in the platform; monitors are only stored.
import { routes, type SentRecord } from '../../api/contract';
import { attachmentMetadata, requiredAttributes, type SentAttributes, withTexts } from '../runtime/attributes';
import { type Context, handlersOf, type HandlerTable, refused } from '../runtime/handler';
import { collection, type Collection } from '../runtime/collection';
import { heldBy } from '../store';
import {
  checkComponentStaying,
  checkStaying,
  type ComponentPlace,
  type Design,
  type DesignComponentAddress,
  type DesignPlatform,
  type DesignPlatformAddress,
  globalVariables,
  IMPLEMENTATION,
  localVariables,
  locateComponentPlace,
  locateDesign,
  locateDesignPlatform,
  type VariableScope,
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

/** Throws a RefusedRequest (422) for unknown events, where the dialect names them (row 7). */
export function checkEvents({ rules }: Pick<Context, 'rules'>, attributes: SentAttributes): void {
  if (rules.attachmentEvents !== 'runs_on') return;
  const events = String(attributes['run_on'] ?? '')
    .split(',')
    .map((event) => event.trim());
  const unknown = events.filter((event) => event !== '' && !EVENTS.includes(event));
  if (unknown.length > 0) throw refused(`runs_on does not know ${unknown.join(', ')}: it takes ${EVENTS.join(', ')}`);
}

const stagedIn = (context: Context<unknown>, design: Design): NonNullable<Collection['staged']> => ({
  lockedBy: 'design',
  write: (work) => writeDesign(context, design, work),
});

/** The attachments of a platform, whichever component they belong to. */
function attachmentsIn(context: Context<unknown>, place: DesignPlatform): Collection {
  return {
    noun: 'attachment',
    namespace: place.inside,
    className: CLASS,
    metadata: attachmentMetadata(context, CLASS),
    staged: stagedIn(context, place),
  };
}

export const attachmentsOf = (context: Context<unknown>, place: ComponentPlace): Collection => ({
  ...attachmentsIn(context, place),
  ...partOf(context, place, ESCORT),
});

const partOf = ({ store }: Context<unknown>, place: ComponentPlace, relation: string) => ({
  listed: () => heldBy(store, place.component, relation),
  check: () => checkComponentStaying(place),
  tie: { name: relation, from: place.component.id },
  scope: ` in platform ${place.platform.name}`,
});

/** A sent attachment: hashes as JSON text, with the attributes that the dialect requires. */
function sentAttachment(context: Context<unknown>, sent: Parameters<typeof withTexts>[2]): SentRecord {
  const texts = withTexts(context, CLASS, sent);
  requiredAttributes(context.rules, 'cms_dj_ci', texts.ciAttributes);
  return texts;
}

const reading = { sent: sentAttachment, check: checkEvents };

const inPlatform = collection(
  (context: Context<DesignPlatformAddress>) => attachmentsIn(context, locateDesignPlatform(context, context.address)),
  reading,
);

export const monitorsOf = (context: Context<unknown>, place: ComponentPlace): Collection => ({
  noun: 'monitor',
  namespace: place.inside,
  className: 'catalog.Monitor',
  staged: stagedIn(context, place),
  ...partOf(context, place, 'catalog.WatchedBy'),
  proposedName: `${place.platform.name}-${place.component.name}-`,
  given: { custom: 'true' },
});

const monitors = collection((context: Context<DesignComponentAddress>) =>
  monitorsOf(context, locateComponentPlace(context)),
);

const variablesOf = (
  context: Context<unknown>,
  design: Design,
  { namespace, className, holder, tie }: VariableScope,
): Collection => ({
  noun: 'variable',
  namespace,
  className,
  staged: stagedIn(context, design),
  impl: IMPLEMENTATION,
  check: () => checkStaying(holder),
  tie,
});

export const designPartHandlers: HandlerTable = {
  ...handlersOf(routes.attachments, {
    ...collection(
      (context: Context<DesignComponentAddress>) => attachmentsOf(context, locateComponentPlace(context)),
      reading,
    ),
    readInPlatform: inPlatform.read,
    updateInPlatform: inPlatform.update,
    deleteInPlatform: inPlatform.delete,
  }),
  ...handlersOf(routes.monitors, { ...monitors, toggle: monitors.toggling('enable') }),
  ...handlersOf(
    routes.designVariables,
    collection((context: Context<{ readonly assembly: string }>) => {
      const design = locateDesign(context, context.address.assembly);
      return variablesOf(context, design, globalVariables(design));
    }),
  ),
  ...handlersOf(
    routes.platformVariables,
    collection((context: Context<DesignPlatformAddress>) => {
      const place = locateDesignPlatform(context, context.address);
      return variablesOf(context, place, localVariables(place));
    }),
  ),
};
