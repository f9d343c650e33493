// Where the files of a stack declare what breaks a policy. A program in another language has no such files.
// It must not know the protocol or any rule.
import { resolve } from 'node:path';
import {
  loadStack,
  namedCatalogue,
  projectIn,
  readTextFile,
  readYaml,
  sourceFile,
  type Project,
  type StackPlan,
} from '../../stack';
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
  const project = projectOf(directory);
  const plan = project && planOf(directory, project, run);
  if (plan === undefined) return () => undefined;
  return (violation) => {
    const at = findingAt(plan, violation)?.at;
    return at === undefined ? undefined : `${at.file}:${at.start.line}:${at.start.column}`;
  };
}

function projectOf(directory: string): Project | undefined {
  const content = readTextFile(resolve(directory, 'Pulumi.yaml'));
  if ('problem' in content) return undefined;
  const { root } = readYaml(sourceFile('Pulumi.yaml', content.text));
  return root?.form === 'map' ? projectIn(root) : undefined;
}

function planOf(
  directory: string,
  { files, catalogue }: Project,
  { project, stack, config, secrets }: Run,
): StackPlan | undefined {
  if (files === undefined) return undefined;
  const prefix = `${project}:`;
  const own = (key: string): string | undefined => (key.startsWith(prefix) ? key.slice(prefix.length) : undefined);
  const values = [...config].flatMap(([key, value]) =>
    own(key) === undefined ? [] : [[own(key) as string, value] as const],
  );
  const saved = namedCatalogue(catalogue, directory);
  const overlay = config.get('oneops:overlay');
  const loaded = loadStack({
    ...{ files, directory, project, stack, catalogue: 'off', config: Object.fromEntries(values) },
    secretConfig: new Set(secrets.flatMap((key) => own(key) ?? [])),
    ...('problem' in saved ? {} : saved),
    ...(overlay === undefined ? {} : { overlay }),
  });
  return 'plan' in loaded ? loaded.plan : undefined;
}
