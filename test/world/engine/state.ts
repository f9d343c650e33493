// What the engine keeps of a project's resources, as it is in the state file.
import type { Project } from './project';

export interface StateResource {
  /** `Platform::web` */
  readonly key: string;
  readonly token: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: { readonly [argument: string]: unknown };
  readonly outputs: { readonly [name: string]: unknown };
}

interface Checkpoint {
  readonly checkpoint: {
    readonly latest: {
      readonly resources?: readonly (Omit<StateResource, 'key' | 'token' | 'name'> & { readonly urn: string })[];
      readonly pending_operations?: readonly { readonly type: string }[];
    };
  };
}

const latestOf = async (project: Project): Promise<Checkpoint['checkpoint']['latest']> =>
  (JSON.parse(await project.state()) as Checkpoint).checkpoint.latest;

/** Resources of ours, parents first. */
export async function stateOf(project: Project): Promise<readonly StateResource[]> {
  const { resources = [] } = await latestOf(project);
  return resources.flatMap(({ urn, id, inputs = {}, outputs = {} }) => {
    const [, token, name] = /oneops:(?:index:)?(\w+)::(.+)$/.exec(urn) ?? [];
    return token === undefined || name === undefined
      ? []
      : [{ key: `${token}::${name}`, token, name, id, inputs, outputs }];
  });
}

/** How many operations the engine began and never saw end. */
export async function pendingOperations(project: Project): Promise<number> {
  return (await latestOf(project)).pending_operations?.length ?? 0;
}
