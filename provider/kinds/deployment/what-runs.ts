// What runs after a roll-out, in one line of its row: how much, on which clouds, and where to reach it.
import type { Instance } from '../../../api/contract';

/** Names of each list that the row shows. */
const SHOWN = 4;

/** `7 instances: east 5, west 2; web 10.0.0.4, 10.0.0.5`; `nothing runs` without instances. */
export function whatRuns(instances: readonly Instance[]): string {
  if (instances.length === 0) return 'nothing runs';
  const clouds = new Map<string, number>();
  const addresses = new Map<string, string[]>();
  for (const { nsPath, deployedTo, ciAttributes } of instances) {
    const cloud = deployedTo?.ciName ?? '?';
    clouds.set(cloud, (clouds.get(cloud) ?? 0) + 1);
    const address = ciAttributes['public_ip'] || ciAttributes['private_ip'];
    const platform = nsPath.split('/')[5] ?? '';
    if (address) addresses.set(platform, [...(addresses.get(platform) ?? []), address]);
  }
  const counts = [...clouds].sort().map(([cloud, count]) => `${cloud} ${count}`);
  const places = [...addresses].sort().map(([platform, own]) => `${platform} ${shortened([...new Set(own)].sort())}`);
  return [
    `${instances.length} instance${instances.length === 1 ? '' : 's'}: ${shortened(counts)}`,
    ...(places.length === 0 ? [] : [shortened(places)]),
  ].join('; ');
}

const shortened = (parts: readonly string[]): string =>
  [...parts.slice(0, SHOWN), ...(parts.length > SHOWN ? [`and ${parts.length - SHOWN} more`] : [])].join(', ');
