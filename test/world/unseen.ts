// Fields that no sample gives, and those of which no read shows what another user made of them: by path, each with its reason.
import type { Kind } from '../../provider';

/** Reasons by `Kind.field`; `*.field` is the field of every kind. */
interface Reasons {
  readonly [path: string]: string;
}

const OUR_WORK = 'steers our own work: the service keeps nothing of it';
const OWN_STORY = 'steers our own work: stories of its own';
const FIXED = 'nobody can change it: one created again is another record, and found as deleted by another user';
const SECRET = 'reads as encrypted: a review says that its record was touched, by whom and when';

/** Fields that no sample gives, and why. */
export const UNSAMPLED: Reasons = {
  '*.existing': OWN_STORY,
  '*.adopt': OUR_WORK,
  '*.overwrite': OUR_WORK,
  '*.whenBusy': OWN_STORY,
  '*.leaving': 'follows from the state: records that left the file',
  '*.environments': 'follows from the environments that are declared',
  '*.platforms': 'follows from the platforms that are declared',
  '*.retained': 'follows from the deployments that are declared',
  '*.keeps': 'follows from the records of the design that are declared',
  '*.accept': OWN_STORY,
  '*.others': OWN_STORY,
  '*.newer': 'filled in by a refresh where others own the design: stories of its own',
  'Platform.majorVersion': 'the live service forces it to 1',
  'Variable.encryptedValue': 'in place of the value, never beside it: a suite of its own (encrypted.test.ts)',
  'DesignRelease.comment': 'text of a release: a story of its own',
  'Environment.designRelease': 'the revision of another resource',
  'Environment.recreatePlatforms': OWN_STORY,
  'Environment.configured': 'follows from the cloud configurations that are declared',
  'EnvironmentComponent.touch': 'text of the program: a suite of its own (overrides.test.ts)',
  'Deployment.clouds': 'follows from the environment that is declared',
  'Deployment.down': 'follows from the platforms of the environment that are declared',
  'Deployment.scaled': 'follows from the platforms of the environment that are declared',
  'Deployment.configured': 'follows from the cloud configurations that are declared',
  'Deployment.comment': 'text of a release: a story of its own',
  'Deployment.checks': OWN_STORY,
  'Deployment.timeout': OWN_STORY,
  'Deployment.onDelete': OWN_STORY,
  'Deployment.continueOnFailure': OWN_STORY,
  'Deployment.state': 'filled in',
  'Procedure.arglist': 'what one run is given: a suite of its own (procedures.test.ts)',
  'Procedure.instances': 'names of instances, which a deployment makes: a suite of its own (procedures.test.ts)',
  'Procedure.rerun': OWN_STORY,
  'Procedure.timeout': OWN_STORY,
  'Procedure.state': 'filled in',
  'InstanceReplacement.instances':
    'names of instances, which a deployment makes: a suite of its own (procedures.test.ts)',
};

/** Fields of samples in which no read shows what another user wrote, and why. */
export const UNSEEN: Reasons = {
  'Platform.source': FIXED,
  'Platform.pack': FIXED,
  'Platform.version': 'the samples run with one version of each pack: a test of its own (pack-changes.test.ts)',
  'Component.type': FIXED,
  'Attachment.basicAuthPassword': SECRET,
  'DesignRelease.stamps': 'what is committed is no attribute of a record',
  'Environment.platformAvailability':
    'taken when a platform is pulled first; a later change is found from the releases (reviews/relations)',
  'Deployment.stamps': 'what is deployed is no attribute of a record',
  'EnvironmentComponent.type': FIXED,
  'EnvironmentAttachment.basicAuthPassword': SECRET,
  'Cloud.location': FIXED,
  'Procedure.action': 'what was run is not undone',
  'Procedure.execStrategy': 'what was run is not undone',
  'Procedure.triggers': 'values of the program: the service keeps nothing of them',
  'InstanceReplacement.triggers': 'values of the program: the service keeps nothing of them',
};

/** Entries of open maps that are secret. */
export const SECRET_ENTRIES: Reasons = { 'CloudService.attributes.password': SECRET };

const has = (reasons: Reasons, { token }: Kind, name: string): boolean =>
  `${token}.${name}` in reasons || `*.${name}` in reasons;

/** Whether no sample gives a field. */
export const isUnsampled = (of: Kind, name: string): boolean => has(UNSAMPLED, of, name);

/** Whether no read shows what another user made of a field. */
export const isUnseen = (of: Kind, name: string): boolean => has(UNSEEN, of, name) || isUnsampled(of, name);
