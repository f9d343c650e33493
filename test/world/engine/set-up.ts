// `pulumi-oneops setup` in the home of a project: what its language host, plugin and converters come from, where Pulumi.yaml names no folder.
import type { Project } from './project';

/** Installs the plugins that were built. Rejects with what was printed when that fails. */
export async function setUp(project: Project): Promise<void> {
  const { code, output } = await project.oneops(['setup']);
  if (code !== 0) throw new Error(output);
}
