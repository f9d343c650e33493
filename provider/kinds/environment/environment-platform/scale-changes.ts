// What is written to a platform of an environment to scale it, and what is given back (service-facts §2.1.9, §4.7.5).
// It must not send requests, except for what the pack gave.
import type { Record as WireRecord, Relation } from '../../../../api/contract';
import { LifecycleError } from '../../../errors';
import { snakeCase } from '../../../field';
import { entryNames, type Work } from '../../../kind';
import { relationBases } from '../../../history/environment-releases';
import {
  leadingTo,
  LOCKS_ONLY,
  scaleIn,
  scaleOf,
  sentRelation,
  setScale,
  withoutMoved,
  type PackScale,
  type Scale,
} from './scaling';
import { SWITCH_BASE, type Texts } from './switches';

/** A platform of the environment, as the service returned it. */
export interface FoundPlatform {
  readonly platform: WireRecord;
  /** Relations that can be scaled: empty for a platform that is single, undefined when they were not read. */
  readonly relations: readonly Relation[] | undefined;
}

/** Whether the service changes the number of instances with the load. */
export const isScaledByLoad = ({ ciAttributes }: WireRecord): boolean => ciAttributes['autoscale'] === 'true';

/** Whether the platform may have several instances of a component. */
export const isRedundant = ({ ciAttributes }: WireRecord): boolean => ciAttributes['availability'] === 'redundant';

/** What values without a lock are compared with. Releases are read only for relations that somebody, or a pull, has changed. */
export async function packScale(work: Work, { platform, relations = [] }: FoundPlatform): Promise<PackScale> {
  const changed = relations.filter(({ updated, rfcAction }) => (rfcAction ? rfcAction === 'update' : Boolean(updated)));
  return { bases: await relationBases(work, platform, changed), byLoad: isScaledByLoad(platform) };
}

/** What to write: attributes and `enabled` by wire name, and values of relations. */
export interface PlatformChanges {
  readonly texts: Texts;
  /** Values to write and to lock, by component. */
  readonly scale: Scale;
  /** Names of values that follow the pack again, by component. */
  readonly givenBack: { readonly [component: string]: readonly string[] };
}

/** The part of a body that writes and gives back scaling. Throws LifecycleError for a component that cannot be scaled. */
export function scalingBody(
  work: Work,
  platform: WireRecord,
  relations: readonly Relation[],
  { scale, givenBack }: PlatformChanges,
): { readonly [ciId: string]: object } {
  const components = [...new Set([...Object.keys(scale), ...Object.keys(givenBack)])];
  return Object.fromEntries(
    components.flatMap((component) => {
      const leading = leadingTo(relations, component);
      if (leading.length === 0 && Object.hasOwn(scale, component))
        throw notScalable(work, platform, relations, component);
      return leading.map((relation) => [
        String(relation.toCiId),
        sentRelation(relation, scale[component] ?? {}, givenBack[component] ?? []),
      ]);
    }),
  );
}

function notScalable(
  work: Work,
  platform: WireRecord,
  relations: readonly Relation[],
  component: string,
): LifecycleError {
  if (!isRedundant(platform))
    return new LifecycleError(
      `platform ${platform.ciName} is single in ${work.at['environment']}: it has one of everything, and nothing to scale`,
      'leave scale out; a platform is redundant when the environment is, or its platform_availability says so, at its first pull',
    );
  const known = [...new Set(relations.flatMap(({ toCi }) => toCi?.ciName ?? []))];
  return new LifecycleError(
    `platform ${platform.ciName} has no component "${component}" that can be scaled`,
    known.length === 0 ? 'its pack scales nothing' : `it scales ${known.join(', ')}`,
  );
}

/** What a change of `scale` writes, and what it gives back. Where scaling by load ends, the declared values are written again. */
export function platformChanges(
  work: Work,
  { platform, relations = [] }: FoundPlatform,
  texts: Texts,
): PlatformChanges {
  const ends = texts['autoscale'] === 'false' && isScaledByLoad(platform);
  const scaleText = texts['scale'] ?? (ends ? work.wire['scale'] : undefined);
  if (scaleText === undefined) return { texts, scale: {}, givenBack: {} };
  const [after, before] = [scaleOf(scaleText), scaleIn(work.known?.['scale'])];
  const givenBack = Object.entries(before).flatMap(([component, values]) => {
    const names = Object.keys(values).filter(
      (name) => values[name] !== undefined && after[component]?.[name] === undefined,
    );
    return names.length === 0 ? [] : [[component, names]];
  });
  // A value that somebody locked before the first declaration, and that scaling by load changed within the limits, is kept, too.
  const locked = work.known === undefined ? setScale(relations, LOCKS_ONLY) : undefined;
  const isKept = (component: string): boolean =>
    locked
      ? locked[component]?.['current'] !== undefined
      : after[component]?.['current'] === before[component]?.['current'];
  const scale = isScaledByLoad(platform) && !ends ? withoutMoved(relations, after, isKept) : after;
  return { texts, scale, givenBack: Object.fromEntries(givenBack) as PlatformChanges['givenBack'] };
}

/** What is given back when the declaration is removed: attributes by wire name, and values of scaling by component. A sweep knows only their names. */
export function givenBackOf({ args }: Work): {
  readonly names: readonly string[];
  readonly scale: PlatformChanges['givenBack'];
} {
  const declared = entryNames(args);
  const listed = declared.flatMap((name) => {
    const [, component = '', value = ''] = /^scale\.(.+)\.(\w+)$/.exec(name) ?? [];
    return value === '' ? [] : [{ component, value }];
  });
  const given = Object.entries(scaleIn(args['scale'])).flatMap(([component, values]) =>
    entryNames(values).map((value) => ({ component, value })),
  );
  const all = [...listed, ...given];
  const valuesOf = (component: string): readonly string[] =>
    all.filter((each) => each.component === component).map(({ value }) => value);
  return {
    names: declared.map(snakeCase).filter((name) => name in SWITCH_BASE),
    scale: Object.fromEntries(all.map(({ component }) => [component, valuesOf(component)])),
  };
}
