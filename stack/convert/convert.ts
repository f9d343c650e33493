// Turns an old file into a stack file: a Boo template or a design export, with the commands for its
// configuration and a line for each setting. Reads and writes no files.
import { SECRET_WORD } from '../../provider/secrets';
import { nearest } from '../../provider/values';
import type { ConversionCode } from '../findings/old-files';
import { newReport, type Finding, type Report } from '../findings/finding';
import { renderFindings } from '../findings/show';
import { readYaml } from '../yaml/read';
import { lineStart, rangesOf, sourceFile, type Range, type SourceFile } from '../yaml/source';
import { entryOf, type Entry, type MapNode, type Node } from '../yaml/tree';
import { BOO_KEYS, convertBoo } from './boo';
import { newConfiguration } from './configuration';
import { commentsByKey, leaveUnknown, type Conversion } from './conversion';
import { variablesOf } from './fields';
import { newLedger, reportLines, type Account } from './ledger';
import { shown } from './mustache';
import { platformEntries } from './platforms';
import { isSecretOfMap, profileText, readProfiles, type Profile } from './profile';
import {
  accountsInSource,
  findingsInSource,
  indented,
  readableTemplate,
  readableText,
  type PlacedNote,
  type ReadPartial,
  type TagNames,
} from './readable';
import { convertedText, writtenMap, writtenText, type Written, type WrittenEntry } from './written';

type OldForm = 'boo' | 'design';

export interface OldFile extends SourceFile {
  readonly from?: OldForm;
  /** Name of the assembly, where the file has none. */
  readonly assembly: string;
  /** A file of profiles; `section` chooses one of them. */
  readonly profiles?: SourceFile & { readonly section?: string };
  readonly readPartial?: ReadPartial;
}

/** The result of a conversion. Without `yaml`, findings say why. */
export interface Converted {
  readonly from: OldForm;
  readonly yaml?: string;
  readonly commands: readonly string[];
  readonly accounts: readonly Account[];
  readonly findings: readonly Finding[];
  readonly files: readonly SourceFile[];
  /** Where a place of `yaml` comes from: the nearest setting of the source, or the start of it. */
  readonly sourceOf: (range: Range) => Range;
}

/** Converts an old file. Never throws for what the file contains. */
export function convert(old: OldFile): Converted {
  const source = sourceFile(old.name, indented(old.text));
  const report = newReport([old.name, old.profiles?.name ?? '']);
  const profiles = profilesOf(old, report);
  const looksLikeBoo = /^(boo|environments?|scale|assembly)\s*:|^\s*\{\{>/m.test(source.text);
  const from = old.from ?? (looksLikeBoo ? 'boo' : 'design');
  const ledger = newLedger(shown);
  const readable = from === 'boo' ? readableTemplate(old, source, profiles) : readableText(source);
  const { file, tags } = readable;
  for (const note of readable.notes) reportTag(note, { ledger, report });
  const read = readYaml(file, (former, last) =>
    ledger.became(
      former.value,
      'repeated-setting',
      `line ${readable.sourceOf(last.at).start.line} gives it again, and that one counts`,
    ),
  );
  report.pass(read.findings.map((finding) => ({ ...finding, message: shown(finding.message) })));
  const root = read.root;
  if (root !== undefined && root.form !== 'map') report.error(root, 'wrong-type', 'the file must be a map of settings');
  if (root?.form === 'map' && !isOldFile(root))
    report.error(
      root,
      'no-old-file',
      'the file has no setting of a Boo template or of a design export',
      'is this a template?',
    );
  const files = [...readable.files, ...(old.profiles ? [{ name: old.profiles.name, text: old.profiles.text }] : [])];
  const isWrong = report.findings().some(({ severity }) => severity === 'error');
  const start = rangesOf(source)(0, 0);
  if (root?.form !== 'map' || isWrong) {
    const found = findingsInSource(report.findings(), readable);
    return { from, commands: [], accounts: [], findings: found, files, sourceOf: () => start };
  }
  const comments = commentsByKey(file, root);
  const isSecret = (tag: string): boolean =>
    tags.secrets.has(tag) || profiles.some((profile) => isSecretOfMap(profile, tag));
  const configuration = newConfiguration(isSecret);
  const work: Conversion = {
    ...{ file, ledger, report, configuration, comments: comments.of, profiles },
    renderedTags: new Set(),
  };
  const entries = from === 'boo' ? convertBoo(work, root, old.assembly) : convertDesign(work, root, old.assembly);
  reportProfiles(profiles, tags, work);
  const config = configuration.entries();
  const whole = config.length === 0 ? entries : [{ key: 'config', value: writtenMap(config) }, ...entries];
  const yaml = convertedText(comments.header, whole);
  const originOf = originsOf(yaml, whole, start);
  return {
    from,
    yaml,
    commands: (profiles.length === 0 ? [undefined] : profiles).flatMap((profile) => configuration.commands(profile)),
    accounts: accountsInSource(ledger.accounts(root), readable),
    findings: findingsInSource(report.findings(), readable),
    files,
    sourceOf: (range) => readable.sourceOf(originOf(range)),
  };
}

/** Settings of which an old file has at least one at its top. */
const OLD_SETTINGS: readonly string[] = [...BOO_KEYS, 'import', 'imports'];

const isOldFile = ({ entries }: MapNode): boolean =>
  entries.length === 0 || entries.some(({ key }) => OLD_SETTINGS.includes(key));

function profilesOf({ profiles: given }: OldFile, report: Report): readonly Profile[] {
  if (given === undefined) return [];
  const { profiles, wrongLines } = readProfiles(given.name, given.text);
  const file = sourceFile(given.name, given.text);
  const range = rangesOf(file);
  const lines = file.text.split('\n');
  for (const line of wrongLines) {
    const start = lineStart(file.text, line);
    const at = range(start, start);
    if (SECRET_WORD.test(lines[line - 1] ?? '')) report.hide(at);
    report.error({ path: [], at }, 'bad-profile', 'this is neither [PROFILE] nor key = value');
  }
  const chosen = profiles.filter(({ name }) => given.section === undefined || name === given.section);
  if (chosen.length === 0) {
    const what = given.section === undefined ? 'the file has no profile' : `the file has no profile "${given.section}"`;
    const names = profiles.map(({ name }) => name).join(', ');
    report.error({ path: [], at: range(0, 0) }, 'no-profile', what, names === '' ? '[default]' : `it has: ${names}`);
  }
  return chosen;
}

/** The results for values of profiles: those that a tag names are in the configuration. */
function reportProfiles(profiles: readonly Profile[], tags: TagNames, work: Conversion): void {
  const { ledger } = work;
  for (const profile of profiles) {
    const tell = (key: string, line: number, code: Account['code'], note: string): void =>
      ledger.note({ file: profile.file, start: { line, column: 1 } }, `[${profile.name}] ${key}`, code, note);
    for (const [key, { line }] of profile.values) {
      const { code, note } = profileNote(work, { profile, first: profiles[0] ?? profile, key }, tags);
      tell(key, line, code, note);
    }
    for (const { key, line, again } of profile.repeated)
      tell(key, line, 'repeated-profile-value', `line ${again} gives it again`);
  }
}

function profileNote(
  { configuration, renderedTags }: Conversion,
  { profile, first, key }: { readonly profile: Profile; readonly first: Profile; readonly key: string },
  tags: TagNames,
): Pick<PlacedNote, 'note'> & { readonly code: Account['code'] } {
  const below = (name: string): boolean => name === key || name.startsWith(`${key}.`);
  const lists = [...tags.lists].filter(([name]) => below(name));
  const written = lists.filter(([, isWritten]) => isWritten);
  if (written.some(([name]) => profileText(profile, name) !== profileText(first, name)))
    return { code: 'profiles-differ', note: 'the items of the first profile are written out, others differ' };
  if (written.length > 0) return { code: 'tag-rendered', note: 'its items are written out' };
  const named = [...tags.all].filter((name) => below(name) && !tags.lists.has(name));
  const where = named.find((name) => renderedTags.has(name));
  if (where !== undefined && !named.some((name) => configuration.holdsTag(name)))
    return profileText(profile, where) === profileText(first, where)
      ? { code: 'tag-rendered', note: 'it is written into the file, where no reference is allowed' }
      : { code: 'profiles-differ', note: 'the file has the value of the first profile: no reference is allowed there' };
  if (named.some((name) => configuration.holdsTag(name)))
    return { code: 'setting-configured', note: `the configuration of the stack ${profile.name}` };
  if (lists.length > 0) return { code: 'hidden-part', note: 'the section with its items is not shown' };
  return { code: 'unused-profile-value', note: named.length > 0 ? 'what names it is left behind' : 'no tag names it' };
}

function reportTag(
  { at, tag, code, note, hint }: PlacedNote,
  { ledger, report }: Pick<Conversion, 'ledger' | 'report'>,
): void {
  if (code === 'bad-tag' || code === 'too-long-template') {
    report.error({ path: [], at }, code, `${tag}: ${note}`, hint);
    return;
  }
  if (code === 'unread-partial')
    report.warning({ path: [], at }, 'unread-partial', `${tag}: ${note}`, 'what it stands for is left behind');
  ledger.note(at, tag, code, note);
}

const TOP = ['variables', 'platforms'];

/** The entries of the stack file for a design. `assembly`: its name, which no export has. */
function convertDesign(work: Conversion, root: MapNode, assembly: string): readonly WrittenEntry[] {
  // An assembly has an owner, which its design does not say.
  const owner = writtenText(`\${config.${work.configuration.ofPerson('owner')}}`);
  const own = [
    { key: 'name', value: writtenText(assembly) },
    { key: 'owner', value: owner },
  ];
  for (const entry of root.entries) {
    if (TOP.includes(entry.key) || entry.key.startsWith('x-')) continue;
    if (/^imports?$/.test(entry.key))
      work.ledger.became(
        entry.value,
        'no-counterpart',
        'convert what it names too, and list both files in Pulumi.yaml',
      );
    else leaveUnknown(work, entry, nearest(entry.key, TOP));
  }
  const variables = variablesOf(work, root, [], false);
  const platforms = platformEntries(work, entryOf(root, 'platforms'), false);
  return [{ key: 'assembly', value: writtenMap(own) }, variables, platforms].filter((entry) => entry !== undefined);
}

/**
 * Returns for a range of the text of `entries` where the nearest key around it comes from: a key
 * for a key, and a value for what is in one. Without such a key: `start`.
 */
function originsOf(text: string, entries: readonly WrittenEntry[], start: Range): (range: Range) => Range {
  const file = { name: 'converted', text };
  let root: Node | undefined;
  return (range) => {
    root ??= readYaml(file).root;
    return originIn(root, { is: 'map', entries }, range.start.offset, start);
  };
}

function originIn(node: Node | undefined, written: Written | undefined, offset: number, around: Range): Range {
  if (node?.form === 'list' && written?.is === 'list') {
    const index = node.items.findIndex((item) => holds(item, offset));
    return index < 0 ? around : originIn(node.items[index], written.items[index], offset, around);
  }
  if (node?.form !== 'map' || written?.is !== 'map') return around;
  const index = node.entries.findIndex((entry) => isIn(entry, offset));
  const [entry, source] = [node.entries[index], written.entries[index]];
  if (entry === undefined || source === undefined) return around;
  if (offset < entry.at.end.offset) return source.from?.key ?? around;
  return originIn(entry.value, source.value, offset, source.from?.value ?? around);
}

const holds = ({ at }: Pick<Node, 'at'>, offset: number): boolean =>
  at.start.offset <= offset && offset <= at.end.offset;

const isIn = ({ at, value }: Entry, offset: number): boolean =>
  holds({ at }, offset) || (at.start.offset <= offset && offset <= value.at.end.offset);

/** An example of a code: the files, and the lines or findings that have it. */
export function conversionExample({ code, old, profiles }: ConversionCode): {
  readonly files: readonly SourceFile[];
  readonly shown: string;
} {
  const source = { name: 'old.yaml', text: old };
  const given = profiles === undefined ? undefined : { name: 'config.ini', text: profiles };
  const { accounts, findings, files } = convert({
    ...source,
    assembly: 'shop',
    readPartial: (name) => ({ problem: `there is no file ${name}.yaml` }),
    ...(given === undefined ? {} : { profiles: given }),
  });
  const found = findings.filter((finding) => finding.code === code);
  const lines = reportLines(accounts.filter((account) => account.code === code)).map((line) => `${line}\n`);
  return {
    files: [source, ...(given === undefined ? [] : [given])],
    // The number of findings is that of this code alone.
    shown: `${renderFindings(found, files).replace(/[^\n]+\n$/, '')}${lines.join('')}`,
  };
}
