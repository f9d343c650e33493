// The Deployment kind: commits an environment, deploys what changed and waits for it (flows §3.8, architecture §5).
// It must not know the engine or the file that declares it.
import { routes } from '../../../api/contract';
import { control, flag, int, map, oneOf, set, text, trigger } from '../../field';
import { kind } from '../../kind';
import { entriesOf, membersOf } from '../../settled';
import { MEMBER_TYPE } from '../../members';
import { deploymentVerbs, searchDeployment } from './flow';
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
    /** Each record of the environment that was declared, and the revision of our last write of it. */
    members: trigger(map({ type: 'text', lenient: true, aside: MEMBER_TYPE })),
    /** Names of the environment's declared clouds: others leave once nothing runs there. */
    clouds: trigger(set()).optional(),
    /** Text on the release and on the deployment. */
    comment: control(text()).optional(),
    /** What to do when the environment is busy with another user's deployment, or contains their open changes. Default `fail`. */
    whenBusy: control(oneOf(['fail', 'wait', 'cancel'])).optional(),
    /** Minutes to wait for one deployment. Default 60. */
    timeout: control(int(1)).optional(),
    /** What destroying does with what runs: `disable` takes it down (default), `retain` leaves it. */
    onDelete: control(oneOf(['disable', 'retain'])).optional(),
    /** Go on with later steps when a record fails. */
    continueOnFailure: control(flag()).optional(),
    /** Filled in: a deployment that is not complete is a difference. */
    state: trigger(oneOf(['complete'])).optional(),
  },
  commits: 'environment',
  impact: { severity: { state: 'high' } },
  settles: { members: membersOf('environment'), clouds: entriesOf('Environment', 'clouds') },
  inherits: { whenBusy: ['Assembly'] },
  fills: { state: 'complete' },
  inFile: { path: 'environments.*.deploy' },
  computed: {
    deploymentId: 'int',
    releaseId: 'int',
    /** Instances that ran after the last roll-out, by platform and cloud: `web/east 7, web/west 3`. A refresh that finds fewer reports it. */
    running: 'text',
  },
  verbs: deploymentVerbs,
  sample: { create: { members: {} }, update: { members: { environment: 'unseen' } } },
});
