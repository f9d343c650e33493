// Open changes of an environment: of its open release, or else of each record (flows §5.10).
import { askingAnew } from '../session/answers';
import { newestManifest, textBefore } from '../history/environment-releases';
import { userOf } from '../history/user';
import { type Record as WireRecord, type Relation, type Release, routes } from '../../api/contract';
import { memoryOfStage } from '../session';
import type { Work } from '../kind';
import type { Ownership } from './foreign-changes';
import { partOf, standingInEnvironment, standingLinks, standingRecord } from './environment-records';
import { type Judged, type OpenPlace, type Standing, standingRelation } from './open-changes';
import { declaredMember, refreshedAt } from './own-records';
import { platformOf } from '../address/ids';
import { isPendingDelete } from '../verbs/live';
import { camelCase } from '../values/field';
import { valueIn } from '../values/plain';
import { coversPath } from '../values/property-path';

/** An environment with open changes. Of a link, who opened the release is all that shows. */
export function openEnvironment(work: Work, owns: Ownership): OpenPlace {
  const unlessBorn = async (look: () => Promise<readonly Standing[]>): Promise<readonly Standing[]> =>
    memoryOfStage(work, 'environment').isBorn ? [] : look();
  const everything = async (): Promise<readonly Standing[]> => {
    work.session.answers.lookAgain(work.at, true);
    const records = await standingInEnvironment(work, owns);
    return [...records, ...(await besideRecords(work, records))];
  };
  return {
    list: () => unlessBorn(async () => (await openInEnvironment(work, owns)) ?? everything()),
    all: () => unlessBorn(everything),
  };
}

/** The same, where its open release lists its changes: nothing is open elsewhere. */
export const listedEnvironment = (work: Work, owns: Ownership): OpenPlace => ({
  ...openEnvironment(work, owns),
  list: async () => (await openInEnvironment(work, owns)) ?? [],
});

/**
 * The open changes of an environment, from its open release; undefined when the service does not
 * list them. Platforms with a changed link are read, to compare it with the environment's.
 */
async function openInEnvironment(work: Work, owns: Ownership): Promise<readonly Standing[] | undefined> {
  // A link that was committed before a pull without being judged is no longer open.
  if (memoryOfStage(work, 'environment').unjudgedLinks !== undefined) return undefined;
  const release = await newestManifest(work, 'open');
  if (release && release.releaseState !== 'open') return [];
  const { rfc_cis: all, rfc_relations: relations } = release ?? {};
  if (release === undefined || all === undefined || relations === undefined) return undefined;
  const leaving = new Set(
    all.flatMap((record) => (isPlatform(record) && isPendingDelete(record) ? [platformOf(record)] : [])),
  );
  const records = all.filter((record) => !leaving.has(platformOf(record)) && !isCreatedAgain(record, all));
  const staying = relations.filter((relation) => !leaving.has(platformOf(relation)));
  const linked = staying
    .filter(({ relationName }) => relationName === 'base.Consumes')
    .map((relation) => platformOf(relation))
    .filter((platform) => platform !== '');
  const platforms = await Promise.all(
    [...new Set(linked)].map((platform) =>
      askingAnew(work.api).call(routes.environmentPlatforms.read, { address: { ...work.at, platform } }),
    ),
  );
  return [
    ...(await standingLinks(work, platforms, owns)),
    ...(await Promise.all(records.map((record) => standingRecord(work, owns, { record })))),
    ...(await standingSettings(work, staying, release.createdBy ?? '')),
  ];
}

/** What no list of records shows: how platforms are scaled and switched. `shown`: the records. */
async function besideRecords(work: Work, shown: readonly Standing[]): Promise<readonly Standing[]> {
  const release = await newestManifest(work, 'open');
  if (release?.releaseState !== 'open') return [];
  const { rfc_cis: records, rfc_relations: relations, createdBy = '' } = release;
  return records && relations
    ? standingSettings(work, relations, createdBy ?? '')
    : standingUnlisted(work, release, shown);
}

const isPlatform = ({ ciClassName }: WireRecord): boolean => ciClassName === 'manifest.Platform';

/** Whether a part moves by a pull to another component: it is then judged by what the pull adds. */
const isCreatedAgain = (record: WireRecord, all: readonly WireRecord[]): boolean =>
  partOf(record) !== undefined &&
  isPendingDelete(record) &&
  all.some(({ rfcAction, ciClassName, ciName, nsPath }) =>
    [rfcAction === 'add', ciClassName === record.ciClassName, ciName === record.ciName, nsPath === record.nsPath].every(
      Boolean,
    ),
  );

/**
 * The scaling that others changed, and an entry for another user's release, which contains a change
 * that nothing shows, or may do so. `shown`: what the lists of records show.
 */
async function standingUnlisted(
  work: Work,
  release: Release,
  shown: readonly Standing[],
): Promise<readonly Standing[]> {
  const scalings = await openScalings(work);
  const opener = release.createdBy ?? '';
  const isOurs = opener === (await userOf(work));
  const others = await standingSettings(work, scalings, isOurs ? '' : opener);
  const isExplained =
    scalings.length > 0 ||
    shown.some(({ action, who, begunBy }) => action !== undefined && (who === '' || [who, begunBy].includes(opener)));
  if (opener !== '' && !isOurs) return [...others, hiddenIn(release, opener, isExplained)];
  // Before a pull nothing shows what is declared, and a killed run of ours may have scaled them.
  return isOurs && isBeforePull(work) ? others.map((each) => ({ ...each, own: 'unclear' })) : others;
}

const isBeforePull = ({ args }: Work): boolean => args['stamps'] === undefined;

/** Relations with an open change of scaling, one GET a platform. They name their maker only. */
async function openScalings(work: Work): Promise<readonly Relation[]> {
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const scalable = await Promise.all(
    platforms
      .filter((platform) => !isPendingDelete(platform))
      .map(({ ciName: platform }) =>
        work.api.call(routes.environmentPlatforms.edit, { address: { ...work.at, platform } }),
      ),
  );
  return scalable
    .flatMap(({ depends_on: relations }) => relations)
    .filter(({ rfcAction }) => rfcAction)
    .map((relation) => ({ ...relation, createdBy: '', updatedBy: '' }));
}

const hiddenIn = ({ releaseId, created }: Release, who: string, isExplained: boolean): Standing => ({
  what: `${isExplained ? 'perhaps another' : 'a'} change in release ${releaseId} that the service does not list, for example whether a platform is enabled`,
  number: releaseId,
  action: 'update',
  appliedId: 0,
  releaseId,
  who,
  when: created ?? 0,
  own: isExplained ? 'unclear' : false,
});

interface Setting {
  readonly relation: Relation;
  readonly platform: string;
  readonly what: string;
  /** Paths of the arguments of the platform's record that it changes, with their new texts. */
  readonly texts: readonly (readonly [steps: readonly string[], text: string])[];
}

/**
 * Others' changes of scaling, and of switches that are otherwise than declared, by default on.
 * `opener`: who opened the release, for changes that name nobody.
 */
async function standingSettings(
  work: Work,
  relations: readonly Relation[],
  opener: string,
): Promise<readonly Standing[]> {
  const settings = [...(await scalings(work, relations)), ...(await switches(work, relations))];
  const found = await Promise.all(settings.map((setting) => standingSetting(work, setting, opener)));
  return found.filter(({ own, isWrittenAgain }) => own !== true || isWrittenAgain);
}

async function scalings(work: Work, relations: readonly Relation[]): Promise<readonly Setting[]> {
  const scaled = relations.filter(
    (relation) =>
      relation.relationName === 'manifest.DependsOn' && relation.rfcAction === 'update' && setIn(relation).length > 0,
  );
  const names = new Map<number, string>();
  for (const platform of new Set(scaled.map(platformOf))) {
    const components = await work.api.call(routes.environmentPlatforms.components, {
      address: { ...work.at, platform },
    });
    for (const { ciId, ciName } of components) names.set(ciId, ciName);
  }
  return scaled.map((relation) => {
    const component = names.get(relation.toCiId) ?? String(relation.toCiId);
    const texts = relation.relationAttributes;
    return {
      relation,
      platform: platformOf(relation),
      what: `scaling of ${component} in platform ${platformOf(relation)}`,
      texts: setIn(relation).map((name) => [['scale', component, camelCase(name)], texts[name] ?? '']),
    };
  });
}

/** Names of the values that a change sets; without the value before, those that are locked. */
function setIn(relation: Relation): readonly string[] {
  const { relationAttributes: texts, relationAttrProps } = relation;
  return Object.keys(texts).filter((name) => {
    const before = textBefore(relation, name);
    return before === undefined ? relationAttrProps?.owner?.[name] === 'manifest' : before !== texts[name];
  });
}

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
    if (platform === undefined) return [];
    // Before a pull nothing shows what is declared of the platforms.
    const declared = declaredAt(work, platform, ['enabled']) ?? (isBeforePull(work) ? undefined : true);
    if (declared === (enabled === 'true')) return [];
    return [{ relation, platform, what: `platform ${platform}`, texts: [[['enabled'], enabled]] }];
  });
}

const declaredAt = (work: Work, platform: string, steps: readonly string[]): unknown =>
  withoutIgnored(work, platform, steps, declaredMember(work, 'environment', platform)?.work.args);

/** A value of a platform's record; undefined where this run ignores it. */
function withoutIgnored(work: Work, platform: string, steps: readonly string[], values: unknown): unknown {
  const ignored = declaredMember(work, 'environment', platform)?.ignored ?? [];
  return ignored.some((path) => coversPath(path, steps)) ? undefined : valueIn(values, steps);
}

async function standingSetting(work: Work, setting: Setting, opener: string): Promise<Standing> {
  const { relation, what } = setting;
  const who = relation.updatedBy || relation.createdBy || opener;
  return standingRelation(
    what,
    relation,
    { who },
    who === (await userOf(work)) ? { own: true } : judged(work, setting),
  );
}

/** Another user's change is ours if it is what we declare, or was refreshed and is reset. */
function judged(work: Work, { platform, texts }: Setting): Judged {
  const before = refreshedAt(work, platform)?.known;
  const differing = texts.filter(([steps, text]) => String(declaredAt(work, platform, steps)) !== text);
  const foreign = differing.filter(([steps]) => withoutIgnored(work, platform, steps, before) === undefined);
  const detail = (foreign.length === 0 ? differing : foreign)
    .map(([steps, text]) => {
      const own = declaredAt(work, platform, steps);
      return `${steps.at(-1)} there "${text}"${own === undefined ? '' : `, declared ${JSON.stringify(own)}`}`;
    })
    .join('; ');
  if (foreign.length > 0) return { own: false, detail };
  return differing.length === 0 ? { own: true } : { own: true, isWrittenAgain: true, detail };
}
