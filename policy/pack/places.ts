// Where the files of a stack declare what breaks a policy. A program in another language has no such files.
// It must not know the protocol or any rule.
import { resolve } from 'node:path';
import { loadStack, projectIn, readTextFile, readYaml, sourceFile, type StackPlan } from '../../stack';
import { findingAt } from '../declared';
import type { PolicyViolation } from '../judge';

/** The place of a violation: `oneops.yaml:14:5`; undefined where no file declares it. */
export type Places = (violation: PolicyViolation) => string | undefined;

/** What the engine says of a run. The values of the configuration are in clear. */
interface Run {
  readonly project: string;
  readonly stack: string;
  readonly config: ReadonlyMap<string, string>;
  readonly secrets: readonly string[];
}

/** Places in the stack files of a project. A file that cannot be used has none: the run itself reports it. */
export function placesOf(directory: string, run: Run): Places {
  const files = stackFiles(directory);
  const plan = files === undefined ? undefined : planOf(directory, files, run);
  if (plan === undefined) return () => undefined;
  return (violation) => {
    const at = findingAt(plan, violation)?.at;
    return at === undefined ? undefined : `${at.file}:${at.start.line}:${at.start.column}`;
  };
}

/** The files that `Pulumi.yaml` names for `runtime: oneops`. */
function stackFiles(directory: string): readonly string[] | undefined {
  const content = readTextFile(resolve(directory, 'Pulumi.yaml'));
  if ('problem' in content) return undefined;
  const { root } = readYaml(sourceFile('Pulumi.yaml', content.text));
  return root?.form === 'map' ? projectIn(root).files : undefined;
}

function planOf(
  directory: string,
  files: readonly string[],
  { project, stack, config, secrets }: Run,
): StackPlan | undefined {
  const prefix = `${project}:`;
  const own = (key: string): string | undefined => (key.startsWith(prefix) ? key.slice(prefix.length) : undefined);
  const values = [...config].flatMap(([key, value]) =>
    own(key) === undefined ? [] : [[own(key) as string, value] as const],
  );
  const overlay = config.get('oneops:overlay');
  const loaded = loadStack({
    ...{ files, directory, project, stack, catalogue: 'off', config: Object.fromEntries(values) },
    secretConfig: new Set(secrets.flatMap((key) => own(key) ?? [])),
    ...(overlay === undefined ? {} : { overlay }),
  });
  return 'plan' in loaded ? loaded.plan : undefined;
}
