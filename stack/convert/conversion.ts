// What every part of a conversion is given: the source, the ledger, the configuration, and the words for tags and comments.
// It must not know any key of a source.
import type { ClassLookup } from '../../api/contract';
import type { Report } from '../findings/finding';
import type { SourceFile } from '../reader/source';
import { isNull, type Entry, type MapNode, type Node } from '../reader/tree';
import type { Comments } from './comments';
import type { ConfigurationBook } from './configuration';
import type { Ledger } from './ledger';
import { hasTag, tagsIn } from './mustache';
import { isSecretOfMap, profileText, type Profile } from './profile';
import type { Written, WrittenEntry } from './written';

/** One conversion. */
export interface Conversion {
  /** The source, with its tags hidden. */
  readonly file: SourceFile;
  readonly ledger: Ledger;
  readonly report: Report;
  readonly configuration: ConfigurationBook;
  readonly comments: Comments;
  /** Tags whose values are in the file, because no reference is allowed there. */
  readonly renderedTags: Set<string>;
  readonly profiles: readonly Profile[];
  /** Numbers of the lines that rendering removes. */
  readonly erasedLines: ReadonlySet<number>;
  /** Attributes of a class, by full name or last part. */
  readonly classMetadata: ClassLookup;
  /** Last part of the class that a template of a pack makes. */
  templateClass(template: string, pack?: string): string | undefined;
}

/** An entry of the result that comes from one of the source, with its comments. */
export function entryFrom(work: Conversion, source: Entry, key: string, value: Written): WrittenEntry {
  return { key, value, ...work.comments(source), from: { key: source.at, value: source.value.at } };
}

/** A node as a map; nothing is an empty one, which declares nothing. Any other value is left behind. */
export function settingsIn(work: Conversion, node: Node | undefined): MapNode | undefined {
  if (node === undefined) return undefined;
  if (node.form === 'map') {
    if (node.entries.length === 0) work.ledger.carried(node);
    return node;
  }
  if (isNull(node)) work.ledger.changed(node, 'setting-empty', 'declares nothing: the key is left out');
  else work.ledger.left(node, 'refused-setting', 'a map is expected here');
  return undefined;
}

/** Leaves a setting behind whose key is not known, and says which one was meant. */
export function leaveUnknown(work: Conversion, entry: Entry, near: string | undefined, hint?: string): void {
  const meant = near === undefined ? undefined : `did you mean "${near}"?`;
  work.report.warning(entry, 'unknown-key', `"${entry.key}" is not known here: it is left behind`, hint ?? meant);
  work.ledger.left(
    entry.value,
    'unknown-setting',
    near === undefined ? 'not known here' : `not known here; did you mean ${near}?`,
  );
}

/** A text with its tags replaced by the values of a profile; undefined where it has none for a tag, or only a secret of a map. */
export function rendered(masked: string, profile: Profile | undefined): string | undefined {
  const valueOf = (name: string): string | undefined =>
    profile === undefined || isSecretOfMap(profile, name) ? undefined : profileText(profile, name);
  const parts = tagsIn(masked).map((part) => ('tag' in part ? valueOf(part.tag) : part.literal));
  return parts.some((part) => part === undefined) ? undefined : parts.join('');
}

/** What can become of a name. */
type NameCode = 'setting-carried' | 'no-profile-value' | 'profiles-differ' | 'tag-rendered';

/** The name that a key or a text means where no reference is allowed: tags are replaced by values of the profiles. */
export function nameOf(work: Conversion, masked: string, account: (code: NameCode, note?: string) => void): string {
  if (!hasTag(masked)) {
    account('setting-carried');
    return masked;
  }
  for (const part of tagsIn(masked)) if ('tag' in part) work.renderedTags.add(part.tag);
  const values = [...new Set(work.profiles.map((profile) => rendered(masked, profile)))];
  const [first] = values;
  if (first === undefined) {
    const name = tagsIn(masked)
      .map((part) => ('tag' in part ? part.tag : part.literal))
      .join('')
      .replace(/[^\w-]+/g, '-');
    account('no-profile-value', `no value is known: the file says "${name}"; give one with --profile`);
    return name;
  }
  if (values.length > 1)
    account('profiles-differ', `"${first}" as in the first profile, others differ: no reference is allowed here`);
  else account('tag-rendered', `"${first}" as in the profile: no reference is allowed here`);
  return first;
}

/** The name that a key means. */
export function keyName(work: Conversion, entry: Entry): string {
  return nameOf(work, entry.key, (code, note) => {
    if (note === undefined) return;
    const { line, column } = entry.at.start;
    const setting = entry.path.slice(0, -1).join('.');
    work.ledger.note({
      file: entry.at.file,
      line,
      column,
      setting: `${setting}${setting === '' ? '' : '.'}${shownKey(entry)}`,
      code,
      note,
    });
  });
}

const shownKey = ({ key }: Entry): string =>
  tagsIn(key)
    .map((part) => ('tag' in part ? `{{${part.tag}}}` : part.literal))
    .join('');
