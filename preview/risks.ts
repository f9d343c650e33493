// What deserves a look before a change is merged: outages, and what cannot be taken back.
import { isActivePrimary } from '../provider/kinds';
import { asMap, isPlainObject, type Values } from '../provider/values';
import { SEVERITIES, type Severity } from '../drift';
import type { PlannedDeployment, PlannedRisk } from './plan';
import type { PlannedStep } from './document';

/** Risks of a plan, most severe first; of the same severity as they come. */
export function risksOf(
  steps: readonly PlannedStep[],
  deployments: readonly PlannedDeployment[],
): readonly PlannedRisk[] {
  const gone = new Set(
    steps.filter(({ operation, isRetained }) => operation === 'delete' && !isRetained).map(({ address }) => address),
  );
  const found = [
    ...steps.flatMap((each) => [...stepRisks(each, gone), ...cloudRisks(each), ...ownRisks(each)]),
    ...deployments.flatMap((each) => deploymentRisks(each, steps)),
  ];
  return found.sort((left, right) => SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity));
}

const risk = (severity: Severity, address: string, message: string): PlannedRisk => ({ severity, address, message });

const isInside = (address: string, gone: ReadonlySet<string>): boolean =>
  address.split('/').some((_, index, parts) => gone.has(parts.slice(0, index).join('/')));

/** Deletions and replacements; what goes with something above it is not repeated. */
function stepRisks(
  { operation, token, kind, address, isRetained, step }: PlannedStep,
  gone: ReadonlySet<string>,
): readonly PlannedRisk[] {
  const deleted = kind?.impact?.deleted;
  if (operation === 'replace') {
    if (kind?.token === 'DesignRelease' || kind?.token === 'Deployment') return [];
    const reasons = step.replaceReasons ?? [];
    const why = reasons.length === 0 ? '' : ` because of ${reasons.join(', ')}`;
    const message = `${token} is deleted and created again${why}, with everything below it`;
    return [risk(deleted?.severity ?? 'medium', address, message)];
  }
  if (operation !== 'delete' || isRetained || deleted === undefined || isInside(address, gone)) return [];
  const isOfPack = step.oldState?.outputs?.['origin'] === 'pack';
  return [risk(deleted.severity, address, (isOfPack ? deleted.ofPack : undefined) ?? deleted.message)];
}

function deploymentRisks(
  { environment, does }: PlannedDeployment,
  steps: readonly PlannedStep[],
): readonly PlannedRisk[] {
  const goesToo = steps.some(
    ({ kind, operation, address }) =>
      kind?.token === 'Environment' && operation === 'delete' && address === environment,
  );
  if (does === 'tears-down' && !goesToo)
    return [risk('high', environment, 'its deployment left the program: everything that runs there is taken down')];
  if (does === 'lets-go')
    return [risk('medium', environment, 'it leaves the stack, and what runs there continues without it')];
  return [];
}

const linksOf = (inputs: Values | null | undefined): ReadonlyMap<string, Values> =>
  new Map(
    Object.entries(asMap(inputs?.['clouds'])).filter((entry): entry is [string, Values] => isPlainObject(entry[1])),
  );

const isActive = (link: Values | undefined): boolean =>
  link !== undefined && (link['adminstatus'] ?? 'active') === 'active';

const primariesIn = (links: ReadonlyMap<string, Values>): readonly string[] =>
  [...links].flatMap(([cloud, link]) => (isActivePrimary(link) === true ? [cloud] : []));

/** Clouds that environments and platforms leave, and those that are switched. */
function cloudRisks({ operation, kind, address, step }: PlannedStep): readonly PlannedRisk[] {
  const { oldState, newState } = step;
  if (kind?.token === 'CloudConfiguration' && (operation === 'create' || operation === 'update')) {
    const was = oldState?.inputs?.['adminstatus'] ?? 'active';
    const status = newState?.inputs?.['adminstatus'] ?? 'active';
    if (status === was || status === 'active') return [];
    const effect =
      status === 'offline'
        ? 'goes offline: the instances there are deleted'
        : 'is switched off: nothing is deployed there any more';
    return [risk(status === 'offline' ? 'high' : 'medium', address, `the platform's cloud ${effect}`)];
  }
  if (kind?.token !== 'Environment' || operation !== 'update') return [];
  const before = linksOf(oldState?.inputs);
  const after = linksOf(newState?.inputs);
  const left = [...before.keys()]
    .filter((cloud) => !after.has(cloud))
    .map((cloud) => risk('medium', address, `cloud ${cloud} leaves: the instances there are deleted`));
  const primaries = primariesIn(before);
  const continues = primariesIn(after).some((cloud) => isActive(before.get(cloud)));
  if (primaries.length === 0 || after.size === 0 || continues) return left;
  const message = `no cloud that serves now (${primaries.join(', ')}) continues to serve: traffic moves to new instances in one deployment`;
  return [risk('high', address, `the last active cloud is removed: ${message}`), ...left];
}

/** What the kind itself says of a change, and of an action that it is. */
function ownRisks({ operation, kind, address, step: { oldState, newState } }: PlannedStep): readonly PlannedRisk[] {
  if (operation === 'delete') return [];
  const impact = kind?.impact;
  const said = impact?.risks?.(oldState?.inputs ?? undefined, newState?.inputs ?? undefined) ?? [];
  return [...said, ...(impact?.applied ? [impact.applied] : [])].map((each) =>
    risk(each.severity, address, each.message),
  );
}
