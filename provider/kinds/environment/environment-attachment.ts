// The EnvironmentAttachment kind (service-facts §4.7.5, flows §3.14).
import { routes, nameRules } from '../../../api/contract';
import { commented, takingOver, withoutBase } from '../../values/field';
import { kind } from '../../kind';
import { attachment, attachmentAttributes, attachmentSeverity } from '../attachment';
import { environment } from './kind';
import { partKind } from './parts';

/** Without a value of its own, an attribute follows the design, and has no other base. */
const attributes = withoutBase(attachmentAttributes);

const attachmentsInEnvironment = partKind({
  className: 'Attachment',
  routes: routes.environmentAttachments,
  designed: routes.attachments.list,
  advice:
    'declare it for the component of the design too: an environment gives other values to an attachment that its design has',
  attributes,
});

export const environmentAttachment = kind({
  token: 'EnvironmentAttachment',
  description:
    'Values of an attachment that differ from the design in one environment. Arguments that are left out follow the design.',
  path: routes.environmentAttachments.read.path,
  id: '{assembly}/{environment}/{platform}/components/{component}/attachments/{name}',
  within: environment,
  nameRule: nameRules.attachment,
  stage: 'environment',
  found: { search: attachmentsInEnvironment.search },
  fields: {
    ...attributes,
    ...commented,
    ...takingOver,
  },
  impact: { severity: attachmentSeverity },
  inFile: {
    path: 'environments.*.platforms.*.components.*.attachments.*',
    aliases: { run_on: 'runsOn' },
    written: () => ({}),
  },
  verbs: attachmentsInEnvironment.verbs,
  sample: {
    create: { ...attachment.sample.create, path: '/etc/motd-prod', source: 'http://files.acme.io/prod/motd' },
    ...(attachment.sample.update && { update: attachment.sample.update }),
  },
});
