// Platforms whose clouds a plan switches so that none of those they have afterwards is active with priority 1: judged on the state after the whole
// plan, changes of the environment's own clouds included.
import type { EnvironmentPlatform } from '../api/contract';
import { isActivePrimary, isPlainObject, kindOf } from '../provider';
import { segmentsOf } from './attributes';
import type { Plan, PlannedAttribute, ResourceChange, PlannedRisk } from './plan';

const MESSAGE = 'the last active cloud is removed: none that is active with priority 1 is left to this platform';

/** Arguments of a link that decide whether it serves: name on the wire, and the service's own value. */
const DECIDING = { adminstatus: 'active', priority: '1' } as const;
type Deciding = keyof typeof DECIDING;

/** A risk for each platform that has a cloud configuration in the plan, and no active cloud of priority 1 once it is carried out. */
export async function platformOutages(
  { changes }: Plan,
  read: (place: string) => Promise<EnvironmentPlatform | undefined>,
): Promise<readonly PlannedRisk[]> {
  const configurations = changes.filter(({ kind }) => kindOf(kind)?.token === 'CloudConfiguration');
  const places = [...new Set(configurations.map(({ address }) => address.slice(0, address.lastIndexOf('/'))))];
  const risks = await Promise.all(
    places.map(async (place): Promise<readonly PlannedRisk[]> => {
      const environment = changes.find(
        ({ kind, address }) =>
          kindOf(kind)?.token === 'Environment' && address === place.slice(0, place.lastIndexOf('/')),
      );
      const platform = await read(place);
      if (platform === undefined || keepsPrimary(platform, place, configurations, environment)) return [];
      return [{ severity: 'high', address: place, message: MESSAGE }];
    }),
  );
  return risks.flat();
}

function keepsPrimary(
  platform: EnvironmentPlatform,
  place: string,
  configurations: readonly ResourceChange[],
  environment: ResourceChange | undefined,
): boolean {
  const live = new Map((platform.consumes ?? []).map((link) => [link.toCi?.ciName ?? '', link.relationAttributes]));
  const own = cloudsIn(environment);
  return [...new Set([...live.keys(), ...own.keys()])].some((cloud) => {
    if (own.get(cloud)?.leaves) return false;
    const configuration = configurations.find(({ address }) => address === `${place}/${cloud}`);
    const after = (name: Deciding): string => {
      const there = live.get(cloud)?.[name] || undefined;
      const changed = own.get(cloud)?.values[name];
      // A platform follows the environment as long as it has what the environment had.
      const follows = changed !== undefined && (there === undefined || there === changed.before);
      const otherwise = follows ? changed.after : (there ?? DECIDING[name]);
      const declared = configuration?.attributes.find(({ path }) => path === name);
      if (declared === undefined) return otherwise;
      if (declared.after.is === 'value' && configuration?.operation !== 'delete') return String(declared.after.value);
      return changed?.after ?? DECIDING[name];
    };
    return isActivePrimary({ adminstatus: after('adminstatus'), priority: after('priority') }) === true;
  });
}

interface CloudPlan {
  readonly leaves: boolean;
  readonly values: { [N in Deciding]?: { readonly before: string; readonly after: string } };
}

/** What a plan makes of an environment's own clouds, by name; those it leaves alone are left out. */
function cloudsIn(environment: ResourceChange | undefined): ReadonlyMap<string, CloudPlan> {
  const clouds = new Map<string, CloudPlan>();
  for (const attribute of environment?.attributes ?? []) {
    const [argument, cloud, member] = segmentsOf(attribute.path).map(String);
    if (argument !== 'clouds' || cloud === undefined) continue;
    const known = clouds.get(cloud) ?? { leaves: false, values: {} };
    const values = { ...known.values };
    for (const name of Object.keys(DECIDING) as Deciding[])
      if (member === undefined || member === name)
        values[name] = {
          before: textOf(attribute, 'before', name, member),
          after: textOf(attribute, 'after', name, member),
        };
    clouds.set(cloud, { leaves: member === undefined && attribute.after.is === 'absent', values });
  }
  return clouds;
}

/** A value of a link in a difference of it, or of the whole link. */
function textOf(
  attribute: PlannedAttribute,
  side: 'before' | 'after',
  name: Deciding,
  member: string | undefined,
): string {
  const shown = attribute[side];
  const value =
    shown.is !== 'value'
      ? undefined
      : member === undefined && isPlainObject(shown.value)
        ? shown.value[name]
        : shown.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : DECIDING[name];
}
