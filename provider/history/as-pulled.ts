// Values of an environment that are as a pull created them, by the releases of the environment and
// its design. The releases alone show that nobody set a value: no list has to be read.
import { type Record as WireRecord, type Relation, type Release } from '../../api/contract';
import { platformOf } from '../address/ids';
import { designReleasesRead, nounOf } from './committed';
import { newestReleases, type Place, setsCloudsAlone } from './environment-releases';

/** A record as the releases of its environment leave it. */
export interface WrittenRecord {
  readonly record: WireRecord;
  /** Whether it was written, or locked, after a pull created it. */
  readonly isChanged: boolean;
  /** Whether a user locked something of it, at any time. */
  readonly wasLocked: boolean;
}

/** The facts that the releases of an environment show. */
export interface AsPulled {
  /**
   * Whether nobody wrote any record of a noun in a platform, or in none, since a pull created it,
   * nor in the design since the last pull. Nouns: those of records, and `link`.
   */
  is(noun: string, platform: string): boolean;
  /** The records of a noun in a platform, or in none; undefined where releases do not show all. */
  records(noun: string, platform: string): readonly WrittenRecord[] | undefined;
  /** The links of a platform to clouds, as a pull created them. */
  links(platform: string): readonly Relation[];
}

/** Undefined where the service does not show it, or in more than `most` releases. */
export async function asPulled(asking: Place, most: number): Promise<AsPulled | undefined> {
  const { releases, walk } = await newestReleases(asking, { most, isAll: true });
  const isListed = releases.every(({ rfc_cis: changes }) => changes !== undefined);
  if (walk !== 'whole' || releases.length === 0 || !isListed) return undefined;
  const pulls = releases.filter((each) => !setsCloudsAlone(each));
  const pulled = Math.max(0, ...pulls.map(({ parentReleaseId }) => parentReleaseId ?? 0));
  const later = await designReleasesRead(asking, pulled);
  return later && asCreated(releases, new Set(later.flatMap(({ rfc_cis: records }) => records.map(keyOfRecord))));
}

const keyOf = (noun: string, platform: string): string => `${noun} ${platform}`;

const keyOfRecord = (record: WireRecord): string => {
  const noun = nounOf(record);
  return keyOf(noun, noun === 'platform' ? record.ciName : platformOf(record));
};

/** Whether a change created something that nobody has written since. */
const isCreation = ({ rfcAction, updatedBy }: WireRecord | Relation, owners: object | undefined): boolean =>
  rfcAction === 'add' && !updatedBy && Object.keys(owners ?? {}).length === 0;

/** The subject of a platform's relations, by the last word of their name. */
const ABOUT: { readonly [name: string]: string | undefined } = {
  Consumes: 'link',
  ComposedOf: 'platform',
  DependsOn: 'platform',
};

/** The records of one place, by class and name, after a change of one of them. */
function withChange(records: Map<string, WrittenRecord>, change: WireRecord): Map<string, WrittenRecord> {
  const { ciName, ciClassName, rfcAction, ciAttributes, updatedBy } = change;
  const key = `${ciClassName} ${ciName}`;
  const before = records.get(key);
  const isLocked = Object.keys(change.ciAttrProps?.owner ?? {}).length > 0;
  if (rfcAction === 'delete') records.delete(key);
  else if (rfcAction === 'add')
    records.set(key, { record: change, isChanged: Boolean(updatedBy), wasLocked: isLocked });
  else {
    const record = { ...change, ciAttributes: { ...before?.record.ciAttributes, ...ciAttributes } };
    records.set(key, { record, isChanged: true, wasLocked: isLocked || before === undefined || before.wasLocked });
  }
  return records;
}

function asCreated(releases: readonly Release[], later: ReadonlySet<string>): AsPulled {
  const written = new Set<string>(later);
  const all = new Map<string, Map<string, WrittenRecord>>();
  const platforms = new Map<string, WireRecord>();
  const links = new Map<string, Relation[]>();
  for (const { rfc_cis: records = [], rfc_relations: relations = [] } of releases) {
    for (const record of records) {
      const key = keyOfRecord(record);
      const own = all.get(key) ?? new Map<string, WrittenRecord>();
      all.set(key, withChange(own, record));
      if (!isCreation(record, record.ciAttrProps?.owner)) written.add(key);
      else if (nounOf(record) === 'platform') platforms.set(record.ciName, record);
    }
    const names = new Map([...platforms.values()].map(({ ciId, ciName }) => [ciId, ciName]));
    for (const relation of relations) {
      const name = relation.relationName.split('.').at(-1) ?? '';
      const platform = name === 'ComposedOf' ? names.get(relation.toCiId) : platformOf(relation);
      const about = ABOUT[name];
      if (about === undefined || platform === undefined) continue;
      const isOff = relation.relationAttributes['enabled'] === 'false';
      if (isOff || !isCreation(relation, relation.relationAttrProps?.owner)) written.add(keyOf(about, platform));
      else if (about === 'link') links.set(platform, [...(links.get(platform) ?? []), relation]);
    }
  }
  const isShown = (platform: string): boolean => platform === '' || platforms.has(platform);
  return {
    is: (noun, platform) => isShown(platform) && !written.has(keyOf(noun, platform)),
    records: (noun, platform) =>
      isShown(platform) ? [...(all.get(keyOf(noun, platform))?.values() ?? [])] : undefined,
    links: (platform) => links.get(platform) ?? [],
  };
}
