// Functions for attachments: all of a component, or one of them, in a design or in an environment (service-facts §2.3, §4.6, §4.7.5).
import { routes, type Record as WireRecord } from '../../api/contract';
import { apiFunction, type Ask } from './api-function';
import { inAssembly, name, noneNamed } from './arguments';
import { componentNamed } from './components';
import { attribute, byName, inAttributes, stagedFacts } from './records';
import * as result from './result';

const attachmentFacts = {
  ...stagedFacts,
  /** Where the content is saved on the machine. */
  path: inAttributes.text('path'),
  /** The content itself. */
  content: inAttributes.text('content'),
  /** URL the content is downloaded from. */
  source: inAttributes.text('source'),
  /** HTTP headers of the download. */
  headers: inAttributes.texts('headers'),
  /** User name for a protected source. The password is a secret, which the service does not return. */
  basicAuthUser: inAttributes.text('basic_auth_user'),
  /** Checksum compared after the download. */
  checksum: inAttributes.text('checksum'),
  /** Command run after the content is saved. */
  execCmd: inAttributes.text('exec_cmd'),
  /** Lifecycle events that run the command. */
  runsOn: result.list(result.text(), (record: WireRecord) =>
    attribute(record, 'runs_on')
      .split(',')
      .filter((event) => event !== ''),
  ),
  /** Order among attachments of the same event, ascending. */
  priority: inAttributes.int('priority', 1),
};

/** A file, certificate or script of a component. */
const attachment = result.recordType('AttachmentRecord', attachmentFacts);

const place = {
  ...inAssembly,
  /** Name of the platform. */
  platform: name(),
  /** Name of the component, or its number (`ciId`) when several have that name. */
  component: name(),
  /** Name of an environment, to read what was pulled into it and set there, instead of the design. */
  environment: name().optional(),
};

interface Place {
  readonly assembly: string;
  readonly platform: string;
  readonly component: string;
  readonly environment?: string | undefined;
}

const reads = [
  routes.components.list,
  routes.environmentPlatforms.components,
  routes.attachments.list,
  routes.environmentAttachments.list,
] as const;

async function listAttachments(ask: Ask<typeof reads>, of: Place): Promise<readonly WireRecord[]> {
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
  arguments: place,
  reads,
  result: {
    /** Attachments in alphabetical order of their names, including those whose deletion is not committed yet. */
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
    ...place,
    /** Name of the attachment. */
    name: name(),
  },
  reads,
  result: attachmentFacts,
  read: async (ask, { name: wanted, ...of }) => {
    // From the list: a read by name may return an attachment of another component of the platform (service-facts §4.6).
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
