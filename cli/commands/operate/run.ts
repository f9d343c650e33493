// `pulumi-oneops run`: runs an action of a component on its instances.
import { routes, type Instance, type Procedure } from '../../../api/contract';
import { didYouMean } from '../../../provider/values';
import { agreed } from '../../prompts';
import { parseWords, type Command } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { flag, JSON_OPTION, SETTINGS_OPTIONS, text } from '../../options';
import { ALL } from './instances';
import { addressOf, operateIn, type InEnvironment, type Operation } from './place';
import { isRunning, procedureIn, procedureText } from './procedures';
import { follow, print } from './text';

const OPTIONS = {
  instances: text('NAMES', 'only these instances, with commas between them; default: all'),
  step: text(
    'PERCENT',
    'share of the instances that it runs on at one time, from 1 to 99; default: one after the other',
  ),
  arguments: text('TEXT', 'arguments of the action; other users can read them'),
  follow: flag('follow it to its end'),
  yes: flag('do it without asking'),
  ...JSON_OPTION,
  ...SETTINGS_OPTIONS,
} as const;

/** The action that runs an attachment; `extraInfo` names the attachment (service-facts §4.8). */
const ATTACHMENT_ACTION = 'user-custom-attachment';

/** The run command. */
export const runCommand: Command = {
  usage: ['run ENVIRONMENT/PLATFORM/COMPONENT ACTION [options]'],
  about: `Runs an action of a component, such as restart or stop, or an attachment that runs on demand. It says
on how many instances, and asks. Without an ACTION, lists the actions.`,
  options: OPTIONS,
  exits: {
    done: 'started, listed, or with --follow: complete',
    failed: 'you did not agree, or the service refused; with --follow: an action failed',
    notLetIn: 'the token is missing, or the service refuses it',
  },
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [word, wanted] = positionals;
    const step = values.step === undefined ? undefined : Number(values.step);
    if (step !== undefined && !(Number.isInteger(step) && step > 0 && step < 100))
      throw new UsageError(`--step takes a percentage from 1 to 99, and not "${values.step ?? ''}"`);
    return operateIn(word, values, async (operation) => {
      const { api, place } = operation;
      const address = addressOf(place);
      if (place.component === undefined)
        throw new UsageError(`"${word ?? ''}" names no component: write it like prod/web/tomcat`);
      const actions = (await api.call(routes.operations.actions, { address })).map(
        ({ actionId, actionName, description }) =>
          actionName === ATTACHMENT_ACTION
            ? { name: description ?? '', sent: { actionName, extraInfo: String(actionId) } }
            : { name: actionName, sent: { actionName } },
      );
      const names = actions.map(({ name }) => name);
      if (wanted === undefined) {
        print(values.json, names, () => names.map((name) => `${name}\n`).join(''));
        return EXIT.done;
      }
      const action = actions.find(({ name }) => name === wanted);
      if (action === undefined)
        throw new UsageError(`${place.component} has no action "${wanted}": ${didYouMean(wanted, names)}`);
      const targets = targetsIn(await api.call(routes.operations.instances, { address, query: ALL }), values.instances);
      const count = `${targets.length} ${targets.length === 1 ? 'instance' : 'instances'}`;
      process.stderr.write(
        `${wanted} on ${count} of ${place.environment}/${place.platform ?? ''}/${place.component}\n`,
      );
      if (!values.yes && !(await agreed('run it?'))) return EXIT.failed;
      const { ciId } = await api.call(routes.operations.component, { address });
      const argument = values.arguments === undefined ? {} : { arglist: values.arguments };
      const flow = {
        targetIds: targets.map((each) => String(each.ciId)),
        relationName: 'base.RealizedAs',
        direction: 'from',
        execStrategy: step === undefined ? 'one-by-one' : 'parallel',
        actions: [{ ...action.sent, ...argument, stepNumber: 1, isCritical: true }],
      };
      const started = await api.call(routes.procedures.create, {
        address: {},
        body: {
          cms_procedure: {
            procedureCiId: '0',
            procedureName: wanted,
            ciId: String(ciId),
            procedureState: 'active',
            arglist: values.arguments ?? '',
            definition: JSON.stringify({ name: wanted, flow: [flow] }),
          },
          ...(step === undefined ? {} : { roll_at: step }),
        },
      });
      if (!values.follow) {
        print(values.json, started, () => `procedure ${started.procedureId} is ${started.procedureState}\n`);
        return EXIT.done;
      }
      return followed(operation, started, values.json);
    });
  },
};

/** The instances that are meant. Throws UsageError for a name that no instance has, and where nothing runs. */
function targetsIn(instances: readonly Instance[], named: string | undefined): readonly Instance[] {
  if (instances.length === 0) throw new UsageError('it has no instances: deploy the environment first');
  if (named === undefined) return instances;
  const known = instances.map(({ ciName }) => ciName);
  return named.split(',').map((name) => {
    const found = instances.find(({ ciName }) => ciName === name);
    if (found === undefined) throw new UsageError(`there is no instance "${name}"; there are ${known.join(', ')}`);
    return found;
  });
}

async function followed(
  { api, place, hidden }: Operation<InEnvironment>,
  { procedureId }: Procedure,
  json: boolean,
): Promise<number> {
  let said = '';
  const end = await follow(
    () => procedureIn(api, place, String(procedureId)),
    (now) => !isRunning(now),
    (now) => {
      const line = procedureText(now);
      if (line !== said && !json) process.stdout.write(`procedure ${procedureId} is ${line}\n`);
      said = line;
    },
  );
  const { log_data: logs, actions } = await api.call(routes.procedures.status, {
    address: { procedure: String(procedureId) },
  });
  const failed = (actions ?? []).filter(({ actionState }) => actionState === 'failed');
  const reasons = failed.map(({ actionId, actionName, ciId }) => {
    const error = logs.find(({ id }) => id === actionId)?.logData.findLast(({ level }) => level === 'ERROR');
    return `  ${actionName} on ${ciId ?? '?'} failed${error === undefined ? '' : `: ${error.message}`}\n`;
  });
  print(json, end, () => reasons.join(''), hidden);
  return end.procedureState === 'complete' ? EXIT.done : EXIT.failed;
}
