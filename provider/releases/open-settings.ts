// How platforms of an environment are scaled and switched by changes that wait for a commit, as relations of its release tell it (service-facts §2.1.9).
// It must not know how such a release is found, nor what is done about others' changes.
import { routes, type Relation } from '../../api/contract';
import { camelCase } from '../field';
import { valueIn } from '../plain-object';
import type { Work } from '../verbs/verbs';
import { userOf, type Judged, type Standing } from './open-changes';
import { declaredMember, refreshedNames } from './sweep';

/** A change of a platform's relation. */
interface Setting {
  readonly relation: Relation;
  readonly platform: string;
  readonly what: string;
  /** The arguments of the platform's record that mean it, with the texts it brings. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Changes that somebody else set: values of scaling that are locked, so that no pull brought them, and what brings a platform up that is declared to
 * be down. What is this stack's is left out. `opener`: who opened the release, where a change names nobody.
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

const platformOf = ({ nsPath }: Relation): string => nsPath.split('/')[5] ?? '';

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

/** Names of the values that a change brings and that somebody locked against pulls. */
const lockedIn = ({ relationAttributes, relationAttrProps }: Relation): readonly string[] =>
  Object.keys(relationAttributes).filter((name) => relationAttrProps?.owner?.[name] === 'manifest');

async function switches(work: Work, relations: readonly Relation[]): Promise<readonly Setting[]> {
  const enabled = relations.filter(
    ({ relationName, rfcAction, relationAttributes }) =>
      relationName === 'manifest.ComposedOf' && rfcAction === 'update' && relationAttributes['enabled'] === 'true',
  );
  if (enabled.length === 0) return [];
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  return enabled.flatMap((relation) => {
    const platform = platforms.find(({ ciId }) => ciId === relation.toCiId)?.ciName;
    if (platform === undefined || declaredAt(work, platform, ['enabled']) !== false) return [];
    return [{ relation, platform, what: `platform ${platform}`, texts: new Map([['enabled', 'true']]) }];
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

/** Another user's change is this stack's where it says what is declared, or where this run found it and sets it back. */
function judged(work: Work, { platform, texts }: Setting): Judged {
  const refreshed = refreshedNames(work, platform);
  const declared = (name: string): unknown => declaredAt(work, platform, partsOf(name));
  const foreign = [...texts].filter(([name, text]) => !refreshed.includes(name) && String(declared(name)) !== text);
  const detail = foreign.map(([name, text]) => {
    const wanted = declared(name);
    return `${partsOf(name).at(-1) ?? ''} there "${text}"${wanted === undefined ? '' : `, declared ${JSON.stringify(wanted)}`}`;
  });
  return foreign.length === 0 ? { own: true } : { own: false, detail: detail.join('; ') };
}

/** The steps of `scale.compute.current`, where a component's name may hold dots. */
function partsOf(name: string): readonly string[] {
  const [, first = '', middle = '', last = ''] = /^([^.]+)\.(.+)\.([^.]+)$/.exec(name) ?? [];
  return last === '' ? [name] : [first, middle, last];
}
