// `pulumi-oneops check`: everything wrong with the files of a stack, without an engine and without a request.
// It must not know what makes a stack right.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { nearest, type KnownCatalogue } from '../../provider';
import {
  FINDING_FORMATS,
  findingFormat,
  findingsGithub,
  findingsJson,
  findingsSarif,
  renderFindings,
  STANDARD_FILE,
  type Finding,
  type FindingFormat,
  type SourceFile,
} from '../../stack';
import { parseWords, UsageError, type Command } from '../command';
import { policyFindings } from '../judged-here';
import { findingsOfOtherOverlays } from '../other-overlays';
import { POLICIES_OPTION } from '../policies';
import { configFindings, unknownStack } from '../config-here';
import { chosenCatalogue, KNOWN_OPTIONS } from '../chosen-catalogue';
import { settingFindingsHere, namedFilesHere, projectHere, repositoryOf, stackFile, yamlErrorsHere } from '../project';
import { readStackHere } from '../read-stack';

const OPTIONS = {
  format: { type: 'string' },
  json: { type: 'boolean', default: false },
  catalogue: { type: 'string' },
  stack: { type: 'string' },
  overlay: { type: 'string' },
  ...KNOWN_OPTIONS,
  ...POLICIES_OPTION,
} as const;

const HELP = `usage: pulumi-oneops check [FILE...] [options]

Reads the files of a stack and reports everything that is wrong with them, each
finding with its line and its code; pulumi-oneops explain CODE says more. Sends
requests only with --online. Several files together declare one assembly. Without a FILE, reads the
files that Pulumi.yaml in this folder names, or ${STANDARD_FILE}.

  --format FORMAT    text (default), json, sarif for code scanning, or github for
                     annotations in a workflow; the last two name files by their
                     path in the repository
  --json             the same as --format json
  --catalogue LEVEL  how findings of the catalogue count: auto, strict, warn or
                     off; default: oneops:catalogue in Pulumi.yaml or in the file
                     of the stack
  --online           compares packs and attributes with the catalogue of the
                     service instead of the packaged one; only reads
  --catalogue-file FILE
                     compares with a catalogue that pulumi-oneops packs --save
                     has written; default: runtime.options.catalogue in
                     Pulumi.yaml, or else the packaged one
  --url URL, --organization NAME
                     the service of --online; default: as for other commands
  --stack NAME       stack whose Pulumi.NAME.yaml holds the configuration, which is
                     judged as a preview judges it, and whose overlay counts;
                     default: none, and the values in each Pulumi.*.yaml are judged
  --overlay NAME     another overlay, and no other; without it, what is wrong with
                     the other overlays is reported, too
  --policies FILE    policies that the stack must keep; default: policies.yaml
                     in this folder, where there is one

exit codes: 0 nothing wrong, 1 a file or the service cannot be read,
2 something is wrong`;

/** The check command. */
export const checkCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const parsed = parseWords(words, OPTIONS);
    const format = formatOf(parsed.values.format, parsed.values.json);
    // Without the files of the stack nobody knows which packs to ask for.
    const isIncomplete = parsed.values.online && namedWrong(parsed).findings.length > 0;
    process.stderr.write(unknownStack(parsed.values.stack) ?? '');
    const known = isIncomplete ? undefined : await chosenCatalogue(parsed.values, namesOf(parsed), parsed.values);
    return checked(parsed, format, known);
  },
};

const namesOf = ({ positionals }: Parsed): readonly string[] =>
  positionals.length > 0 ? positionals : (projectHere()?.files ?? [STANDARD_FILE]);

type Parsed = ReturnType<typeof parseWords<typeof OPTIONS>>;

/** What is wrong with the files that Pulumi.yaml names, where no words name others. */
const namedWrong = ({ positionals }: Parsed): ReturnType<typeof namedFilesHere> =>
  positionals.length > 0 ? { findings: [], files: [] } : namedFilesHere();

/** Checks the files. Returns the exit code. */
function checked(parsed: Parsed, format: FindingFormat, known: KnownCatalogue | undefined): number {
  const names = namesOf(parsed);
  const { findings, files: sources } = found(parsed, names, known);
  if (format === 'json') process.stdout.write(findingsJson(findings));
  else if (format === 'sarif') process.stdout.write(findingsSarif(findings, pathInRepository));
  else if (format === 'github') process.stdout.write(findingsGithub(findings, pathInRepository));
  else if (findings.length === 0) process.stdout.write(`${names.join(', ')}: nothing wrong\n`);
  else process.stderr.write(renderFindings(findings, sources, { colour: isColourful() }));
  return findings.some(({ severity }) => severity === 'error') ? 2 : 0;
}

interface Found {
  readonly findings: readonly Finding[];
  /** The files that findings point into. */
  readonly files: readonly SourceFile[];
}

/** Everything wrong with the files of a stack. Where Pulumi.yaml does not name them as a run needs it, only that is found. */
function found(parsed: Parsed, names: readonly string[], known: KnownCatalogue | undefined): Found {
  const { values } = parsed;
  const named = namedWrong(parsed);
  if (named.findings.length > 0) return named;
  const settings = values.stack === undefined ? [] : [stackFile(values.stack)];
  const broken = yamlErrorsHere(settings);
  if (broken.findings.length > 0) return broken;
  const chosen = readStackHere(names, { ...values, known });
  const others = findingsOfOtherOverlays(names, { ...values, known }, chosen);
  const findings = [...chosen.findings, ...others.findings];
  const files = [...chosen.files, ...others.files];
  const { plan } = chosen;
  if (plan === undefined) return { findings, files };
  const secrets = new Set(plan.config.filter(({ secret }) => secret).map(({ name }) => name));
  const settled = settingFindingsHere(secrets, values.stack);
  const isWhole = parsed.positionals.length === 0;
  const choice = { ...values, known, names, isWhole };
  const config = configFindings(plan, choice);
  const judged = policyFindings(plan, choice);
  return {
    findings: withoutRepeats([...findings, ...config.findings, ...settled.findings, ...judged.findings]),
    files: [...files, ...config.files, ...settled.files, ...judged.files],
  };
}

function formatOf(word: string | undefined, json: boolean): FindingFormat {
  const format = findingFormat(word ?? (json ? 'json' : 'text'));
  if (format === undefined) {
    const near = nearest(word ?? '', FINDING_FORMATS);
    const hint = near === undefined ? `there are ${FINDING_FORMATS.join(', ')}` : `did you mean "${near}"?`;
    throw new UsageError(`there is no format "${word}": ${hint}`);
  }
  if (json && format !== 'json') throw new UsageError(`--json and --format ${format} exclude each other`);
  return format;
}

/** Colours are for people who look at a terminal and did not refuse them. */
const isColourful = (): boolean => process.stderr.isTTY && process.env['NO_COLOR'] === undefined;

/** A file's path in the repository, with forward slashes; as it is named when it is elsewhere. */
function pathInRepository(file: string): string {
  const inside = relative(repositoryOf(process.cwd()), resolve(file));
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return (isOutside ? file : inside).split(sep).join('/');
}

/** Each finding once: the settings of the project are judged with those of each stack. */
const withoutRepeats = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(
    findings.map((finding) => [JSON.stringify([finding.code, finding.message, finding.at]), finding]),
  ).values(),
];
