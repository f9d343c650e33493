// The Deployment kind: commits an environment, deploys what changed and waits for it (flows §3.8, architecture §5).
import { routes } from '../../../api/contract';
import { control, flag, int, leaving, noted, oneOf, set, silent, text, trigger } from '../../field';
import { kind } from '../../kind';
import { downOf, entriesOf, givenBy, leavingIn, ownEnvironments, scaledBy, stampsOf } from '../../settled';
import { deploymentVerbs, searchDeployment } from './flow';
import { CLOUD_LINK } from '../environment/cloud-link';
import { environment } from '../environment/kind';

/** The roll-out of an environment: after everything it contains was written. */
export const deployment = kind({
  token: 'Deployment',
  path: routes.environments.read.path,
  named: false,
  within: environment,
  found: { search: searchDeployment },
  cascades: false,
  stage: 'none',
  fields: {
    /** Filled in: the stamps of our last writes. Another text has to be committed. */
    stamps: trigger(text()),
    /** Names of the environment's declared clouds: others leave once nothing runs there. */
    clouds: trigger(set()).optional(),
    /** Filled in: platforms that are declared to be down. */
    down: control(set()).optional(),
    /** Filled in: values of clouds that cloud configurations give, as `web/east/pctScale`. */
    configured: control(set()).optional(),
    /** Filled in: components of which the number of instances is declared, as `web/compute`. */
    scaled: control(set()).optional(),
    /** Filled in: records of the state that left the file, which are deleted before the commit. */
    leaving: leaving(),
    /** Filled in where this stack owns the assembly: its environments. A destroy stops while the assembly has others. */
    environments: silent(set()).optional(),
    /** Text on the release and on the deployment. */
    comment: noted(control(text())).optional(),
    /** What to do when the environment is busy with another user's deployment, or contains their open changes. Default `fail`. */
    whenBusy: control(oneOf(['fail', 'wait', 'proceed'])).optional(),
    /**
     * What becomes of changes of other users that are committed and come along with this deployment: `name` names them on the row (default), `refuse`
     * stops the run.
     */
    others: control(oneOf(['name', 'refuse'])).optional(),
    /**
     * What other users took away or changed and this file lets go, by record and release, as the refusal spells it: `db: design release 2677`. It is
     * named on the row of each run.
     */
    accept: control(set()).optional(),
    /** Minutes to wait for one deployment. Default 60. */
    timeout: control(int(1)).optional(),
    /** What destroying does with what runs: `disable` takes it down (default), `retain` leaves it. */
    onDelete: control(oneOf(['disable', 'retain'])).optional(),
    /** Go on with later steps when a record fails. */
    continueOnFailure: control(flag()).optional(),
    /** Filled in: a deployment that is not complete is a difference. */
    state: trigger(oneOf(['complete'])).optional(),
  },
  impact: { severity: { state: 'high' } },
  settles: {
    leaving: leavingIn('environment'),
    environments: ownEnvironments(true),
    stamps: stampsOf('environment'),
    clouds: entriesOf('Environment', 'clouds'),
    down: downOf('EnvironmentPlatform'),
    configured: givenBy('CloudConfiguration', Object.keys(CLOUD_LINK)),
    scaled: scaledBy('EnvironmentPlatform'),
  },
  inherits: { whenBusy: ['Assembly'] },
  fills: { state: 'complete' },
  inFile: { path: 'environments.*.deploy' },
  computed: {
    deploymentId: 'int',
    releaseId: 'int',
    /** Instances that ran after the last roll-out, by platform and cloud: `web/east 7, web/west 3`. A refresh that finds fewer reports it. */
    running: 'text',
    /** Addresses after the last roll-out, by platform: the public address of each instance, or else the private one. */
    addresses: 'lists',
    /** Stamp of the environment's last write that was rolled out; empty when no roll-out was carried out. */
    rolledOut: 'text',
    /** Records that a run deleted before it failed. */
    taken: 'text',
  },
  verbs: deploymentVerbs,
  sample: { create: { stamps: '' }, update: { stamps: 'unseen' } },
});
