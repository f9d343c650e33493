// `pulumi-oneops render`: a stack file with everything in it resolved.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { ENCRYPTED, type Record as WireRecord } from '../../../api/contract';
import { code, type CodeRecord, fenced, findingSubject, reviewStack, unifiedDiff } from '../../../drift';
import { OTHER_THAN_DECLARED } from '../../../preview';
import { camelCase, platformOf } from '../../../provider';
import { asOf } from '../../../provider/history';
import { mayHoldSecret, mayNameSecret } from '../../../provider/secrets';
import { isPlainObject } from '../../../provider/values';
import { type ResolvedLine, STANDARD_FILE } from '../../../stack';
import { commandOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { withCommit } from '../../here/commit';
import { filesOr, inFolder, joined, secretConfigHere, settingErrorsHere, stacksHere } from '../../here/project';
import { renderedHere, textOf } from '../../here/read-stack';
import { findingsText } from '../../here/terminal';
import { flag, SETTINGS_OPTIONS, STACK_OPTIONS, text } from '../../options';
import { acceptHere, filesToAccept } from '../drift/accept';
import { newDrafts } from '../drift/drafts';
import { withReview, type SourceOptions } from '../drift/sources';
import { subjectOf } from '../operate/open-release';
import { unknownStack } from './check';

export const command = commandOf({
  usage: [
    'render [FILE] [options]',
    'render [FILE] --diff STACK STACK',
    'render [FILE] --diff-from REF [--stack NAME] [--markdown]',
    'render [FILE] --release NUMBER [--stack NAME]',
  ],
  about: `Prints a stack file as a run reads it: files are included, templates, loops and conditions
are resolved, and the overlay of the stack is laid over the result. That is a stack file again.
References such as \${config.owner} stay, but not with --diff or --diff-from;
comments do not, except with --release, which alone sends requests.
Without a FILE, reads the files that Pulumi.yaml in this folder names, or ${STANDARD_FILE}.`,
  options: {
    ...STACK_OPTIONS,
    explain: flag('before each line, where it comes from: FILE:LINE'),
    diff: flag(
      `how two stacks differ, as a patch. Values of the configuration and \${pulumi.stack} stand in place of
        the references to them, and secrets as (secret)`,
    ),
    'diff-from': text(
      'REF',
      `how each stack differs from what it was at a commit, a branch or a tag, as --diff shows it; needs no
        token and no engine, so that it also works for pull requests from forks`,
    ),
    markdown: flag('with --diff-from: as Markdown, for a comment'),
    release: text(
      'NUMBER',
      `the stack file with the values of a committed release of the design or of an environment, which
        pulumi-oneops history lists; where several files change, a patch. Only reads`,
    ),
    url: SETTINGS_OPTIONS.url,
    organization: SETTINGS_OPTIONS.organization,
  },
  exits: {
    done: 'printed',
    differs: 'with --diff-from: at least one stack differs',
    notLetIn: 'with --release: the token is missing, or the service refuses it',
    inPart: 'with --release: printed, but it lacks something',
  },
  run({ values, positionals }) {
    const { release } = values;
    if (release !== undefined) {
      if (values.diff || values.explain || values.markdown || (values['diff-from'] ?? values.overlay) !== undefined)
        throw new UsageError('--release goes with --stack, --url and --organization alone');
      return renderRelease(release, positionals[0], values);
    }
    const stacks = values.diff ? positionals.slice(-2) : [];
    if (values.diff && (stacks.length < 2 || values.stack !== undefined || values.overlay !== undefined))
      throw new UsageError('--diff takes the names of two stacks, and no other option');
    const named = values.diff ? positionals.slice(0, -2) : positionals;
    const names = filesOr(named);
    const { 'diff-from': ref, markdown } = values;
    if (ref !== undefined) {
      if (values.diff || values.explain || values.overlay !== undefined)
        throw new UsageError('--diff-from goes with --stack and --markdown alone');
      return differenceFrom(ref, named, { stack: values.stack, markdown });
    }
    if (markdown) throw new UsageError('--markdown goes with --diff-from');
    // What is a secret in one stack is none to show in the other one.
    const hidden = values.diff ? new Set(stacks.flatMap((stack) => [...secretConfigHere(stack)])) : undefined;
    const chosen = values.diff ? stacks.map((stack) => ({ stack })) : [values];
    const read = chosen.map((choice) => linesOf(names, choice, hidden));
    // Two stacks of one file often have the same findings.
    for (const said of new Set(read.flatMap((each) => each.said))) process.stderr.write(said);
    const rendered = read.map(({ lines }) => lines);
    const [first, second] = rendered;
    if (first === undefined || rendered.includes(undefined)) return EXIT.wrong;
    if (second === undefined) process.stdout.write(values.explain ? explained(first) : textOf(first));
    else process.stdout.write(unifiedDiff(names[0] ?? '', textOf(first), textOf(second), stacks));
    if (second !== undefined && textOf(first) === textOf(second))
      process.stderr.write(`${stacks.join(' and ')} do not differ\n`);
    return EXIT.done;
  },
});

/** The lines of the resolved file, undefined when something is wrong, and messages. */
function linesOf(
  names: readonly string[],
  choice: { readonly stack?: string | undefined; readonly overlay?: string | undefined },
  hidden?: ReadonlySet<string>,
): { readonly lines: readonly ResolvedLine[] | undefined; readonly said: readonly string[] } {
  const wrong = settingErrorsHere(choice.stack);
  const { lines, ...reading } = renderedHere(names, choice, hidden);
  const shown = findingsText(joined([reading, wrong]));
  return { lines: wrong.findings.length === 0 ? lines : undefined, said: [unknownStack(choice.stack) ?? '', shown] };
}

type StackDifference = { readonly stack: string | undefined; readonly patch: string };

function differenceFrom(
  ref: string,
  named: readonly string[],
  { stack, markdown }: { readonly stack: string | undefined; readonly markdown: boolean },
): number {
  return withCommit(ref, ({ here }) => {
    const sides = [here, '.'].map((folder) => renderedStacks(folder, named, stack));
    const [before, now] = sides;
    if (before === undefined || now === undefined || now.isWrong) return EXIT.wrong;
    const stacks = [...new Set([...now.texts.keys(), ...before.texts.keys()])];
    const differences = stacks.flatMap((each): readonly StackDifference[] => {
      const [left = '', right = ''] = [before.texts.get(each), now.texts.get(each)];
      const name = basename(named[0] ?? STANDARD_FILE);
      const patch = unifiedDiff(name, left, right, [ref, each ?? 'now']);
      return patch === '' ? [] : [{ stack: each, patch }];
    });
    process.stdout.write(markdown ? commentOn(ref, differences) : differences.map(({ patch }) => patch).join('\n'));
    if (differences.length === 0) process.stderr.write(`no stack differs from ${ref}\n`);
    return differences.length === 0 ? EXIT.done : EXIT.differs;
  });
}

/**
 * The rendered stacks of the project in a folder, by name, all of them unless one is named. What is
 * wrong is printed; at an earlier commit, a stack with mistakes counts as one that was not there.
 */
function renderedStacks(
  folder: string,
  named: readonly string[],
  stack: string | undefined,
): { readonly texts: ReadonlyMap<string | undefined, string>; readonly isWrong: boolean } {
  const texts = new Map<string | undefined, string>();
  if (!existsSync(folder)) return { texts, isWrong: false };
  const isNow = folder === '.';
  return inFolder(folder, () => {
    const names = filesOr(named);
    if (!isNow && !names.every((name) => existsSync(name))) return { texts, isWrong: false };
    const known = stacksHere();
    const stacks = stack !== undefined ? [stack] : known.length > 0 ? known : [undefined];
    const said = new Set<string>();
    let isWrong = false;
    for (const each of stacks) {
      const { lines, said: findings } = linesOf(names, { stack: each }, secretConfigHere(each));
      if (lines !== undefined) texts.set(each, textOf(lines));
      else isWrong = true;
      findings.forEach((text) => said.add(text));
    }
    if (isNow) said.forEach((text) => process.stderr.write(text));
    return { texts, isWrong };
  });
}

function commentOn(ref: string, differences: readonly StackDifference[]): string {
  if (differences.length === 0) return `No stack differs from ${code(ref, 100)}.\n`;
  return differences
    .flatMap(({ stack, patch }) => [
      `### ${stack === undefined ? 'Stack file' : `Stack ${code(stack, 100)}`}`,
      '',
      ...fenced(patch.trimEnd().split('\n').slice(2)),
      '',
    ])
    .join('\n');
}

/** Each line with the place that it comes from before it. */
function explained(lines: readonly ResolvedLine[]): string {
  const places = lines.map(({ place: { at } }) => `${at.file}:${at.start.line}`);
  const width = places.reduce((most, place) => Math.max(most, place.length), 0);
  return lines.map(({ text }, index) => `${(places[index] ?? '').padEnd(width)}  ${text}`.trimEnd() + '\n').join('');
}

// `pulumi-oneops render --release N`: the stack file with the values of a committed release.

/** Prints the stack file, or a patch for several files, of a release. */
async function renderRelease(release: string, named: string | undefined, options: SourceOptions): Promise<number> {
  if (!/^\d+$/.test(release))
    throw new UsageError('--release takes the number of a release: see pulumi-oneops history');
  return withReview(options, named, async ({ state, code, ...opened }) => {
    const assembly = code?.find(({ inputs }) => 'assembly' in inputs)?.inputs['assembly'];
    if (code === undefined || typeof assembly !== 'string')
      throw new UsageError('no stack file here declares an assembly');
    const then = await asOf(opened.api, assembly, Number(release));
    if (then === undefined)
      throw new UsageError(`${assembly} has no committed release ${release}: see pulumi-oneops history`);
    const found = await reviewStack({ ...opened, code, rules: undefined, api: then.api });
    const review = { ...found, ...(state?.stack === undefined ? {} : { stack: state.stack }) };
    const names = named === undefined ? filesToAccept([]) : [named];
    const differing = review.findings.filter(({ classification }) => OTHER_THAN_DECLARED.includes(classification));
    const drafts = newDrafts();
    const { files, refused } = acceptHere(differing, review, names, drafts);
    files.forEach(({ name, text }) => drafts.put(name, text));
    process.stdout.write(files.length === 1 ? (files[0]?.text ?? '') : drafts.diff());
    const left = [
      ...refused.map(({ finding, reason }) => `${findingSubject(finding)} is not written: ${reason}`),
      ...review.unread.map(({ kind, address, reason }) => `${kind} ${address} is not known: ${reason}`),
      ...then.deleted.map((record) => `${subjectOf(record)} was deleted since: declare it again by hand`),
      ...then.changed.flatMap((record) => undeclaredIn(record, code)),
    ];
    new Set(left).forEach((line) => process.stderr.write(`${opened.hide(line)}\n`));
    return left.length > 0 ? EXIT.inPart : EXIT.done;
  });
}

/** A line for each undeclared attribute that was set since, or that no read shows. */
function undeclaredIn(record: WireRecord, records: readonly CodeRecord[]): readonly string[] {
  const { ciName, ciBaseAttributes, ciAttrProps, nsPath } = record;
  // What a pull or a pack brought is no value of a file.
  const isSet = (attribute: string): boolean =>
    !nsPath.includes('/manifest') || ciAttrProps?.owner?.[attribute] === 'manifest';
  const declared = records
    .filter(
      ({ inputs }) => inputs['name'] === ciName && (inputs['platform'] ?? ciName) === (platformOf(record) || ciName),
    )
    .flatMap(({ inputs: { attributes, ...inputs } }) => [
      ...Object.keys(inputs),
      ...(isPlainObject(attributes) ? Object.keys(attributes) : []),
    ]);
  return Object.entries(ciBaseAttributes ?? {}).flatMap(([name, value]) => {
    if (value === ENCRYPTED) return [`${subjectOf(record)} had another ${name}: the service shows no secret`];
    const isDeclared = declared.some((each) => [name, camelCase(name)].includes(each));
    if (isDeclared || !isSet(name)) return [];
    const had =
      mayNameSecret(name) || mayHoldSecret(value ?? '')
        ? `another ${name}, which may hold a secret`
        : `${name} ${JSON.stringify(value)}`;
    return [`${subjectOf(record)} had ${had}: the file does not declare it`];
  });
}
