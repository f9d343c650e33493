// Functions for components of a design or an environment (service-facts §4.5.2, §4.7.5).
import * as result from './result';
import { routes, type Component, type Record as WireRecord } from '../../api/contract';
import { isNumber, namedIn, theOnly } from '../verbs/named-component';
import { apiFunction, type Ask, inDesign, name, noneNamed } from './api-function';
import { attachmentAttributes } from '../kinds/attachment';
import { attributesOf, byName, ofKind, stagedFacts } from './records';

const componentFacts = {
  ...stagedFacts,
  /** Attributes as the service writes them, without secrets, which the service does not return. */
  attributes: result.map(result.text(), attributesOf),
};

/** A component of a platform. */
const component = result.recordType('PlatformComponentRecord', componentFacts);

const place = {
  ...inDesign,
  /** Name of the platform. */
  platform: name(),
};

/** A platform of a design, or of an environment. */
interface Place {
  readonly assembly: string;
  readonly platform: string;
  readonly environment?: string | undefined;
}

const placeText = ({ assembly, environment, platform }: Place): string =>
  [assembly, environment, platform].filter((part) => part !== undefined).join('/');

type Lists = readonly [typeof routes.components.list, typeof routes.environmentPlatforms.components];

function listComponents(ask: Ask<Lists>, { assembly, platform, environment }: Place): Promise<readonly WireRecord[]> {
  return environment === undefined
    ? ask(routes.components.list, { address: { assembly, platform } })
    : ask(routes.environmentPlatforms.components, { address: { assembly, environment, platform } });
}

/**
 * The component with this name or number. For a name that several have, the service returns any of
 * them, so the list is read. Throws LifecycleError for none, or more than one.
 */
async function componentNamed(ask: Ask<Lists>, of: Place, wanted: string): Promise<WireRecord> {
  const all = await listComponents(ask, of);
  const where = `platform ${placeText(of)}`;
  const found = theOnly(namedIn(all, wanted), wanted, where);
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
  arguments: place,
  reads: [routes.components.list, routes.environmentPlatforms.components],
  result: {
    /** Components in alphabetical order, with those whose deletion is not committed yet. */
    components: result.list(result.record(component)),
  },
  read: async (ask, of) => ({
    components: byName((await listComponents(ask, of)).map((each) => result.valuesIn(componentFacts, each))),
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
    ...place,
    /** Name of the component, or its number (`ciId`) when several have that name. */
    name: name(),
  },
  reads: [
    routes.components.list,
    routes.components.read,
    routes.environmentPlatforms.components,
    routes.environmentPlatforms.component,
  ],
  result: wholeComponent,
  read: async (ask, { name: wanted, ...of }) => {
    const { ciId } = await componentNamed(ask, of, wanted);
    const { assembly, platform, environment } = of;
    const address = { assembly, platform, component: String(ciId) };
    return result.valuesIn(
      wholeComponent,
      environment === undefined
        ? await ask(routes.components.read, { address })
        : await ask(routes.environmentPlatforms.component, { address: { ...address, environment } }),
    );
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

const attachmentPlace = {
  ...place,
  /** Name of the component, or its number (`ciId`) when several have that name. */
  component: name(),
};

interface AttachmentPlace extends Place {
  readonly component: string;
}

const reads = [
  routes.components.list,
  routes.environmentPlatforms.components,
  routes.attachments.list,
  routes.environmentAttachments.list,
] as const;

async function listAttachments(ask: Ask<typeof reads>, of: AttachmentPlace): Promise<readonly WireRecord[]> {
  const { assembly, platform, environment } = of;
  const { ciId } = await componentNamed(ask, of, of.component);
  const address = { assembly, platform, component: String(ciId) };
  return environment === undefined
    ? ask(routes.attachments.list, { address })
    : ask(routes.environmentAttachments.list, { address: { ...address, environment } });
}

/** The attachments of a component, in a design or in an environment. */
export const getAttachments = apiFunction({
  token: 'getAttachments',
  arguments: attachmentPlace,
  reads,
  result: {
    /** Attachments in alphabetical order, with those whose deletion is not committed yet. */
    attachments: result.list(result.record(attachment)),
  },
  read: async (ask, of) => ({
    attachments: byName((await listAttachments(ask, of)).map((each) => result.valuesIn(attachmentFacts, each))),
  }),
});

/** An attachment of a component, in a design or in an environment. */
export const getAttachment = apiFunction({
  token: 'getAttachment',
  arguments: {
    ...attachmentPlace,
    /** Name of the attachment. */
    name: name(),
  },
  reads,
  result: attachmentFacts,
  read: async (ask, { name: wanted, ...of }) => {
    // A read by name may return an attachment of another component (service-facts §4.6).
    const all = await listAttachments(ask, of);
    const found = all.find(({ ciName }) => ciName === wanted);
    if (found !== undefined) return result.valuesIn(attachmentFacts, found);
    throw noneNamed(
      `component ${[of.assembly, of.environment, of.platform, of.component].filter(Boolean).join('/')} has no attachment "${wanted}"`,
      wanted,
      all.map(({ ciName }) => ciName),
    );
  },
});
