// Everything a service holds of its assemblies, a line each: design, open releases, environments,
// clouds, instances. Two services that hold the same give the same lines.
import type { Api } from '../../api/client';
import { routes, type Record as WireRecord } from '../../api/contract';

/** One record: what it is, by class and names, and what it contains. */
export interface Standing {
  readonly what: string;
  readonly holds: string;
}

const sorted = (values: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(values).sort(([left], [right]) => (left < right ? -1 : 1))));

const listed = (names: readonly string[]): string => [...names].sort().join(' ');

/** What does not exist, or not any more. */
const orNothing = <T>(asked: Promise<T>): Promise<T | undefined> => asked.catch(() => undefined);

/**
 * All that exists, without numbers, times and users, in which runs differ, and without what
 * machines were given: the service's own plan says whether they run with the present values.
 */
export async function standing(api: Api): Promise<readonly Standing[]> {
  const found: Standing[] = [];
  const tell = (what: string, holds: string): void => {
    found.push({ what, holds });
  };
  const record = (path: string, { ciClassName, ciAttributes, rfcAction }: WireRecord, more = ''): void =>
    tell(`${ciClassName} ${path}`, [sorted(ciAttributes), more, rfcAction ?? ''].join(' ').trim());

  const design = async (assembly: string): Promise<void> => {
    for (const { ciName: platform } of await api.call(routes.platforms.list, { address: { assembly } })) {
      const at = { assembly, platform };
      const whole = await api.call(routes.platforms.read, { address: at });
      record(`${assembly}/${platform}`, whole, listed(whole.links_to ?? []));
      for (const component of await api.call(routes.components.list, { address: at })) {
        const path = `${assembly}/${platform}/${component.ciName}`;
        const locks = Object.entries(component.ciAttrProps?.owner ?? {}).flatMap(([name, owner]) =>
          owner ? [name] : [],
        );
        record(path, component, listed(locks));
        const address = { ...at, component: component.ciName };
        for (const attachment of await api.call(routes.attachments.list, { address }))
          record(`${path}/${attachment.ciName}`, attachment);
      }
    }
    const release = await orNothing(api.call(routes.designReleases.latest, { address: { assembly } }));
    tell(`design release of ${assembly}`, release?.releaseState ?? 'none');
  };

  const environment = async (assembly: string, name: string): Promise<void> => {
    const at = { assembly, environment: name };
    const live = await api.call(routes.environments.read, { address: at });
    record(`${assembly}/${name}`, live, sorted(live.clouds ?? {}));
    for (const { ciName: platform } of await api.call(routes.environmentPlatforms.list, { address: at })) {
      const whole = await api.call(routes.environmentPlatforms.read, { address: { ...at, platform } });
      const links = (whole.consumes ?? []).map(
        ({ toCi, relationAttributes }) => `${toCi?.ciName} ${sorted(relationAttributes)}`,
      );
      record(`${assembly}/${name}/${platform}`, whole, listed(links));
    }
    const query = { instances_state: 'all' };
    for (const instance of await api.call(routes.operations.environmentInstances, { address: at, query }))
      tell(`${instance.ciClassName} ${instance.nsPath}/${instance.ciName}`, instance.ciState ?? '');
    const bom = await orNothing(api.call(routes.environmentReleases.bom, { address: at, query: { latest: 'true' } }));
    tell(`plan of ${assembly}/${name}`, bom?.releaseState === 'open' ? 'open' : 'none');
  };

  for (const assembly of await api.call(routes.assemblies.list, {})) {
    record(assembly.ciName, assembly);
    await design(assembly.ciName);
    const environments = await api.call(routes.environments.list, { address: { assembly: assembly.ciName } });
    for (const { ciName } of environments) await environment(assembly.ciName, ciName);
  }
  return found;
}

/** How what exists differs from what should be, a line each: twice, left over, missing, other. */
export function differenceOf(there: readonly Standing[], wanted: readonly Standing[]): readonly string[] {
  const holds = new Map(there.map((each) => [each.what, each.holds]));
  const names = there.map(({ what }) => what);
  return [
    ...names.filter((what, index) => names.indexOf(what) !== index).map((what) => `twice: ${what}`),
    ...names.filter((what) => !wanted.some((each) => each.what === what)).map((what) => `left over: ${what}`),
    ...wanted
      .filter((each) => holds.get(each.what) !== each.holds)
      .map((each) => `${each.what}: ${holds.get(each.what) ?? 'missing'}, wanted ${each.holds}`),
  ];
}
