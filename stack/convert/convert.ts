// An old file as a stack file: a Boo template or a design export, with the commands for its configuration and what became of every setting.
// It must not read or write files.
import { SECRET_WORD } from '../../provider';
import type { ClassLookup } from '../../api/contract';
import { newReport, type Finding } from '../findings/finding';
import { rangesOf, sourceFile, type Range } from '../reader/source';
import { readYaml } from '../reader/read-yaml';
import { type MapNode } from '../reader/tree';
import { convertBoo } from './boo';
import { commentsByKey } from './comments';
import { newConfiguration } from './configuration';
import { convertDesign } from './design';
import { newLedger, type Account } from './ledger';
import type { PlacedNote, ReadPartial } from './expansion';
import { shown } from './mustache';
import { originsOf } from './origins';
import { isSecretOfMap, profileText, readProfiles, type Profile } from './profile';
import {
  accountsInSource,
  findingsInSource,
  indented,
  readableTemplate,
  readableText,
  type TagNames,
} from './readable';
import { reportReferences } from './references';
import type { Conversion } from './conversion';
import { writtenMap } from './written';
import { convertedText } from './yaml-text';

/** What an old file is. */
type OldForm = 'boo' | 'design';

/** An old file and what is known about it. */
export interface OldFile {
  readonly name: string;
  readonly text: string;
  readonly from?: OldForm;
  /** Name of the assembly, where the file has none. */
  readonly assembly: string;
  /** A file of profiles; `section` chooses one of them. */
  readonly profiles?: { readonly name: string; readonly text: string; readonly section?: string };
  /** Reads the partials of a template. */
  readonly readPartial?: ReadPartial;
}

/** What the packaged catalogue says about templates and classes. */
interface Classes {
  readonly classMetadata: ClassLookup;
  templateClass(template: string, pack?: string): string | undefined;
}

/** The result of a conversion. Without `yaml`, findings say why. */
export interface Converted {
  readonly from: OldForm;
  readonly yaml?: string;
  /** Commands that set the configuration of a stack. */
  readonly commands: readonly string[];
  readonly accounts: readonly Account[];
  readonly findings: readonly Finding[];
  /** The source, its partials and its profiles, as findings point into them. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Where a place of `yaml` comes from: the nearest setting of the source, or the start of it. */
  readonly sourceOf: (range: Range) => Range;
}

/** Converts an old file. Never throws for what the file contains. */
export function convert(old: OldFile, classes: Classes): Converted {
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
    ledger.changed(former.value, 'repeated-setting', `line ${last.at.start.line} gives it again, and that one counts`),
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
  const { erasedLines } = readable;
  const work: Conversion = {
    ...{ file, ledger, report, configuration, comments: comments.of, profiles, erasedLines },
    renderedTags: new Set(),
    ...classes,
  };
  const entries = from === 'boo' ? convertBoo(work, root, old.assembly) : convertDesign(work, root, old.assembly);
  reportReferences(work, root);
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
const OLD_SETTINGS: readonly string[] = [
  ...['boo', 'assembly', 'variables', 'encrypted_variables', 'platforms', 'scale', 'environment', 'environments'],
  ...['import', 'imports'],
];

const isOldFile = ({ entries }: MapNode): boolean =>
  entries.length === 0 || entries.some(({ key }) => OLD_SETTINGS.includes(key));

type Report = ReturnType<typeof newReport>;

function profilesOf({ profiles: given }: OldFile, report: Report): readonly Profile[] {
  if (given === undefined) return [];
  const { profiles, wrongLines } = readProfiles(given.name, given.text);
  const range = rangesOf(sourceFile(given.name, given.text));
  const lines = given.text.split('\n');
  for (const line of wrongLines) {
    const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
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

/** What became of the values of profiles: those that a tag names are in the configuration. */
function reportProfiles(profiles: readonly Profile[], tags: TagNames, work: Conversion): void {
  const { ledger } = work;
  for (const profile of profiles) {
    const place = (key: string, line: number): Omit<Account, 'code' | 'outcome'> => ({
      file: profile.file,
      line,
      column: 1,
      setting: `[${profile.name}] ${key}`,
    });
    for (const [key, { line }] of profile.values)
      ledger.note({ ...place(key, line), ...profileNote(work, { profile, first: profiles[0] ?? profile, key }, tags) });
    for (const { key, line, again } of profile.repeated)
      ledger.note({ ...place(key, line), code: 'repeated-profile-value', note: `line ${again} gives it again` });
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
  ledger.note({ file: at.file, line: at.start.line, column: at.start.column, setting: tag, code, note });
}
