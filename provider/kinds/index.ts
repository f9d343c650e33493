// The list of kinds. Adding one is a file or a folder next to this, and a line here.
import { argumentFor, fieldOf, type Kind, namesBeside, scopesOf } from '../kind';
import { settledNames } from './settled';
import { oncePer } from '../values/plain';
import { assembly } from './assembly';
import { attachment } from './attachment';
import { cloud } from './cloud';
import { cloudConfiguration } from './environment/cloud-configuration';
import { cloudService } from './cloud-service';
import { component } from './component';
import { deployment } from './environment/deployment';
import { designRelease } from './design-release';
import { environmentAttachment } from './environment/environment-attachment';
import { environmentComponent } from './environment/environment-component';
import { environmentPlatform } from './environment/environment-platform';
import { environment } from './environment/kind';
import { instanceReplacement } from './environment/instance-replacement';
import { monitor } from './monitor';
import { platform } from './platform';
import { procedure } from './environment/procedure';
import { relay } from './environment/relay';
import { team } from './team';
import { variable } from './variable';

export { isActivePrimary, type DecidingValues } from './environment/cloud-links';
export { moveDeployment } from '../commit/commit-environment';
export { addressToCome, failedChecks, notRun } from '../deploy/checks';
export { deploymentProgress, type WorkOrder } from '../deploy/follow';
export { addressesOf } from '../deploy/running';
export { instancesAt } from '../verbs/named-component';
export { unfinishedText } from './environment/deployment';
export { failedActions, isRunning, newProcedure, procedureLine, runnableOn } from './environment/procedure';
export { scaleIn } from './environment/scaling';
export {
  assembly,
  attachment,
  cloudConfiguration,
  component,
  deployment,
  environment,
  environmentAttachment,
  environmentComponent,
  environmentPlatform,
  monitor,
  platform,
  team,
};

/** Every kind, parents first. */
export const kinds: readonly Kind[] = [
  assembly,
  platform,
  component,
  attachment,
  monitor,
  variable,
  designRelease,
  environment,
  environmentPlatform,
  cloudConfiguration,
  environmentComponent,
  environmentAttachment,
  relay,
  deployment,
  cloud,
  cloudService,
  procedure,
  instanceReplacement,
  team,
];

export const kindOf = (token: string): Kind | undefined => kinds.find((of) => of.token === token);

// Which kinds a stack file declares, and which of their arguments have keys of their own there.

/** The kind that a stack file declares at `platforms.*.components.*`. Throws for another path. */
export function kindInFile(path: string): Kind {
  const of = kinds.find(({ inFile }) => inFile?.path === path);
  if (of === undefined) throw new TypeError(`no kind is declared at ${path} of a stack file`);
  return of;
}

/** Names of the arguments that a stack file gives under their own keys. */
export const argumentsInFile: (of: Kind) => readonly string[] = oncePer((of) => {
  const apart = [...(of.inFile?.apart ?? []), ...settledNames(of)];
  return Object.keys(of.fields).filter((name) => !apart.includes(name) && !isFilledIn(of, name));
});

/** Arguments that nobody writes: what must be done again when something else changed. */
function isFilledIn(of: Kind, name: string): boolean {
  if (of.inFile?.given?.includes(name)) return false;
  const field = fieldOf(of, name);
  return field?.channel === 'control' && !field.quiet;
}

/** Paths of keys that lead to records of a kind, for each of its scopes. */
export function placesInFile(of: Kind): readonly string[] {
  const { inFile } = of;
  if (inFile === undefined) return [];
  const [first, ...below] = scopesOf(of);
  const parent = `${first?.within?.inFile?.path ?? ''}.`;
  const own = inFile.path.startsWith(parent) ? inFile.path.slice(parent.length) : inFile.path;
  return [inFile.path, ...below.map((scope) => `${parentPath(scope)}.${own}`)];
}

/** Keys that lead to the record that contains a scope's records. */
const parentPath = (of: Kind): string => {
  const beside = namesBeside(of).flatMap(
    (name) => kinds.find((each) => argumentFor(each) === name)?.inFile?.path ?? [],
  );
  return [of.within?.inFile?.path ?? '', ...beside.slice(-1)].join('.');
};
