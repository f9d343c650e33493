// Open changes that scale or switch platforms of an environment, from the relations in its release (service-facts §2.1.9).
import { routes, type Relation } from '../../api/contract';
import { camelCase } from '../field';
import { valueIn } from '../values/plain';
import type { Work } from '../model';
import { userOf, type Judged, type Standing } from './open-changes';
import { declaredMember, refreshedAt } from './own-records';
import { platformOf } from '../address/namespace';

/** A change of a platform's relation. */
interface Setting {
  readonly relation: Relation;
  readonly platform: string;
  readonly what: string;
  /** The arguments of the platform's record that it changes, with their new texts. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Changes of other users: locked values of scaling, which no pull wrote, and changes that switch a platform otherwise than declared; one whose switch is not declared is on. Changes of
 * this stack are left out. `opener`: who opened the release, for changes that name no user.
 */
export async function standingSettings(
  work: Work,
  relations: readonly Relation[],
  opener: string,
): Promise<readonly Standing[]> {
  const settings = [...(await scalings(work, relations)), ...(await switches(work, relations))];
  const found = await Promise.all(settings.map((setting) => standingSetting(work, setting, opener)));
  return found.filter(({ own }) => own !== true);
}

async function scalings(work: Work, relations: readonly Relation[]): Promise<readonly Setting[]> {
  const locked = relations.filter(
    (relation) =>
      relation.relationName === 'manifest.DependsOn' &&
      relation.rfcAction === 'update' &&
      lockedIn(relation).length > 0,
  );
  const names = new Map<number, string>();
  for (const platform of new Set(locked.map(platformOf))) {
    const components = await work.api.call(routes.environmentPlatforms.components, {
      address: { ...work.at, platform },
    });
    for (const { ciId, ciName } of components) names.set(ciId, ciName);
  }
  return locked.map((relation) => {
    const component = names.get(relation.toCiId) ?? String(relation.toCiId);
    const texts = relation.relationAttributes;
    return {
      relation,
      platform: platformOf(relation),
      what: `scaling of ${component} in platform ${platformOf(relation)}`,
      texts: new Map(lockedIn(relation).map((name) => [`scale.${component}.${camelCase(name)}`, texts[name] ?? ''])),
    };
  });
}

/** Names of the values in a change that a user locked against pulls. */
const lockedIn = ({ relationAttributes, relationAttrProps }: Relation): readonly string[] =>
  Object.keys(relationAttributes).filter((name) => relationAttrProps?.owner?.[name] === 'manifest');

async function switches(work: Work, relations: readonly Relation[]): Promise<readonly Setting[]> {
  const switched = relations.filter(
    ({ relationName, rfcAction, relationAttributes }) =>
      relationName === 'manifest.ComposedOf' &&
      rfcAction === 'update' &&
      ['true', 'false'].includes(relationAttributes['enabled'] ?? ''),
  );
  if (switched.length === 0) return [];
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  return switched.flatMap((relation) => {
    const platform = platforms.find(({ ciId }) => ciId === relation.toCiId)?.ciName;
    const enabled = relation.relationAttributes['enabled'] ?? '';
    if (platform === undefined || (declaredAt(work, platform, ['enabled']) ?? true) === (enabled === 'true')) return [];
    return [{ relation, platform, what: `platform ${platform}`, texts: new Map([['enabled', enabled]]) }];
  });
}

const declaredAt = (work: Work, platform: string, steps: readonly string[]): unknown =>
  valueIn(declaredMember(work, 'environment', platform)?.work.args, steps);

async function standingSetting(work: Work, setting: Setting, opener: string): Promise<Standing> {
  const { relation, what } = setting;
  const by = relation.updatedBy || relation.createdBy || opener;
  return {
    what,
    number: relation.ciRelationId,
    action: relation.rfcAction ?? undefined,
    changeId: relation.rfcId ?? 0,
    appliedId: Number(relation['lastAppliedRfcId'] ?? 0),
    releaseId: relation.releaseId ?? 0,
    by,
    at: relation.updated ?? relation.created ?? 0,
    ...(by === (await userOf(work)) ? { own: true } : judged(work, setting)),
  };
}

/** Another user's change counts as this stack's when it equals what is declared, or when a refresh of this run read it and the run resets it. */
function judged(work: Work, { platform, texts }: Setting): Judged {
  const before = refreshedAt(work, platform);
  const isReset = (name: string): boolean => valueIn(before, partsOf(name)) !== undefined;
  const declared = (name: string): unknown => declaredAt(work, platform, partsOf(name));
  const foreign = [...texts].filter(([name, text]) => !isReset(name) && String(declared(name)) !== text);
  const detail = foreign.map(([name, text]) => {
    const own = declared(name);
    return `${partsOf(name).at(-1) ?? ''} there "${text}"${own === undefined ? '' : `, declared ${JSON.stringify(own)}`}`;
  });
  return foreign.length === 0 ? { own: true } : { own: false, detail: detail.join('; ') };
}

/** The steps of `scale.compute.current`; the name of a component may contain dots. */
function partsOf(name: string): readonly string[] {
  const [, first = '', middle = '', last = ''] = /^([^.]+)\.(.+)\.([^.]+)$/.exec(name) ?? [];
  return last === '' ? [name] : [first, middle, last];
}
