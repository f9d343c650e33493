// A saved plan and the state that it starts from, as the commands on plans find them.
import { type PlanFile, readPlanText, readStart, stackOfPlan } from '../../../preview';
import { messageOf, WrongInput } from '../../../api/errors';
import { serviceIdentity } from '../../../provider/session/settings';
import { UsageError } from '../../exit';
import { projectHere, textFrom } from '../../here/project';
import { commandSettings, type FoundSettings, type SettingsOptions } from '../../here/settings';
import { inExport, stackExport } from '../drift/sources';

/** The plan that a command names. Throws UsageError unless it names one, and Error for a file that is none. */
export function planIn(command: string, positionals: readonly string[]): PlanFile {
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new UsageError(`plan ${command} takes one file`);
  const text = textFrom(name);
  try {
    return readPlanText(text);
  } catch (error) {
    throw new WrongInput(`${name} cannot be used as a plan: ${messageOf(error)}`, { cause: error });
  }
}

/** The export of the plan's stack: its JSON, parsed. Throws Error without one. */
export async function exportedStart(
  plan: PlanFile,
  { state, stack }: { readonly state?: string | undefined; readonly stack?: string | undefined },
): Promise<unknown> {
  const { stack: own, project: ownProject } = stackOfPlan(plan) ?? {};
  if (own !== undefined && stack !== undefined && stack.split('/').at(-1) !== own)
    throw new UsageError(`the plan is of stack ${own}, not of ${stack}`);
  const project = projectHere();
  if (state === undefined && project !== undefined && ownProject !== undefined && project.name !== ownProject)
    throw new UsageError(`the plan is of project ${ownProject}, and the one in this folder is ${project.name}`);
  const found = await stackExport({ state, stack: stack ?? own }, project !== undefined);
  if ('absent' in found) throw new Error(found.absent);
  return inExport(found, (exported) => {
    const foreign = [...readStart(exported).resources.keys()].find((urn) => !isOf(urn, own, ownProject));
    if (foreign !== undefined && own !== undefined)
      throw new Error(`it is not of stack ${own} of project ${ownProject}`);
    return exported;
  });
}

/** The settings with which a run of the plan's stack would speak to its service. Where they cannot be read, the plan has the configuration. */
export async function planSettings(plan: PlanFile, options: SettingsOptions): Promise<FoundSettings> {
  const { stack = stackOfPlan(plan)?.stack } = options;
  const found = await commandSettings({ ...options, stack });
  const { configuration, note } = found;
  const isRead = Object.keys(configuration).length > 0 || (projectHere() !== undefined && note === undefined);
  if (isRead) return found;
  const given: FoundSettings['configuration'] = {
    ...plan.config,
    ...(options.url === undefined ? {} : { 'oneops:url': options.url }),
    ...(options.organization === undefined ? {} : { 'oneops:organization': options.organization }),
  };
  return { ...found, service: serviceIdentity((key) => given[key], process.env) };
}

const isOf = (urn: string, stack: string | undefined, project: string | undefined): boolean =>
  urn.startsWith(`urn:pulumi:${stack}::${project}::`);
