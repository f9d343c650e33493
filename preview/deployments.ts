// Which design releases will commit and which environments will deploy, from the rows of releases, environments and deployments.
import { compareMembers, unfinishedText } from '../provider';
import type { PlannedDeployment } from './plan';
import type { PlannedStep } from './document';

type Values = { readonly [name: string]: unknown };

const before = ({ step }: PlannedStep): Values => step.oldState?.inputs ?? {};
const after = ({ step }: PlannedStep): Values => step.newState?.inputs ?? {};

/** What each design release will commit, by the assembly's id: `~web/compute -web/cron`. */
export function commitsIn(steps: readonly PlannedStep[]): { readonly [assembly: string]: readonly string[] } {
  const releases = steps.filter(({ kind, operation }) => kind?.commits === 'design' && operation !== 'delete');
  return Object.fromEntries(releases.map((each) => [each.address, membersChanged(each)]));
}

/** What happens to each environment. */
export function deploymentsIn(steps: readonly PlannedStep[]): readonly PlannedDeployment[] {
  const commits = commitsIn(steps);
  const deployed = steps.filter(({ kind }) => kind?.commits === 'environment');
  const environments = steps.filter(({ kind }) => kind?.holds === 'environment');
  const pulls = (address: string): readonly string[] => {
    const environment = environments.find((each) => each.address === address);
    if (environment === undefined || same(environment, 'designRelease')) return [];
    return commits[address.slice(0, address.lastIndexOf('/'))] ?? [];
  };
  const alone = environments.filter(
    (each) => each.operation === 'update' && !same(each, 'designRelease') && !isDeployed(each.address, deployed),
  );
  const all: readonly PlannedDeployment[] = [
    ...deployed.map((each) => deploymentOf(each, pulls(each.address))),
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
    if (kind?.holds === 'environment')
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

function deploymentOf(step: PlannedStep, design: readonly string[]): PlannedDeployment {
  const environment = step.address;
  if (step.operation === 'delete') {
    const retains = before(step)['onDelete'] === 'retain';
    return { environment, does: retains ? 'lets-go' : 'tears-down', because: [] };
  }
  if (step.operation === 'create') return { environment, does: 'first', because: [] };
  const own = membersChanged(step).filter((member) => member !== '~environment' || design.length === 0);
  const unfinished = unfinishedText(step.step.oldState?.outputs?.['state']);
  return {
    environment,
    does: 'deploys',
    because: [...design, ...own, ...(unfinished === undefined ? [] : [unfinished])],
  };
}

/** `~web/compute -web/cron`: written and removed. */
function membersChanged(step: PlannedStep): readonly string[] {
  const { written, removed } = compareMembers(before(step)['members'], after(step)['members']);
  return [...written.map((path) => `~${path}`), ...removed.map((path) => `-${path}`)];
}
