// `pulumi-oneops affected`: the stacks that a run would read otherwise than at another commit.
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { firstOf, messageOf, WrongInput } from '../../../api/errors';
import { lineDifference, tableText } from '../../../drift';
import { POLICY_FILE } from '../../../policy';
import { DRIFT_FILE, readYaml, resolvedLines, sourceFile } from '../../../stack';
import { commandOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { changedFiles, filesOfCommit, repositoryHere, workingFiles, withCommit } from '../../here/commit';
import { inFolder, projectHere, secretConfigHere, stackFile, stacksHere, textFrom } from '../../here/project';
import { renderedHere } from '../../here/read-stack';
import { JSON_OPTION, text } from '../../options';

export const command = commandOf({
  usage: ['affected --since REF [FOLDER...] [--json]'],
  about: `Lists the stacks that a run would read otherwise than at another commit, each with the first places
that differ. A stack is affected if its rendered stack file differs, or a file that a function in it reads,
Pulumi.yaml, its Pulumi.STACK.yaml, ${POLICY_FILE} or ${DRIFT_FILE}; comments and layout do not count. Sends no
request, and needs no engine and no token. Without a FOLDER, looks at the whole repository.`,
  options: {
    since: text('REF', 'the commit, branch or tag that the files in the working tree are compared with'),
    ...JSON_OPTION,
  },
  exits: { done: 'no stack is affected', differs: 'at least one stack is affected' },
  run({ values, positionals, print }) {
    if (values.since === undefined) throw new UsageError('affected takes --since REF');
    const { affected, programs } = affectedSince(values.since, positionals);
    for (const folder of programs)
      process.stderr.write(`${folder}: a program declares its stacks, so that it is not judged\n`);
    print(affected, (all) =>
      tableText(all.map(({ folder, stack, reasons }) => [folder, stack ?? '-', reasons.join(', ')])),
    );
    return affected.length === 0 ? EXIT.done : EXIT.differs;
  },
});

const MOST_REASONS = 3;

/**
 * The affected stacks, each with the first places that differ: `FILE:LINE` from its folder, or a
 * sentence; and the folders of programs, which are not judged. Folders are from the root.
 */
function affectedSince(ref: string, folders: readonly string[]) {
  const root = repositoryHere();
  const within = folders.map((folder) => relative(root, resolve(folder)));
  const isBelow = (each: string, folder: string): boolean =>
    each === '' || folder === each || folder.startsWith(`${each}/`);
  const isChosen = (folder: string): boolean => within.length === 0 || within.some((each) => isBelow(each, folder));
  return withCommit(ref, (commit) => {
    const files = [...workingFiles(root), ...filesOfCommit(ref)];
    const projects = [...new Set(files.filter((name) => basename(name) === 'Pulumi.yaml').map(dirname))];
    const chosen = projects.filter(isChosen).sort();
    const empty = folders.find((_, index) => !projects.some((folder) => isBelow(within[index] ?? '', folder)));
    if (empty !== undefined) throw new WrongInput(`there is no project in ${empty}, neither now nor at ${ref}`);
    const changed = changedFiles(root, ref);
    const found = chosen.map((folder) => {
      const now = stacksIn(join(root, folder));
      // A project that reads its own folder alone, where nothing changed, need not be read twice.
      const read = now === 'program' ? [] : [...now.values()].flat();
      const isAlone = now !== 'program' && !read.some(({ of }) => of.startsWith('..'));
      const isSame = isAlone && !changed.some((name) => folder === '.' || name.startsWith(`${folder}/`));
      return { folder, now, before: isSame ? now : stacksIn(join(commit.folder, folder)) };
    });
    return {
      affected: found.flatMap(({ folder, before, now }) => differences(folder, before, now)),
      programs: found.flatMap(({ folder, now }) => (now === 'program' ? [folder] : [])),
    };
  });
}

function differences(folder: string, before: ReturnType<typeof stacksIn>, now: ReturnType<typeof stacksIn>) {
  if (now === 'program') return [];
  const earlier = before === 'program' ? new Map<string | null, readonly Part[]>() : before;
  return [...new Set([...earlier.keys(), ...now.keys()])].flatMap((stack) => {
    const reasons = reasonsOf(earlier.get(stack), now.get(stack));
    return reasons.length === 0 ? [] : [{ folder, stack, reasons }];
  });
}

interface Part {
  /** The file or the kind of text that the line belongs to. */
  readonly of: string;
  readonly text: string;
  /** `FILE:LINE`. */
  readonly place: string;
}

/** What a run reads of each stack, or of one without settings; `program` without a stack file. */
function stacksIn(folder: string): ReadonlyMap<string | null, readonly Part[]> | 'program' {
  if (!existsSync(join(folder, 'Pulumi.yaml'))) return new Map();
  return inFolder(folder, () => {
    try {
      const files = projectHere()?.files;
      if (files === undefined) return 'program';
      const stacks = stacksHere();
      const listed = stacks.length === 0 ? [null] : stacks;
      return new Map(listed.map((stack) => [stack, partsOf(files, stack ?? undefined)]));
    } catch (error) {
      return new Map([[null, [unreadable('Pulumi.yaml', error)]]]);
    }
  });
}

function partsOf(files: readonly string[], stack: string | undefined): readonly Part[] {
  const settings = ['Pulumi.yaml', ...(stack === undefined ? [] : [stackFile(stack)]), POLICY_FILE, DRIFT_FILE];
  return [...settings.filter((name) => existsSync(name)).flatMap(yamlParts), ...renderedParts(files, stack)];
}

/** How a stack encrypts its secrets, which changes nothing that a run does. */
const ENCRYPTION: readonly string[] = ['secretsprovider', 'encryptedkey', 'encryptionsalt'];

function yamlParts(name: string): readonly Part[] {
  try {
    const { root, findings } = readYaml(sourceFile(name, textFrom(name)));
    const broken = findings.find(({ severity }) => severity === 'error');
    if (broken !== undefined) return [{ of: name, text: broken.message, place: placeOf(broken.at) }];
    if (root?.form !== 'map') return [];
    const entries = root.entries.filter(({ key }) => !ENCRYPTION.includes(key));
    return resolvedLines({ ...root, entries }, name).map(({ text, place }) => ({
      of: name,
      text,
      place: placeOf(place.at),
    }));
  } catch (error) {
    return [unreadable(name, error)];
  }
}

function renderedParts(files: readonly string[], stack: string | undefined): readonly Part[] {
  const of = 'the rendered stack';
  try {
    // Only a warning needs the names of the other stacks.
    const choice = { stack, stacks: [] };
    const { lines, findings, files: sources, read } = renderedHere(files, choice, secretConfigHere(stack));
    const texts = [...read].map(([name, content]) => ({ of: named(name), text: content, place: named(name) }));
    if (lines !== undefined)
      return [...lines.map(({ text, place }) => ({ of, text, place: placeOf(place.at) })), ...texts];
    // Nothing can be rendered: each change of a file counts.
    const errors = findings.filter(({ severity }) => severity === 'error');
    return [
      ...errors.map(({ message, at }) => ({ of, text: message, place: placeOf(at) })),
      ...sources.map(({ name, text }) => ({ of: name, text, place: named(name) })),
      ...texts,
    ];
  } catch (error) {
    return [unreadable(of, error)];
  }
}

const unreadable = (of: string, error: unknown): Part => ({ of, text: messageOf(error), place: messageOf(error) });

const placeOf = ({ file, start }: { readonly file: string; readonly start: { readonly line: number } }): string =>
  `${named(file)}:${start.line}`;

/** The name of a file from the folder of the project, which is the current one. */
const named = (file: string): string => (isAbsolute(file) ? relative(process.cwd(), file) : file);

/** Where two readings of a stack differ. A line that went is placed where it was. */
function reasonsOf(before: readonly Part[] | undefined, now: readonly Part[] | undefined): readonly string[] {
  if (now === undefined) return ['the stack was removed'];
  if (before === undefined) return ['the stack is new'];
  const names = [...new Set([...before, ...now].map(({ of }) => of))];
  const places = names.flatMap((name) => {
    const [left, right] = [before, now].map((parts) => parts.filter(({ of }) => of === name));
    return changedPlaces(left ?? [], right ?? []);
  });
  return firstOf([...new Set(places)], MOST_REASONS, (rest) => `${rest} more`);
}

function changedPlaces(before: readonly Part[], now: readonly Part[]): readonly string[] {
  const lines = (parts: readonly Part[]): string => parts.map(({ text }) => JSON.stringify(text)).join('\n');
  if (lines(before) === lines(now)) return [];
  let [left, right] = [0, 0];
  const removed: string[] = [];
  const added: string[] = [];
  for (const { is } of lineDifference(lines(before), lines(now), Infinity)) {
    if (is === 'removed') removed.push(before[left]?.place ?? '');
    if (is === 'added') added.push(now[right]?.place ?? '');
    if (is !== 'added') left += 1;
    if (is !== 'removed') right += 1;
  }
  return added.length > 0 ? added : removed.map((place) => `${place} (removed)`);
}
