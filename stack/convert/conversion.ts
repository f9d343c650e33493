// The context of a conversion, for every part of it: the source with its comments, the ledger, the
// configuration, and words for tags.
import { SECRET_WORD } from '../../provider/secrets';
import { defined } from '../../provider/values';
import type { Report } from '../findings/finding';
import { withoutReferences } from '../values/interpolation';
import type { SourceFile } from '../yaml/source';
import { isNull, nodesIn, type Entry, type MapNode, type Node } from '../yaml/tree';
import type { ConfigurationBook, ConfigUse } from './configuration';
import type { Ledger } from './ledger';
import { hasTag, shown, tagsIn } from './mustache';
import { isSecretOfMap, profileText, type Profile } from './profile';
import type { Written, WrittenEntry } from './written';

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
}

/** An entry of the result that comes from one of the source, if there is one, with its comments. */
export function entryFrom(work: Conversion, source: Entry | undefined, key: string, value: Written): WrittenEntry {
  if (source === undefined) return { key, value };
  return { key, value, ...work.comments(source), from: { key: source.at, value: source.value.at } };
}

/** A node as a map; nothing is an empty one. Any other value is left behind. */
export function settingsIn(work: Conversion, node: Node | undefined): MapNode | undefined {
  if (node === undefined) return undefined;
  if (node.form === 'map') {
    if (node.entries.length === 0) work.ledger.became(node, 'setting-carried');
    return node;
  }
  if (isNull(node)) return leaveEmpty(work, node);
  return work.ledger.became(node, 'refused-setting', 'a map is expected here');
}

/** Leaves out a key that declares nothing. */
export const leaveEmpty = ({ ledger }: Conversion, node: Node): undefined =>
  ledger.became(node, 'setting-empty', 'declares nothing: the key is left out');

/** Leaves a setting behind whose key is not known, and says which one was meant. */
export function leaveUnknown(work: Conversion, entry: Entry, near: string | undefined, hint?: string): undefined {
  const meant = near === undefined ? undefined : `did you mean "${near}"?`;
  work.report.warning(entry, 'unknown-key', `"${entry.key}" is not known here: it is left behind`, hint ?? meant);
  work.ledger.became(
    entry.value,
    'unknown-setting',
    near === undefined ? 'not known here' : `not known here; did you mean ${near}?`,
  );
}

/** A text with its tags as values of a profile; undefined without one, or with a secret. */
export function rendered(masked: string, profile: Profile | undefined): string | undefined {
  const valueOf = (name: string): string | undefined =>
    profile === undefined || isSecretOfMap(profile, name) ? undefined : profileText(profile, name);
  const parts = tagsIn(masked).map((part) => ('tag' in part ? valueOf(part.tag) : part.literal));
  return parts.some((part) => part === undefined) ? undefined : parts.join('');
}

type NameCode = 'setting-carried' | 'no-profile-value' | 'profiles-differ' | 'tag-rendered';

/** A name where no reference is allowed: its tags become values of the profiles. */
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

export function keyName(work: Conversion, entry: Entry): string {
  return nameOf(work, entry.key, (code, note) => {
    if (note === undefined) return;
    const setting = entry.path.slice(0, -1).join('.');
    work.ledger.note(entry.at, `${setting}${setting === '' ? '' : '.'}${shownKey(entry)}`, code, note);
  });
}

const shownKey = ({ key }: Entry): string =>
  tagsIn(key)
    .map((part) => ('tag' in part ? `{{${part.tag}}}` : part.literal))
    .join('');

interface OwnComments {
  readonly above?: readonly string[];
  readonly beside?: string;
}

type Comments = (entry: Entry) => OwnComments;

/** Comments of a file, and its first ones, without those that seem to contain a secret. */
export function commentsByKey(
  file: SourceFile,
  root: Node | undefined,
): { readonly header: readonly string[]; readonly of: Comments } {
  // Single lines cannot contain a line that looks like a comment.
  const texts = (root === undefined ? [] : [...nodesIn(root)]).flatMap(({ form, at: { start, end } }) =>
    form === 'scalar' && end.line > start.line ? [{ start: start.offset, end: end.offset }] : [],
  );
  const isText = (offset: number): boolean => texts.some(({ start, end }) => start <= offset && offset < end);
  const header = headerOf(file.text);
  const of = ({ at, value }: Entry): OwnComments => {
    const above = linesAbove(file.text, at.start.offset, isText, header.end);
    const isSingle = value.form === 'scalar' && !/^[|>]/.test(value.raw) && value.at.end.offset > at.end.offset;
    const beside = besideOf(file.text, isSingle ? value.at.end.offset : at.end.offset, isSingle);
    return defined({ above: above.length === 0 ? undefined : above, beside });
  };
  return { header: header.lines, of };
}

const isHarmless = (comment: string): boolean =>
  !(SECRET_WORD.test(comment) && /[:=]\s*['"]?[^\s'"]/.test(comment)) ||
  /\s\S+\s\S+\s\S+/.test(comment.replace(/^.*?[:=]/, ''));

function headerOf(source: string): { readonly lines: readonly string[]; readonly end: number } {
  const lines: string[] = [];
  let offset = 0;
  let end = 0;
  for (const line of source.split('\n')) {
    offset += line.length + 1;
    if (/^\s*#/.test(line)) {
      lines.push(commentText(line));
      end = offset;
    } else if (!/^\s*$|^---/.test(line)) break;
  }
  // Comments without an empty line below them speak of the first key.
  const rest = source.slice(end);
  return /^\s*\n/.test(rest) ? { lines: lines.filter(isHarmless), end } : { lines: [], end: 0 };
}

const commentText = (line: string): string => shown(line.replace(/^\s*#/, '').replace(/\r$/, ''));

function linesAbove(source: string, key: number, isText: (offset: number) => boolean, from: number): readonly string[] {
  const lines: string[] = [];
  let end = source.lastIndexOf('\n', key - 1);
  while (end > from) {
    const start = source.lastIndexOf('\n', end - 1) + 1;
    const line = source.slice(start, end);
    const isBlank = line.trim() === '' && lines.length === 0;
    if (isText(start + line.search(/\S|$/)) || !(isBlank || /^\s*#/.test(line))) break;
    if (!isBlank) lines.unshift(commentText(line));
    end = start - 1;
  }
  return lines.filter(isHarmless);
}

/** The comment on the rest of a line; after a key also behind its colon. */
function besideOf(source: string, end: number, isValue: boolean): string | undefined {
  const rest = /^[^\n]*/.exec(source.slice(end))?.[0] ?? '';
  const found = (isValue ? /^\s+#(.*)$/ : /^['"]?\s*:(?:\s+[|>][-+\d]*)?\s+#(.*)$/).exec(rest)?.[1];
  if (found === undefined) return undefined;
  const comment = shown(found.replace(/\r$/, ''));
  return isHarmless(comment) ? comment : undefined;
}

/** A text with tags as references. `isSecret`: of a tag, by its index. Default: none is. */
export function withReferences(
  work: Conversion,
  masked: string,
  use: ConfigUse = 'string',
  isSecret: (index: number) => boolean = () => false,
): string {
  const parts = tagsIn(masked);
  return parts
    .map((part, index) => {
      if ('tag' in part) return `\${config.${work.configuration.ofTag(part.tag, use, isSecret(index))}}`;
      const escaped = withoutReferences(part.literal);
      const next = parts[index + 1];
      return next !== undefined && 'tag' in next ? escaped.replace(/(?<!\$)\$+$/, (run) => run + run) : escaped;
    })
    .join('');
}
