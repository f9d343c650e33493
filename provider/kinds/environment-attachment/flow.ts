// EnvironmentAttachment verbs: the values of an attachment that differ from the design in one environment (flows §3.14).
import { routes } from '../../../api/contract';
import { LifecycleError } from '../../errors';
import { snakeCase } from '../../field';
import { entryNames } from '../../kind';
import { holdersOf } from '../../releases/design-changes';
import { platformText } from '../../releases/named-component';
import { ofClass } from '../../verbs/records';
import type { Verbs } from '../../verbs/verbs';
import { overlayVerbs } from '../environment/overlay';
import { partReader } from '../environment/parts';

/** Arguments that are attributes. */
const ATTRIBUTES = [
  'path',
  'content',
  'source',
  'headers',
  'basicAuthUser',
  'basicAuthPassword',
  'checksum',
  'execCmd',
  'runsOn',
  'priority',
];

const attachments = partReader({
  readable: { ...routes.environmentAttachments, isMeant: ofClass('Attachment') },
  designed: routes.attachments.list,
  holdersIn: (api, at) => holdersOf(api, at, 'catalog.Attachment'),
});

/** Verbs of the EnvironmentAttachment kind. */
export const environmentAttachmentVerbs: Verbs = overlayVerbs({
  find: attachments.find,
  designed: attachments.designed,
  update: routes.environmentAttachments.update,
  addressOf: attachments.addressOf,
  nameOf: (work) => String(work.address['name']),
  missing: (work) =>
    new LifecycleError(
      `component "${work.at['component']}" of ${platformText(work)} has no attachment "${work.address['name']}"`,
      'declare it for the component of the design too: an environment gives other values to an attachment that its design has',
    ),
  declares: (args) =>
    entryNames(args)
      .filter((name) => ATTRIBUTES.includes(name))
      .map(snakeCase),
});

/** Attachments of an environment that have values of their own. */
export const searchAttachments = attachments.search;
