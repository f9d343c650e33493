// Functions for attachments: all of a component, or one of them, in a design or in an environment (service-facts §2.3, §4.6, §4.7.5).
import { routes, type Record as WireRecord } from '../../api/contract';
import { apiFunction, type Ask } from './api-function';
import { name } from './arguments';
import { componentNamed } from './components';
import { attribute, byName, mapIn, numberIn, stagedFacts, stagedFactsOf } from './records';
import * as result from './result';
import { noneNamed } from './unknown-name';

const attachmentFacts = {
  ...stagedFacts,
  /** Where the content is saved on the machine. */
  path: result.textResult(),
  /** The content itself. */
  content: result.textResult(),
  /** URL the content is downloaded from. */
  source: result.textResult(),
  /** HTTP headers of the download. */
  headers: result.mapResult(result.textResult()),
  /** User name for a protected source. The password is a secret, which the service does not return. */
  basicAuthUser: result.textResult(),
  /** Checksum compared after the download. */
  checksum: result.textResult(),
  /** Command run after the content is saved. */
  execCmd: result.textResult(),
  /** Lifecycle events that run the command. */
  runsOn: result.listResult(result.textResult()),
  /** Order among attachments of the same event, ascending. */
  priority: result.intResult(),
};

/** A file, certificate or script of a component. */
const attachment = result.recordType('AttachmentRecord', attachmentFacts);

const attachmentOf = (record: WireRecord): result.ResultValues<typeof attachmentFacts> => ({
  ...stagedFactsOf(record),
  path: attribute(record, 'path'),
  content: attribute(record, 'content'),
  source: attribute(record, 'source'),
  headers: mapIn(attribute(record, 'headers')),
  basicAuthUser: attribute(record, 'basic_auth_user'),
  checksum: attribute(record, 'checksum'),
  execCmd: attribute(record, 'exec_cmd'),
  runsOn: attribute(record, 'runs_on')
    .split(',')
    .filter((event) => event !== ''),
  priority: numberIn(attribute(record, 'priority'), 1),
});

const place = {
  /** Name of the assembly. */
  assembly: name(),
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
    attachments: result.listResult(result.recordResult(attachment)),
  },
  read: async (ask, of) => ({ attachments: byName((await listAttachments(ask, of)).map(attachmentOf)) }),
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
    if (found !== undefined) return attachmentOf(found);
    throw noneNamed(
      `component ${[of.assembly, of.environment, of.platform, of.component].filter(Boolean).join('/')} has no attachment "${wanted}"`,
      wanted,
      all.map(({ ciName }) => ciName),
    );
  },
});
