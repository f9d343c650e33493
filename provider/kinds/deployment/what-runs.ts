// What runs after a roll-out, in one line of its row: how much, on which clouds, and where to reach it.
import type { Instance } from '../../../api/contract';
import { platformOf } from '../../address/namespace';

/** Columns of the line: with the rest of the row, a terminal of 110 columns shows it whole. */
const WIDTH = 56;

/** `7 instances: east 5, west 2; web 10.0.0.4, …`: the first address of each platform, as many as fit; `nothing runs` without instances. */
export function whatRuns(instances: readonly Instance[]): string {
  if (instances.length === 0) return 'nothing runs';
  const clouds = new Map<string, number>();
  const addresses = new Map<string, string>();
  for (const instance of instances) {
    const { deployedTo, ciAttributes } = instance;
    const cloud = deployedTo?.ciName ?? '?';
    clouds.set(cloud, (clouds.get(cloud) ?? 0) + 1);
    const address = ciAttributes['public_ip'] || ciAttributes['private_ip'];
    const platform = platformOf(instance);
    if (address && !(address > (addresses.get(platform) ?? '~'))) addresses.set(platform, address);
  }
  const count = `${instances.length} instance${instances.length === 1 ? '' : 's'}`;
  const counts = fitting(
    `${count}: `,
    [...clouds].sort().map(([cloud, own]) => `${cloud} ${own}`),
  );
  return addresses.size === 0 || counts.endsWith('…')
    ? counts
    : fitting(
        `${counts}; `,
        [...addresses].sort().map(([platform, address]) => `${platform} ${address}`),
      );
}

/** The parts after a beginning, as many as fit, and the first one in any case. */
const fitting = (beginning: string, parts: readonly string[]): string =>
  parts.reduce((line, part, index) => {
    if (line.endsWith('…')) return line;
    if (index === 0) return `${line}${part}`;
    return line.length + part.length > WIDTH ? `${line}, …` : `${line}, ${part}`;
  }, beginning);
