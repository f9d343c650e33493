// How single platforms of an environment use its clouds; none may be left without an active primary.
// It must not know deployments or the design.
import { type DecidingValues, isActivePrimary, kindInFile, nearest } from '../../provider';
import { entryOf, type Entry, type MapNode, type Placed } from '../reader/tree';
import { checkable } from './draft';
import { bindResource, type DraftResource } from './resource';
import { expectMap, type BindScope } from './scope';

/** What an environment says of a platform. */

const cloudConfigurationKind = kindInFile('environments.*.platforms.*.clouds.*');

/** Binds one platform's entry of an environment: its cloud configurations. */
export function bindCloudConfigurations(
  scope: BindScope,
  environment: DraftResource,
  own: Entry,
  body: MapNode | undefined,
): readonly DraftResource[] {
  const clouds = entryOf(body, 'clouds');
  const map = expectMap(scope, clouds?.value, 'a map of clouds by name', 'clouds: { NAME: { adminstatus: inactive } }');
  if (!map || !clouds) return [];
  reportPercentages(scope, clouds);
  const known = cloudNames(environment);
  const drafts = map.entries.flatMap((entry) => {
    if (known && !known.includes(entry.key)) {
      const near = nearest(entry.key, known);
      const hint = near ? `did you mean "${near}"?` : 'add it to the clouds of the environment';
      scope.report.error(
        entry,
        'unknown-cloud',
        `the environment "${environment.logicalName}" has no cloud "${entry.key}"`,
        hint,
      );
      return [];
    }
    return [
      bindResource(scope, {
        kind: cloudConfigurationKind,
        logicalName: `${environment.logicalName}/${own.key}/${entry.key}`,
        names: [...environment.names, 'platforms', own.key, 'clouds', entry.key],
        address: {
          assembly: environment.address.assembly ?? '',
          environment: environment.logicalName,
          platform: own.key,
          cloud: entry.key,
        },
        own: entry,
        body: expectMap(scope, entry.value, 'a map'),
        within: environment.key,
      }),
    ];
  });
  reportNoPrimary(scope, environment, clouds, drafts);
  return drafts;
}

/** The environment's own rule, for one platform: some cloud stays active with priority 1. Unknown values are given the benefit of the doubt. */
function reportNoPrimary(
  scope: BindScope,
  environment: DraftResource,
  place: Placed,
  drafts: readonly DraftResource[],
): void {
  const names = cloudNames(environment);
  if (!names || names.length === 0 || !names.some((name) => isActivePrimary(linkOf(environment, name)) !== false))
    return;
  const left = names.some((name) => {
    const draft = drafts.find((each) => cloudOf(each) === name);
    return isActivePrimary({ ...linkOf(environment, name), ...(draft ? plain(draft.args) : {}) }) !== false;
  });
  if (left) return;
  scope.report.error(
    place,
    'no-primary',
    'no cloud of this platform is active with priority 1',
    'leave one cloud active with priority 1',
  );
}

const plain = (args: DraftResource['args']): DecidingValues => checkable(args) as DecidingValues;
const cloudOf = (draft: DraftResource): string => draft.address.cloud ?? '';

/** Names of the clouds an environment declares; undefined when they are not known. */
function cloudNames(environment: DraftResource): readonly string[] | undefined {
  const clouds = checkable(environment.args.clouds ?? {});
  return typeof clouds === 'object' && clouds !== null ? Object.keys(clouds) : undefined;
}

function linkOf(environment: DraftResource, cloud: string): DecidingValues {
  const clouds = plain({ clouds: environment.args.clouds ?? {} }) as { readonly clouds: unknown };
  const links = clouds.clouds;
  if (typeof links !== 'object' || links === null || !Object.hasOwn(links, cloud)) return {};
  const link: unknown = (links as { readonly [cloud: string]: unknown })[cloud];
  return typeof link === 'object' && link !== null ? link : { priority: link };
}

/** A share is of what is wanted on each cloud: with one active cloud, a smaller share makes fewer instances than are declared. */
export function reportLowPercentage(scope: BindScope, environment: DraftResource, clouds: Entry): void {
  const active = (cloudNames(environment) ?? []).filter((name) => isActive(linkOf(environment, name)));
  const [only, ...others] = active;
  const entry = others.length > 0 || clouds.value.form !== 'map' ? undefined : entryOf(clouds.value, only ?? '');
  const share = entry?.value.form === 'map' ? entryOf(entry.value, 'pct_scale')?.value : undefined;
  if (share?.form !== 'scalar' || typeof share.value !== 'number' || share.value >= 100 || share.value < 0) return;
  const message = `the only active cloud gets ${share.source} percent of the wanted instances, and no other cloud the rest`;
  scope.report.warning(share, 'low-percentage', message, 'leave it out, or declare fewer instances');
}

const isActive = ({ adminstatus = 'active' }: DecidingValues): boolean => adminstatus === 'active';

/** The service takes more than 100 percent of the wanted instances; a person seldom means it. */
export function reportPercentages(scope: BindScope, clouds: Entry): void {
  if (clouds.value.form !== 'map') return;
  for (const { value } of clouds.value.entries) {
    const scale = value.form === 'map' ? entryOf(value, 'pct_scale')?.value : undefined;
    if (scale?.form !== 'scalar' || !(Number(scale.source) > 100)) continue;
    scope.report.warning(scale, 'large-percentage', `${scale.source} percent is more than all of the wanted instances`);
  }
}
