// Functions for components of a design or an environment (service-facts §4.5.2, §4.7.5).
import * as result from './result';
import { routes, type Component, type Record as WireRecord } from '../../api/contract';
import { isNumber, namedIn, theOnly } from '../verbs/named-component';
import { apiFunction, type Ask, inDesign, inEither, name, noneNamed, type Place } from './api-function';
import { attachmentAttributes } from '../kinds/attachment';
import { attributesOf, byName, ofKind, stagedFacts } from './records';

const componentFacts = {
  ...stagedFacts,
  /** Attributes as the service writes them, without secrets, which the service does not return. */
  attributes: result.map(result.text(), attributesOf),
};

/** A component of a platform. */
const component = result.recordType('PlatformComponentRecord', componentFacts);

const inPlatform = {
  ...inDesign,
  /** Name of the platform. */
  platform: name(),
};

const componentLists = [routes.components.list, routes.environmentPlatforms.components] as const;

/** `shop/prod/web`. */
const placeText = ({ assembly, environment, platform, component: inside }: Place): string =>
  [assembly, environment, platform, inside].filter((part) => part !== undefined).join('/');

/**
 * The component with this name or number. For a name that several have, the service returns any of
 * them, so the list is read. Throws LifecycleError for none, or more than one.
 */
async function componentNamed(ask: Ask, platform: Place, wanted: string): Promise<WireRecord> {
  const all = await inEither(ask, componentLists, platform);
  const where = `platform ${placeText(platform)}`;
  const found = theOnly(namedIn<WireRecord>(all, wanted), wanted, where);
  if (found !== undefined) return found;
  throw noneNamed(
    `${where} has no component ${isNumber(wanted) ? wanted : `"${wanted}"`}`,
    wanted,
    all.map(({ ciName }) => ciName),
  );
}

/** The components of a platform, in a design or in an environment. */
export const getComponents = apiFunction({
  token: 'getComponents',
  arguments: inPlatform,
  result: {
    /** Components in alphabetical order, with those whose deletion is not committed yet. */
    components: result.records(component),
  },
  read: async (ask, place) => ({
    components: byName(result.rowsIn(component, await inEither(ask, componentLists, { ...place }))),
  }),
});

const namesOf = (records: readonly WireRecord[] | null | undefined): readonly string[] =>
  (records ?? []).map(({ ciName }) => ciName).sort();

const wholeComponent = {
  ...componentFacts,
  /** Names of the components it depends on, in alphabetical order. */
  dependsOn: result.list(result.text(), ({ dependsOn }: Component) => namesOf(dependsOn)),
  /** Names of the components that depend on it, in alphabetical order. */
  dependents: result.list(result.text(), ({ dependents }: Component) => namesOf(dependents)),
};

/** A component of a platform, in a design or in an environment. */
export const getComponent = apiFunction({
  token: 'getComponent',
  arguments: {
    ...inPlatform,
    /** Name of the component, or its number (`ciId`) when several have that name. */
    name: name(),
  },
  result: wholeComponent,
  read: async (ask, { name: wanted, ...place }) => {
    const { ciId } = await componentNamed(ask, { ...place }, wanted);
    const found = await inEither(ask, [routes.components.read, routes.environmentPlatforms.component], {
      ...place,
      component: String(ciId),
    });
    return result.valuesIn(wholeComponent, found);
  },
});

// Functions for attachments of a design or an environment (service-facts §2.3, §4.6, §4.7.5).

/** The service does not return the password for a protected source. */
const { basicAuthPassword: _, ...shownAttributes } = attachmentAttributes;

const attachmentFacts = {
  ...stagedFacts,
  ...ofKind(shownAttributes),
};

/** A file, certificate or script of a component. */
const attachment = result.recordType('AttachmentRecord', attachmentFacts);

const inComponent = {
  ...inPlatform,
  /** Name of the component, or its number (`ciId`) when several have that name. */
  component: name(),
};

async function listAttachments(ask: Ask, place: Place): Promise<readonly WireRecord[]> {
  const { ciId } = await componentNamed(ask, { ...place, component: undefined }, place['component'] ?? '');
  return inEither(ask, [routes.attachments.list, routes.environmentAttachments.list], {
    ...place,
    component: String(ciId),
  });
}

/** The attachments of a component, in a design or in an environment. */
export const getAttachments = apiFunction({
  token: 'getAttachments',
  arguments: inComponent,
  result: {
    /** Attachments in alphabetical order, with those whose deletion is not committed yet. */
    attachments: result.records(attachment),
  },
  read: async (ask, place) => ({
    attachments: byName(result.rowsIn(attachment, await listAttachments(ask, { ...place }))),
  }),
});

/** An attachment of a component, in a design or in an environment. */
export const getAttachment = apiFunction({
  token: 'getAttachment',
  arguments: {
    ...inComponent,
    /** Name of the attachment. */
    name: name(),
  },
  result: attachmentFacts,
  read: async (ask, { name: wanted, ...place }) => {
    // A read by name may return an attachment of another component (service-facts §4.6).
    const all = await listAttachments(ask, { ...place });
    const found = all.find(({ ciName }) => ciName === wanted);
    if (found !== undefined) return result.valuesIn(attachmentFacts, found);
    throw noneNamed(
      `component ${placeText({ ...place })} has no attachment "${wanted}"`,
      wanted,
      all.map(({ ciName }) => ciName),
    );
  },
});
