// What `check` says of the configuration of a stack: values that Pulumi.yaml and Pulumi.STACK.yaml give, judged as a preview judges them.
// It must not know how a value is judged.
import { existsSync } from 'node:fs';
import { nearest } from '../provider';
import {
  bindConfig,
  changedTexts,
  entryOf,
  ownConfigIn,
  undeclaredSettings,
  type Finding,
  type Placed,
  type SourceFile,
  type StackPlan,
} from '../stack';
import { projectHere, settingsHere, stackConfigHere, stackFile, stacksHere } from './project';
import { readStackHere, type StackChoice } from './read-stack';

/** What a check reads. */
interface Checked extends StackChoice {
  readonly names: readonly string[];
  /** Whether these are all files of the project, and not some that a person named. */
  readonly isWhole: boolean;
}

interface Judged {
  readonly findings: readonly Finding[];
  /** The files that findings point into. */
  readonly files: readonly SourceFile[];
}

/**
 * What is wrong with the configuration of the chosen stack. Without one, what is wrong in the settings of the stacks in this folder, and what is
 * wrong in the stack files with the values of each of them; a value that is not set is no finding then, because it can be set before the run.
 * `plan`: that of the choice.
 */
export function configFindings(plan: StackPlan, checked: Checked): Judged {
  const { stack } = checked;
  if (projectHere() === undefined) return { findings: [], files: [] };
  if (stack !== undefined) return judged(plan, stack, checked);
  const stacks = stacksHere().flatMap((each) => judgedStack(each, checked) ?? []);
  const all = stacks.length === 0 ? [judged(plan, undefined, checked)] : stacks;
  const others = all.map((each) => new Map(inStackFiles(each).map((finding) => [identityOf(finding), finding])));
  const ofEach = [...(others[0] ?? [])].filter(([identity]) => others.every((each) => each.has(identity)));
  return {
    findings: [...ofEach.map(([, finding]) => finding), ...all.flatMap(inSettings)],
    files: all.flatMap(({ files }) => files),
  };
}

const isInSettings = ({ at }: Finding, { files }: Judged): boolean => files.some(({ name }) => name === at.file);
const inSettings = (all: Judged): readonly Finding[] => all.findings.filter((each) => isInSettings(each, all));

/** What is wrong in the stack files with the configuration of a stack, apart from values that are not set. */
const inStackFiles = (all: Judged): readonly Finding[] =>
  all.findings.filter((each) => !isInSettings(each, all) && each.code !== 'config-required');

const identityOf = ({ code, message, at }: Finding): string => JSON.stringify([code, message, at]);

/** What is wrong in the settings of one of several stacks; undefined where they cannot be read, or where the files are wrong for this stack. */
function judgedStack(stack: string, checked: Checked): Judged | undefined {
  try {
    const { plan } = readStackHere(checked.names, { ...checked, stack });
    return plan && judged(plan, stack, checked);
  } catch {
    return undefined;
  }
}

function judged(plan: StackPlan, stack: string | undefined, { isWhole }: Checked): Judged {
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
  const unknown = isOwn
    ? undeclaredSettings(
        settings,
        project.name,
        plan.config.map(({ name }) => name),
      )
    : [];
  const texts = new Set(plan.config.filter(({ type }) => type === 'string').map(({ name }) => name));
  const changed = changedTexts(settings, project?.name ?? '', texts);
  return { findings: [...findings, ...changed, ...unknown], files: settings.map(({ file }) => file) };
}

/** What there is to say of a stack that has no settings in this folder; undefined where it has some. */
export function unknownStack(stack: string | undefined): string | undefined {
  if (stack === undefined || existsSync(stackFile(stack))) return undefined;
  const near = nearest(stack.split('/').at(-1) ?? stack, stacksHere());
  const meant = near === undefined ? '' : `; did you mean "${near}"?`;
  return `there is no ${stackFile(stack)}: ${stack} has the default configuration${meant}\n`;
}
