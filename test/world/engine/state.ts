// What the engine keeps of a project's resources, as it is in the state file.
import { keyOfUrn } from './program';
import type { Project } from './project';

interface EngineResource {
  readonly urn: string;
  readonly id: string;
  readonly inputs: { readonly [argument: string]: unknown };
  readonly outputs: { readonly [name: string]: unknown };
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
}

export interface StateResource extends EngineResource {
  /** `Platform::web` */
  readonly key: string;
  readonly token: string;
  readonly name: string;
}

interface Checkpoint {
  readonly checkpoint: {
    readonly latest?: {
      readonly resources?: readonly EngineResource[];
      readonly pending_operations?: readonly { readonly type: string }[];
    };
  };
}

const latestOf = async (project: Project): Promise<Checkpoint['checkpoint']['latest']> =>
  (JSON.parse(await project.state()) as Checkpoint).checkpoint.latest;

/** Resources of ours, parents first. */
export async function stateOf(project: Project): Promise<readonly StateResource[]> {
  const { resources = [] } = (await latestOf(project)) ?? {};
  return resources.flatMap(({ inputs = {}, outputs = {}, ...resource }) => {
    const key = keyOfUrn(resource.urn);
    if (key === undefined) return [];
    const [, token = '', name = ''] = /^(\w+)::(.+)$/.exec(key) ?? [];
    return [{ ...resource, key, token, name, inputs, outputs }];
  });
}

/** How many operations the engine began and never saw end. */
export async function pendingOperations(project: Project): Promise<number> {
  return (await latestOf(project))?.pending_operations?.length ?? 0;
}
