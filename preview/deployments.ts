// Which design releases will commit and which environments will deploy, from the rows of releases, environments and deployments.
import { argumentFor, isReference, kindOf, memberPath, parseId, scopeOfId, unfinishedText } from '../provider';
import type { PlannedDeployment } from './plan';
import type { PlannedStep } from './document';

type Values = { readonly [name: string]: unknown };

const before = ({ step }: PlannedStep): Values => step.oldState?.inputs ?? {};
const after = ({ step }: PlannedStep): Values => step.newState?.inputs ?? {};

/** What each design release will commit, by the assembly's id: `~web/compute -web/cron`. */
export function commitsIn(steps: readonly PlannedStep[]): { readonly [assembly: string]: readonly string[] } {
  const releases = steps.filter(({ kind, operation }) => kind?.token === 'DesignRelease' && operation !== 'delete');
  return Object.fromEntries(releases.map((each) => [each.address, changedAround(steps, each, 'design')]));
}

/** What happens to each environment. */
export function deploymentsIn(steps: readonly PlannedStep[]): readonly PlannedDeployment[] {
  const commits = commitsIn(steps);
  const deployed = steps.filter(({ kind }) => kind?.token === 'Deployment');
  const environments = steps.filter(({ kind }) => kind?.token === 'Environment');
  const pulls = (address: string): readonly string[] => {
    const environment = environments.find((each) => each.address === address);
    if (environment === undefined || same(environment, 'designRelease')) return [];
    return commits[address.slice(0, address.lastIndexOf('/'))] ?? [];
  };
  const alone = environments.filter(
    (each) => each.operation === 'update' && !same(each, 'designRelease') && !isDeployed(each.address, deployed),
  );
  const all: readonly PlannedDeployment[] = [
    ...deployed.map((each) => deploymentOf(each, pulls(each.address), changedAround(steps, each, 'environment'))),
    ...alone.map(({ address }) => ({ environment: address, does: 'pulls' as const, because: pulls(address) })),
  ];
  return all.map((each) => (pullsDesign(steps, each.environment) ? { ...each, pulls: true } : each));
}

/**
 * Whether a run pulls the design into an environment, or may have to: its design release is another one, or something in it is changed, which may
 * give a value back that only a pull brings.
 */
const pullsDesign = (steps: readonly PlannedStep[], environment: string): boolean =>
  steps.some((step) => {
    const { kind, operation, address } = step;
    if (kind?.token === 'Environment')
      return (
        address === environment && (operation === 'create' || !same(step, 'designRelease') || !same(step, 'newer'))
      );
    const isInside = kind?.stage === 'environment' && address.startsWith(`${environment}/`);
    return isInside && operation !== 'create' && operation !== 'import';
  });

const same = (step: PlannedStep, name: string): boolean =>
  JSON.stringify(before(step)[name]) === JSON.stringify(after(step)[name]);

const isDeployed = (address: string, deployed: readonly PlannedStep[]): boolean =>
  deployed.some((each) => each.address === address);

function deploymentOf(step: PlannedStep, design: readonly string[], changed: readonly string[]): PlannedDeployment {
  const environment = step.address;
  if (step.operation === 'delete') {
    const retains = before(step)['onDelete'] === 'retain';
    return { environment, does: retains ? 'lets-go' : 'tears-down', because: [] };
  }
  if (step.operation === 'create') return { environment, does: 'first', because: [] };
  const own = changed.filter((member) => member !== '~environment' || design.length === 0);
  const unfinished = unfinishedText(step.step.oldState?.outputs?.['state']);
  return {
    environment,
    does: 'deploys',
    because: [...design, ...own, ...(unfinished === undefined ? [] : [unfinished])],
  };
}

/** `~web/compute -web/cron`: records of the design, or the environment, that a step is about, written and removed. */
function changedAround(
  steps: readonly PlannedStep[],
  { token, address }: PlannedStep,
  stage: 'design' | 'environment',
): readonly string[] {
  const of = kindOf(token);
  const around = Object.entries((of && parseId(scopeOfId(of, address) ?? of, address)?.address) ?? {});
  return steps.flatMap((each) => {
    const kind = each.kind && (scopeOfId(each.kind, each.address) ?? each.kind);
    const own = kind?.stage === stage ? parseId(kind, each.address)?.address : undefined;
    if (kind === undefined || own === undefined || isReference({ ...before(each), ...after(each) })) return [];
    const { name = '', ...rest } = own;
    const words: { readonly [argument: string]: string } = { ...rest, [argumentFor(kind)]: name };
    if (around.some(([argument, word]) => words[argument] !== word)) return [];
    return [`${each.operation === 'delete' ? '-' : '~'}${memberPath(kind, own)}`];
  });
}
