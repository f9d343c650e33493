// What must hold before a plan is built: a primary cloud, the services the components need (service-facts §4.7.2, §12a).
import type { PlanCloud, PlanFailure, PlanPlatform } from './input';

/** Whether a platform's instances shall run: enabled, in the manifest, and on at least one cloud (service-facts §12a). */
export function runs(platform: PlanPlatform): boolean {
  return platform.enabled && !platform.pendingDeletion && platform.clouds.length > 0;
}

/** Whether the link to a cloud makes it a primary one; an `inactive` link does (service-facts §3.9). */
export function isPrimaryLink(link: Pick<PlanCloud, 'priority' | 'adminstatus'>): boolean {
  return link.priority === '1' && link.adminstatus !== 'offline';
}

/** Service types components need and a cloud lacks, without repetition, in order of the components. */
export function missingServices(
  components: readonly { readonly services: readonly string[] }[],
  offered: readonly string[],
): string[] {
  const has = new Set(offered);
  const needed = components.flatMap((component) => component.services).filter((service) => !service.startsWith('*'));
  return [...new Set(needed)].filter((service) => !has.has(service));
}

/** Why a platform that shall run cannot be planned, or undefined. */
export function obstacle(platform: PlanPlatform): PlanFailure | undefined {
  if (!runs(platform)) return undefined;
  if (!platform.clouds.some(isPrimaryLink)) {
    return { code: 6017, reason: `platform ${platform.name} has only secondary clouds: one with priority 1 is needed` };
  }
  const live = platform.components.filter((component) => !component.pendingDeletion);
  const lacking = platform.clouds
    .filter((cloud) => cloud.adminstatus === 'active')
    .flatMap((cloud) => missingServices(live, cloud.services).map((service) => `${service} on ${cloud.name}`));
  if (lacking.length === 0) return undefined;
  return {
    code: 6019,
    reason: `platform ${platform.name} needs services its clouds do not have: ${lacking.join(', ')}`,
  };
}
