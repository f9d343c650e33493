// The Procedure kind: an action run on instances of a component, once per trigger (flows §3.11).
import { control, flag, int, map, noted, oneOf, set, text, trigger } from '../../field';
import { kind } from '../../kind';
import { recordsOf } from '../../settled';
import { procedureVerbs } from './flow';
import { environment } from '../environment/kind';

/** An action that is run on what a deployment made: a restart, a repair, a script on demand. Runs after the environment's deployment, and again when its triggers change. */
export const procedure = kind({
  token: 'Procedure',
  path: '/{organization}/{assembly}/{environment}/{platform}/{component}/{procedure}',
  named: true,
  within: environment,
  cascades: true,
  stage: 'none',
  fields: {
    /** Action of the component's class (`reboot`), or the name of an attachment of it that runs on demand. */
    action: trigger(text()),
    /** Text the action is given. */
    arglist: noted(trigger(text())).optional(),
    /** Names of the instances to run it on. Default: all of the component. */
    instances: trigger(set()).optional(),
    /** Whether instances take turns (default) or run it at the same time. */
    execStrategy: trigger(oneOf(['one-by-one', 'parallel'])).optional(),
    /** Values of any meaning: a change of them runs it again. */
    triggers: trigger(map()).optional(),
    /** Whether one that failed, was canceled, or of which nobody knows whether it ran, may be run again. Default false: it stays a failure. */
    rerun: control(flag()).optional(),
    /** Minutes to wait for it. Default 60. */
    timeout: control(int(1)).optional(),
    /** Filled in: a procedure that is not complete is a difference. */
    state: trigger(oneOf(['complete'])).optional(),
  },
  impact: { applied: { severity: 'low', message: 'an action runs on its instances' } },
  // The deployment makes the instances that it runs on.
  after: recordsOf('Deployment'),
  inFile: {
    path: 'environments.*.procedures.*',
    given: ['action', 'arglist', 'instances', 'execStrategy', 'triggers'],
  },
  fills: { state: 'complete' },
  computed: {
    /** Number of the procedure that ran. */
    procedureId: 'int',
  },
  verbs: procedureVerbs,
  sample: {
    create: { action: 'reboot', triggers: { build: '1' } },
    update: { triggers: { build: '2' }, execStrategy: 'parallel' },
  },
});
