// The availability of platforms: the service keeps that of their first pull, whatever is written to the environment or sent with a later pull
// (service-facts §4.7.1, §4.7.2).
import type { Api } from '../../../api/client';
import { routes } from '../../../api/contract';
import type { Address, Work } from '../../kind';
import { LifecycleError } from '../../errors';
import { holdsUnknown, textAt } from '../../values/plain';
import { isDeclared } from '../../commit/own-records';

interface Arguments {
  readonly [name: string]: unknown;
}

/** Availability that arguments mean for a platform. */
function meantBy(args: Arguments, platform: string): string {
  const own = (args['platformAvailability'] as { readonly [name: string]: string } | undefined)?.[platform];
  return own === undefined || own === 'default' ? textAt(args, 'availability', 'single') : own;
}

/** Availability a platform of an environment has; very old ones say `default`, and mean the environment's. */
function modeOf({ availability }: { readonly [name: string]: string | null }, environment: Arguments): string {
  return availability === 'single' || availability === 'redundant' ? availability : meantBy(environment, '');
}

/**
 * Why the declared availability cannot be had: platforms that the environment has run in another one. Undefined when nothing is against it.
 * `before`: what was declared, or set there, so far; a platform that differed from it already is left as it is.
 */
export async function refusedAvailability(work: Work, before: Arguments): Promise<LifecycleError | undefined> {
  if (!differs(work.args, before)) return undefined;
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const changed = platforms.filter(({ ciName, ciAttributes }) => {
    const next = meantBy(work.args, ciName);
    // What a preview does not know yet is judged by the run.
    return !holdsUnknown(next) && next !== meantBy(before, ciName) && next !== modeOf(ciAttributes, before);
  });
  const staying = changed.length === 0 ? [] : await namesThatStay(work);
  const stuck = changed.filter(({ ciName }) => staying.includes(ciName));
  if (stuck.length === 0) return undefined;
  const parts = stuck.map(
    ({ ciName, ciAttributes }) =>
      `platform ${ciName} runs ${modeOf(ciAttributes, before)} and cannot become ${meantBy(work.args, ciName)} in place`,
  );
  const kept = stuck.map(({ ciName, ciAttributes }) => `${ciName}: ${modeOf(ciAttributes, before)}`);
  return new LifecycleError(
    `environment ${work.id}: ${parts.join('; ')}`,
    `the service keeps the availability of a platform's first pull: declare platformAvailability: { ${kept.join(', ')} } (in a YAML file: availability of the platform below the environment), and what you declared ` +
      'applies to new platforms; or take the platform out of the file, run pulumi up, and declare it again; or create another environment',
  );
}

/**
 * The availability of platforms of an environment that differs from the environment's own, as arguments of the environment: its own record does not
 * show it.
 */
export async function shownByPlatforms(api: Api, at: Address, environment: Arguments): Promise<Arguments> {
  const platforms = await api.call(routes.environmentPlatforms.list, { address: at });
  const own = textAt(environment, 'availability', 'single');
  const differing = platforms
    .map(({ ciName, ciAttributes }) => [ciName, modeOf(ciAttributes, environment)] as const)
    .filter(([, mode]) => mode !== own);
  return differing.length === 0 ? {} : { platformAvailability: Object.fromEntries(differing) };
}

function differs(news: Arguments, before: Arguments): boolean {
  const names = [news, before].flatMap((args) => Object.keys((args['platformAvailability'] ?? {}) as Arguments));
  return ['', ...names].some((name) => meantBy(news, name) !== meantBy(before, name));
}

/** Platforms of the design, without those that this run takes out. */
async function namesThatStay(work: Work): Promise<readonly string[]> {
  const platforms = await work.api.call(routes.platforms.list, { address: work.at });
  const names = platforms.filter(({ rfcAction }) => rfcAction !== 'delete').map(({ ciName }) => ciName);
  const declared = names.filter((name) => isDeclared(work, 'design', name));
  // A stack that declares none of the design takes nothing out of it.
  return declared.length === 0 ? names : declared;
}

/** Availability of every design platform by record number; those not named follow the environment (service-facts §4.7.1-3). */
export async function availabilityBody(work: Work): Promise<{ readonly [id: string]: string }> {
  const wanted = (work.args['platformAvailability'] ?? {}) as { readonly [name: string]: string };
  const platforms = await work.api.call(routes.platforms.list, { address: work.at });
  const unknown = Object.keys(wanted).filter((name) => !platforms.some((platform) => platform.ciName === name));
  if (unknown.length > 0)
    throw new LifecycleError(
      `the design has no platform ${unknown.join(', ')}`,
      'platformAvailability names platforms of the assembly',
    );
  return Object.fromEntries(platforms.map((platform) => [String(platform.ciId), wanted[platform.ciName] ?? 'default']));
}
