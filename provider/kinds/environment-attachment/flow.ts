// EnvironmentAttachment verbs: the values of an attachment that differ from the design in one environment (flows §3.14).
import { routes } from '../../../api/contract';
import { snakeCase } from '../../field';
import { entryNames } from '../../kind';
import { partKind, type PartKind } from '../environment/parts';

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

/** Attachments of an environment's components. */
export const attachmentsInEnvironment: PartKind = partKind({
  className: 'Attachment',
  routes: routes.environmentAttachments,
  designed: routes.attachments.list,
  advice:
    'declare it for the component of the design too: an environment gives other values to an attachment that its design has',
  declares: (args) =>
    entryNames(args)
      .filter((name) => ATTRIBUTES.includes(name))
      .map(snakeCase),
});
