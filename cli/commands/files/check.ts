// `pulumi-oneops check`: everything wrong with the files of a stack, without an engine.
import { existsSync } from 'node:fs';
import { filePath } from '../../../drift';
import type { KnownCatalogue } from '../../../provider/kinds/catalogue';
import { nearest, oncePer } from '../../../provider/values';
import {
  FINDING_FORMATS,
  findingsGithub,
  findingsJson,
  findingsSarif,
  renderFindings,
  STANDARD_FILE,
  type Finding,
  type FindingFormat,
  type SourceFile,
  entryOf,
  bindConfig,
  givenConfigFindings,
  ownConfigIn,
  eachOnce,
  identityOf,
  secretsOf,
  type Placed,
  type StackPlan,
  sourceFile,
} from '../../../stack';
import { commandOf, knownWord, type ValuesOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { policiesHere } from '../../here/policies';
import {
  bareName,
  settingFindingsHere,
  filesOr,
  namedFilesHere,
  projectHere,
  repositoryOf,
  stackFile,
  yamlErrorsHere,
  configuredHere,
  stacksHere,
  settingsHere,
  stackConfigHere,
  textFrom,
  joined,
  NOTHING,
  type Found,
} from '../../here/project';
import {
  chosenCatalogue,
  knownHere,
  levelHere,
  readStackHere,
  type StackChoice,
  type StackHere,
} from '../../here/read-stack';
import {
  declaredRecords,
  findingAt,
  judgeRecords,
  POLICY_FILE,
  unmatchedNames,
  type KnownNames,
  type JudgedRecord,
} from '../../../policy';
import { isColourful } from '../../here/terminal';
import { CATALOGUE_OPTIONS, flag, POLICIES_OPTION, STACK_OPTIONS, text } from '../../options';

const OPTIONS = {
  format: text(
    'FORMAT',
    `text (default), json, sarif for code scanning, or github for annotations in a workflow; the last two
      name files by their path in the repository`,
  ),
  json: flag('the same as --format json'),
  catalogue: text(
    'LEVEL',
    `how findings of the catalogue count: auto, strict, warn or off; default: oneops:catalogue in
      Pulumi.yaml or in the file of the stack`,
  ),
  ...CATALOGUE_OPTIONS,
  stack: {
    ...STACK_OPTIONS.stack,
    words: `stack whose Pulumi.NAME.yaml holds the configuration, which is judged as a preview judges it, and
      whose overlay counts; default: none, and the values in each Pulumi.*.yaml are judged`,
  },
  overlay: {
    ...STACK_OPTIONS.overlay,
    words: 'another overlay, and no other; without it, what is wrong with the other overlays is reported, too',
  },
  ...POLICIES_OPTION,
} as const;

export const command = commandOf({
  usage: ['check [FILE...] [options]'],
  about: `Reads the files of a stack and reports everything that is wrong with them, each finding with
its line and its code; pulumi-oneops explain CODE says more. Sends requests only with --online.
Several files together declare one assembly. Without a FILE, reads the files that Pulumi.yaml in this
folder names, or ${STANDARD_FILE}.`,
  options: OPTIONS,
  exits: {
    done: 'nothing wrong',
    wrong: 'something is wrong, or a file cannot be read; or wrong use',
    policy: 'nothing else is wrong, and a mandatory policy is broken',
  },
  async run({ values, positionals }) {
    const format = formatOf(values.format, values.json);
    process.stderr.write(unknownStack(values.stack) ?? '');
    const named = positionals.length > 0 ? NOTHING : namedFilesHere();
    const names = filesOr(positionals);
    // Without the files of the stack nobody knows which packs to ask for.
    const isIncomplete = values.online && named.findings.length > 0;
    const known = isIncomplete ? undefined : await chosenCatalogue(values, names, values);
    // If Pulumi.yaml does not name the files as a run needs it, nothing else is judged.
    const isWhole = positionals.length === 0;
    return writeFindings(format, names, named.findings.length > 0 ? named : found(values, { names, isWhole }, known));
  },
});

/** Writes the findings, and returns the exit code. */
function writeFindings(format: FindingFormat, names: readonly string[], { findings, files: sources }: Found): number {
  if (format === 'json') process.stdout.write(findingsJson(findings));
  else if (format === 'sarif') process.stdout.write(findingsSarif(findings, pathInRepository));
  else if (format === 'github') process.stdout.write(findingsGithub(findings, pathInRepository));
  else if (findings.length === 0) process.stdout.write(`${names.join(', ')}: nothing wrong\n`);
  else process.stdout.write(renderFindings(findings, sources, { colour: isColourful(process.stdout) }));
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return EXIT.done;
  return errors.every(({ code }) => code.startsWith('policy-')) ? EXIT.policy : EXIT.wrong;
}

/** All findings. `given`: the catalogue of an option. */
function found(
  options: ValuesOf<typeof OPTIONS>,
  { names, isWhole }: Pick<Checked, 'names' | 'isWhole'>,
  given: KnownCatalogue | undefined,
): Found {
  const only = ofOnlyStack(options.stack);
  const known = given ?? only.known;
  const values = { ...options, catalogue: options.catalogue ?? only.catalogue };
  const settings = values.stack === undefined ? [] : [stackFile(values.stack)];
  const broken = yamlErrorsHere(settings);
  if (broken.findings.length > 0) return broken;
  const chosen = readStackHere(names, { ...values, known });
  const others = findingsOfOtherOverlays(names, { ...values, known }, chosen);
  const { plan = chosen.judgeable } = chosen;
  if (plan === undefined) return joined([chosen, others]);
  const choice = { ...values, known, names, isWhole, overlays: overlaysOf(chosen) };
  const judged = [
    configFindings(plan, choice),
    settingFindingsHere(secretsOf(plan), values.stack),
    plan.resources.length === 0 ? NOTHING : policyFindings(plan, choice),
  ];
  const { findings, files } = joined([chosen, others, ...judged]);
  // The settings of the project are judged with those of each stack.
  return { findings: eachOnce(findings, identityOf), files };
}

/** Without a chosen stack: how the only one with settings here judges the catalogue. */
function ofOnlyStack(chosen: string | undefined): Pick<StackChoice, 'known' | 'catalogue'> {
  const [only, ...others] = chosen === undefined ? stacksHere() : [];
  if (only === undefined || others.length > 0 || yamlErrorsHere([stackFile(only)]).findings.length > 0) return {};
  return { known: knownHere('.', only), catalogue: levelHere({ stack: only }) };
}

function formatOf(word: string | undefined, json: boolean): FindingFormat {
  const format = knownWord('--format', FINDING_FORMATS, word ?? (json ? 'json' : 'text'));
  if (json && format !== 'json') throw new UsageError(`--json and --format ${format} exclude each other`);
  return format;
}

const pathInRepository = (file: string): string =>
  filePath(file, { root: repositoryOf(process.cwd()), folder: process.cwd() });

/** New findings of each overlay that is not chosen, with the settings of its stack if any. */
function findingsOfOtherOverlays(names: readonly string[], choice: StackChoice, plain: StackHere): Found {
  const chosen = configuredHere('oneops:overlay', choice.stack) ?? choice.stack?.split('/').at(-1);
  const others = choice.overlay === undefined ? overlaysOf(plain).filter((name) => name !== chosen) : [];
  const known = new Set(plain.findings.map(identityOf));
  const { findings, files } = joined(others.map((overlay) => readOverlay(names, { ...choice, overlay })));
  const isNew = ({ name }: SourceFile): boolean => !plain.files.some((file) => file.name === name);
  return {
    findings: eachOnce(findings, identityOf).filter((finding) => !known.has(identityOf(finding))),
    files: eachOnce(files.filter(isNew), ({ name }) => name),
  };
}

/** Names of the overlays in the files of a stack, with those that are included. */
const overlaysOf = ({ trees }: StackHere): readonly string[] => [
  ...new Set(
    (trees?.written ?? []).flatMap((root) => {
      const overlays = entryOf(root, 'overlays')?.value;
      return overlays?.form === 'map' ? overlays.entries.map(({ key }) => key) : [];
    }),
  ),
];

/** Reads the stack with an overlay, whose stack may have no settings yet. */
function readOverlay(names: readonly string[], choice: StackChoice & { readonly overlay: string }): StackHere {
  const { overlay } = choice;
  const isHere = stacksHere().includes(overlay) && yamlErrorsHere([stackFile(overlay)]).findings.length === 0;
  const reading = readStackHere(names, { ...choice, stack: isHere ? overlay : undefined });
  const findings = isHere ? reading.findings : reading.findings.filter(({ code }) => code !== 'config-required');
  return { ...reading, findings };
}

interface Checked extends StackChoice {
  readonly names: readonly string[];
  /** Whether these are all files of the project, and not some that a person named. */
  readonly isWhole: boolean;
  /** A policy file; default: the one of this folder. */
  readonly policies?: string | undefined;
  readonly overlays: readonly string[];
}

/**
 * Mistakes in the configuration of the chosen stack, whose plan is `plan`. Without a chosen stack,
 * mistakes in the settings of every stack, and those in the stack files with the values of all, or
 * a value that is set for one. A value that is not set can be set before the run.
 */
function configFindings(plan: StackPlan, checked: Checked): Found {
  const { stack } = checked;
  if (projectHere() === undefined) return NOTHING;
  if (stack !== undefined) return judged(plan, stack, checked);
  const stacks = stacksHere().flatMap((each) => judgedStack(each, checked) ?? []);
  const all = stacks.length === 0 ? [judged(plan, undefined, checked)] : stacks;
  const others = all.map((each) => new Map(inStackFiles(each).map((finding) => [identityOf(finding), finding])));
  const ofEach = [...(others[0] ?? [])].filter(([identity]) => others.every((each) => each.has(identity)));
  const ofOne = stacks.flatMap(({ unset }, index) =>
    [...(others[index] ?? [])].filter(([own]) => !inStackFiles(unset).some((one) => identityOf(one) === own)),
  );
  return {
    findings: [...new Map([...ofEach, ...ofOne]).values(), ...all.flatMap(inSettings)],
    files: all.flatMap(({ files }) => files),
  };
}

const isInSettings = ({ at }: Finding, { files }: Found): boolean => files.some(({ name }) => name === at.file);
const inSettings = (all: Found): readonly Finding[] => all.findings.filter((each) => isInSettings(each, all));

/** Mistakes in the stack files with the configuration of a stack, except for unset values. */
const inStackFiles = (all: Found): readonly Finding[] =>
  all.findings.filter((each) => !isInSettings(each, all) && each.code !== 'config-required');

/** Mistakes with, and without, the settings of one stack; undefined if they, or the files, cannot be read. */
function judgedStack(stack: string, checked: Checked): (Found & { readonly unset: Found }) | undefined {
  try {
    const { judgeable, plan = judgeable } = readStackHere(checked.names, { ...checked, stack });
    return plan && { ...judged(plan, stack, checked), unset: judged(plan, undefined, checked) };
  } catch {
    return undefined;
  }
}

function judged(plan: StackPlan, stack: string | undefined, { isWhole }: Checked): Found {
  const project = projectHere();
  const settings = settingsHere(stack === undefined ? [] : [stack]);
  const { values, secrets } = stackConfigHere(stack);
  const places = new Map<string, Placed>(
    settings
      .flatMap((file) => ownConfigIn(file, project?.name ?? ''))
      .flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])),
  );
  const unset = plan.config.filter(({ name }) => !Object.hasOwn(values, name));
  // A program, or an environment of Pulumi, can give what no file here gives.
  const isGivenHere = project?.files !== undefined && settings.every(({ map }) => !entryOf(map, 'environment'));
  const later = new Set([...secrets, ...(isGivenHere ? [] : unset.map(({ name }) => name))]);
  const { findings } = bindConfig(plan, values, later, {
    howToSet: ({ name, secret }) =>
      `set it with: pulumi config set${stack === undefined ? '' : ` --stack ${stack}`}${secret ? ' --secret' : ''} ${name}`,
    placeOf: (name) => places.get(name),
  });
  const isOwn = isWhole && project?.files !== undefined;
  const settled = givenConfigFindings(settings, project?.name ?? '', plan.config, isOwn);
  return { findings: [...findings, ...settled], files: settings.map(({ file }) => file) };
}

/** A line about a stack without settings in this folder; undefined if it has settings. */
export function unknownStack(stack: string | undefined): string | undefined {
  if (stack === undefined || existsSync(stackFile(stack))) return undefined;
  const near = nearest(bareName(stack), stacksHere());
  const meant = near === undefined ? '' : `; did you mean "${near}"?`;
  return `there is no ${stackFile(stack)}: ${stack} has the default configuration${meant}\n`;
}

/**
 * Violations of the policies of this folder, each at its line, and names in the policy file that
 * nothing has. Throws Error with `file:line` for a policy file that cannot be used.
 */
function policyFindings(plan: StackPlan, choice: Checked): Found {
  const { policies, stack, isWhole } = choice;
  const entries = policiesHere(policies);
  if (entries.length === 0) return NOTHING;
  const { records } = recordsOf(plan, stack);
  const broken = judgeRecords(entries, records, { stack: stack?.split('/').at(-1) });
  const findings = broken.flatMap((violation) => findingAt(plan, violation) ?? []);
  // A file of another name or place may serve other projects.
  if (!isWhole || policies !== undefined || !existsSync(POLICY_FILE)) return { findings, files: [] };
  return {
    findings: [...findings, ...unmatchedNames(entries, namesHere(choice, records))],
    files: [sourceFile(POLICY_FILE, textFrom(POLICY_FILE))],
  };
}

/** The records of a plan. `isWhole`: whether the names of all of them are known before a run. */
function recordsOf(
  plan: StackPlan,
  stack: string | undefined,
): { readonly records: readonly JudgedRecord[]; readonly isWhole: boolean } {
  const config = stackConfigHere(stack);
  const records = declaredRecords(plan, bindConfig(plan, config.values).values, {
    directory: process.cwd(),
    organization: configuredHere('oneops:organization', stack) ?? 'organization',
    secretConfig: config.secrets,
    ...(stack === undefined ? {} : { stack: bareName(stack) }),
  });
  return { records, isWhole: records.length === plan.resources.length };
}

/** The names of every stack that has settings here, and of every overlay. */
function namesHere(choice: Checked, own: readonly JudgedRecord[]): KnownNames {
  const chosen = choice.stack?.split('/').at(-1);
  const stacks = [...new Set([...stacksHere(), ...(chosen === undefined ? [] : [chosen])])];
  const all = oncePer(() => allRecords(choice, stacks));
  return { stacks, own, all: () => all(choice) };
}

/** Records of every stack and every overlay; undefined if not all of them are known. */
function allRecords(
  { names, catalogue, known, overlays }: Checked,
  stacks: readonly string[],
): readonly JudgedRecord[] | undefined {
  // Nobody knows what a program declares besides.
  if (projectHere()?.files === undefined) return undefined;
  const others = overlays.filter((name) => !stacks.includes(name));
  const choices: readonly StackChoice[] = [
    ...stacks.map((stack) => ({ stack })),
    ...others.map((overlay) => ({ overlay })),
    ...(stacks.length + others.length === 0 ? [{}] : []),
  ];
  const records: JudgedRecord[] = [];
  for (const each of choices) {
    const found = recordsWith(names, { ...each, catalogue, known });
    if (found === undefined) return undefined;
    records.push(...found);
  }
  return records;
}

/** Records of a stack or an overlay; undefined if they are not known. */
function recordsWith(names: readonly string[], choice: StackChoice): readonly JudgedRecord[] | undefined {
  try {
    if (choice.stack !== undefined && yamlErrorsHere([stackFile(choice.stack)]).findings.length > 0) return undefined;
    const { plan } = readStackHere(names, choice);
    const found = plan && recordsOf(plan, choice.stack);
    return found?.isWhole === true ? found.records : undefined;
  } catch {
    return undefined;
  }
}
