// What the policies of a folder judge: the records of the stack that is checked, and the names that any stack of the project has.
// It must not know any single rule.
import { existsSync } from 'node:fs';
import { oncePer, type KnownCatalogue } from '../provider';
import {
  declaredRecords,
  findingAt,
  judgeRecords,
  POLICY_FILE,
  unmatchedNames,
  type KnownNames,
  type JudgedRecord,
} from '../policy';
import { bindConfig, entryOf, readYaml, sourceFile, type Finding, type SourceFile, type StackPlan } from '../stack';
import { policiesHere } from './policies';
import {
  configuredHere,
  projectHere,
  stackConfigHere,
  stackFile,
  stacksHere,
  textFrom,
  yamlErrorsHere,
} from './project';
import { readStackHere, type StackChoice } from './read-stack';

/** What a check chooses. */
interface Checked {
  readonly stack?: string | undefined;
  /** A policy file; default: the one of this folder. */
  readonly policies?: string | undefined;
  readonly catalogue?: string | undefined;
  readonly known?: KnownCatalogue | undefined;
}

/**
 * What breaks the policies of this folder, each at its line, and what the policy file names that nothing has. `isWhole`: whether the stack is the one
 * of the project, and not made of files that somebody named. Throws Error with `file:line` for a policy file that cannot be used.
 */
export function policyFindings(
  plan: StackPlan,
  choice: Whole & { readonly isWhole: boolean },
): { readonly findings: readonly Finding[]; readonly files: readonly SourceFile[] } {
  const { policies, stack, isWhole } = choice;
  const entries = policiesHere(policies);
  if (entries.length === 0) return { findings: [], files: [] };
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
  const name = stack?.split('/').at(-1);
  const records = declaredRecords(plan, bindConfig(plan, config.values).values, {
    directory: process.cwd(),
    organization: configuredHere('oneops:organization', stack) ?? 'organization',
    secretConfig: config.secrets,
    ...(name === undefined ? {} : { stack: name }),
  });
  return { records, isWhole: records.length === plan.resources.length };
}

type Whole = Checked & { readonly names: readonly string[] };

/** The names of every stack that has settings here, and of every overlay. */
function namesHere(choice: Whole, own: readonly JudgedRecord[]): KnownNames {
  const chosen = choice.stack?.split('/').at(-1);
  const stacks = [...new Set([...stacksHere(), ...(chosen === undefined ? [] : [chosen])])];
  const all = oncePer(() => allRecords(choice, stacks));
  return { stacks, own, all: () => all(choice) };
}

/** What every stack and every overlay declares; undefined where not all of it is known. */
function allRecords(
  { names, catalogue, known }: Whole,
  stacks: readonly string[],
): readonly JudgedRecord[] | undefined {
  // Nobody knows what a program declares besides.
  if (projectHere()?.files === undefined) return undefined;
  const others = overlaysIn(names).filter((name) => !stacks.includes(name));
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

/** What a stack or an overlay declares; undefined where that is not known, for example because its settings cannot be read. */
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

/** Names of the overlays in some files. */
const overlaysIn = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const { root } = readYaml(sourceFile(name, textFrom(name)));
    const overlays = root?.form === 'map' ? entryOf(root, 'overlays')?.value : undefined;
    return overlays?.form === 'map' ? overlays.entries.map(({ key }) => key) : [];
  });
