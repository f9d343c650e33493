// Functions for components of a design or an environment (service-facts §4.5.2, §4.7.5).
import * as result from './result';
import { routes, type Component, type Record as WireRecord } from '../../api/contract';
import { isNumber, namedIn, theOnly } from '../verbs/named-component';
import { apiFunction, type Ask, inDesign, inEither, name, noneNamed, type Place } from './api-function';
import { attachmentAttributes } from '../kinds/attachment';
import { attributesOf, byName, ofKind, stagedFacts } from './records';

const componentFacts = {
  ...stagedFacts,
  attributes: result
    .map(result.text(), attributesOf)
    .describe('Attributes as the service writes them, without secrets, which the service does not return.'),
};

const component = result.recordType('PlatformComponentRecord', 'A component of a platform.', componentFacts);

const inPlatform = {
  ...inDesign,
  platform: name().describe('Name of the platform.'),
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

export const getComponents = apiFunction({
  token: 'getComponents',
  description: 'The components of a platform, in a design or in an environment.',
  arguments: inPlatform,
  result: {
    components: result
      .records(component)
      .describe('Components in alphabetical order, with those whose deletion is not committed yet.'),
  },
  read: async (ask, place) => ({
    components: byName(result.rowsIn(component, await inEither(ask, componentLists, { ...place }))),
  }),
});

const namesOf = (records: readonly WireRecord[] | null | undefined): readonly string[] =>
  (records ?? []).map(({ ciName }) => ciName).sort();

const wholeComponent = {
  ...componentFacts,
  dependsOn: result
    .list(result.text(), ({ dependsOn }: Component) => namesOf(dependsOn))
    .describe('Names of the components it depends on, in alphabetical order.'),
  dependents: result
    .list(result.text(), ({ dependents }: Component) => namesOf(dependents))
    .describe('Names of the components that depend on it, in alphabetical order.'),
};

export const getComponent = apiFunction({
  token: 'getComponent',
  description: 'A component of a platform, in a design or in an environment.',
  arguments: {
    ...inPlatform,
    name: name().describe('Name of the component, or its number (`ciId`) when several have that name.'),
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

const attachment = result.recordType('AttachmentRecord', 'A file, certificate or script of a component.', {
  ...stagedFacts,
  ...ofKind(shownAttributes),
});

const inComponent = {
  ...inPlatform,
  component: name().describe('Name of the component, or its number (`ciId`) when several have that name.'),
};

async function listAttachments(ask: Ask, place: Place): Promise<readonly WireRecord[]> {
  const { ciId } = await componentNamed(ask, { ...place, component: undefined }, place['component'] ?? '');
  return inEither(ask, [routes.attachments.list, routes.environmentAttachments.list], {
    ...place,
    component: String(ciId),
  });
}

export const getAttachments = apiFunction({
  token: 'getAttachments',
  description: 'The attachments of a component, in a design or in an environment.',
  arguments: inComponent,
  result: {
    attachments: result
      .records(attachment)
      .describe('Attachments in alphabetical order, with those whose deletion is not committed yet.'),
  },
  read: async (ask, place) => ({
    attachments: byName(result.rowsIn(attachment, await listAttachments(ask, { ...place }))),
  }),
});

export const getAttachment = apiFunction({
  token: 'getAttachment',
  description: 'An attachment of a component, in a design or in an environment.',
  arguments: {
    ...inComponent,
    name: name().describe('Name of the attachment.'),
  },
  result: attachment.members,
  read: async (ask, { name: wanted, ...place }) => {
    // A read by name may return an attachment of another component (service-facts §4.6).
    const all = await listAttachments(ask, { ...place });
    const found = all.find(({ ciName }) => ciName === wanted);
    if (found !== undefined) return result.valuesIn(attachment.members, found);
    throw noneNamed(
      `component ${placeText({ ...place })} has no attachment "${wanted}"`,
      wanted,
      all.map(({ ciName }) => ciName),
    );
  },
});
