// `pulumi-oneops run`: runs an action of a component on its instances.
import type { Api } from '../../../api/client';
import { routes, type Instance, type Procedure } from '../../../api/contract';
import { plural } from '../../../api/errors';
import {
  failedActions,
  instancesAt,
  isRunning,
  newProcedure,
  procedureLine,
  runnableOn,
} from '../../../provider/kinds';
import { defined, didYouMean } from '../../../provider/values';
import { agreed } from '../../prompts';
import { commandOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { flag, JSON_OPTION, SETTINGS_OPTIONS, text } from '../../options';
import { orUnknown } from './deployments';
import { addressOf, type Component, componentIn, operate, type InEnvironment, type Operation } from './place';
import { followLines } from '../../here/terminal';

export const command = commandOf({
  usage: ['run [ENVIRONMENT/]PLATFORM/COMPONENT ACTION [options]'],
  about: `Runs an action of a component, such as restart or stop, or an attachment that runs on demand. It says
on how many instances, and asks. Without an ACTION, lists the actions. An ENVIRONMENT can be left out where the
stack in this folder has only one.`,
  options: {
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
  },
  exits: {
    done: 'started, listed, or with --follow: complete',
    failed: 'you did not agree, or the service refused; with --follow: an action failed',
  },
  most: 2,
  async run({ values, positionals: [word, wanted] }) {
    const step = values.step === undefined ? undefined : Number(values.step);
    if (step !== undefined && !(Number.isInteger(step) && step > 0 && step < 100))
      throw new UsageError(`--step takes a percentage from 1 to 99, and not "${values.step ?? ''}"`);
    return operate(word, values, componentIn, async (operation) => {
      const { api, place, print } = operation;
      const address = addressOf(place);
      const actions = await runnableOn(api, address);
      const names = [...actions.keys()];
      if (wanted === undefined) return print(names, (shown) => shown.map((name) => `${name}\n`).join(''));
      const action = actions.get(wanted);
      if (action === undefined)
        throw new UsageError(`${place.component} has no action "${wanted}": ${didYouMean(wanted, names)}`);
      const targets = targetsIn(await instancesAt({ api, at: address }), values.instances, place);
      const where = `${place.environment}/${place.platform}/${place.component}`;
      process.stderr.write(`${wanted} on ${plural(targets.length, 'instance')} of ${where}\n`);
      if (!values.yes && !(await agreed('run it?'))) return EXIT.failed;
      const { ciId } = await api.call(routes.operations.component, { address });
      const arglist = values.arguments;
      const cms_procedure = newProcedure(
        { name: wanted, ciId, ...defined({ arglist }) },
        targets,
        { ...action, ...defined({ arglist }) },
        step === undefined ? undefined : 'parallel',
      );
      const body = { cms_procedure, ...defined({ roll_at: step }) };
      const started = await api.call(routes.procedures.create, { address: {}, body });
      if (!values.follow)
        return print(
          { ...started, instances: targets.map(({ ciName }) => ciName), failures: [] },
          ({ procedureId, procedureState }) =>
            `procedure ${procedureId} is ${procedureState}: pulumi-oneops logs ${api.organization}/${place.assembly}/${place.environment} --procedure ${procedureId} --follow\n`,
        );
      return followed(operation, started, targets);
    });
  },
});

/** The named instances. Throws UsageError for an unknown name, and where nothing runs. */
function targetsIn(
  instances: readonly Instance[],
  named: string | undefined,
  { environment, platform, component }: Component,
): readonly Instance[] {
  if (instances.length === 0)
    throw new UsageError(`${platform}/${component} has no instances in ${environment}: deploy the environment first`);
  if (named === undefined) return instances;
  const known = instances.map(({ ciName }) => ciName);
  return named.split(',').map((name) => {
    const found = instances.find(({ ciName }) => [ciName, `${platform}/${ciName}`].includes(name));
    if (found === undefined) throw new UsageError(`there is no instance "${name}"; there are ${known.join(', ')}`);
    return found;
  });
}

/** A procedure by its number. Throws UsageError if there is none. */
export async function procedureIn(api: Api, { environment }: InEnvironment, id: string): Promise<Procedure> {
  if (!/^\d+$/.test(id)) throw new UsageError(`"${id}" is no number of a procedure`);
  const found = await orUnknown(api.call(routes.procedures.read, { address: { procedure: id } }));
  if (found !== undefined) return found;
  throw new UsageError(`there is no procedure ${id} in ${environment}`);
}

async function followed(
  { api, place, print, say }: Operation<InEnvironment>,
  { procedureId }: Procedure,
  targets: readonly Instance[],
): Promise<number> {
  const names = new Map(targets.map(({ ciId, ciName }) => [ciId, ciName]));
  const end = await followLines(
    () => procedureIn(api, place, String(procedureId)),
    (now) => !isRunning(now),
    (now) => `procedure ${procedureId}: ${procedureLine(now, names)}`,
    say,
  );
  const failures = await failedActions(api, { procedure: String(procedureId) }, names);
  failures.forEach((line) => say(line));
  print({ ...end, instances: [...names.values()], failures }, () => '');
  return end.procedureState === 'complete' ? EXIT.done : EXIT.failed;
}
