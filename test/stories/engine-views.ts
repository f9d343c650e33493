// What the engine does with views, which are rows below a resource that its plugin publishes. It shows why our plugin publishes none.
import { join } from 'node:path';
import { newProject, type Engine, type Project } from '../engine';

const programOf = (owner: string): string => `name: story
runtime: yaml
plugins: { providers: [{ name: views, path: ${join(__dirname, 'view-owner')} }] }
resources:
  first: { type: 'views:Other' }
  owner: ${owner}
`;

const OWNER = "{ type: 'views:Owner' }";
const MOVED = "{ type: 'views:Other', options: { aliases: [{ type: 'views:index:Owner' }] } }";
const DELETED_WITH = "{ type: 'views:Owner', options: { deletedWith: '${first}' } }";

/** Names of the views that a state contains. */
const viewsIn = async (project: Project): Promise<readonly string[]> =>
  [...(await project.state()).matchAll(/"urn": ?"[^"]*views:index:View::(\w+)"/g)].map(([, name = '']) => name);

/** What was seen of views; each word is the engine's. */
interface Seen {
  /** What a refresh says it did with views, and the views that the state contains then. */
  readonly refreshed: { readonly said: string | undefined; readonly kept: readonly string[] };
  /** What a destroy fails with after the owner got another type, which an alias made unchanged. */
  readonly destroyedAfterMove: string | undefined;
  /** What a destroy fails with when the owner's record is deleted with another one. */
  readonly destroyedWithAnother: string | undefined;
}

const integrityFailure = ({ code, output }: { readonly code: number; readonly output: string }): string | undefined =>
  code === 0 ? undefined : /snapshot integrity failure; it was already written, but is invalid/.exec(output)?.[0];

/** Publishes views on the engine and looks at what becomes of them. */
export async function seenOfViews(engine: Engine): Promise<Seen> {
  const projects: Project[] = [];
  const brought = async (owner: string): Promise<Project> => {
    const project = await newProject({ engine, files: { 'Pulumi.yaml': programOf(owner) } });
    projects.push(project);
    const { code, output } = await project.run('up', '--skip-preview');
    if (code !== 0 || (await viewsIn(project)).join() !== 'one') throw new Error(`there is no view:\n${output}`);
    return project;
  };
  try {
    const first = await brought(OWNER);
    const refresh = await first.run('refresh', '--skip-preview');
    const [, said] = /views:index:View two (created|updated|deleted)/.exec(refresh.output) ?? [];
    const kept = await viewsIn(first);
    await first.write('Pulumi.yaml', programOf(MOVED));
    await first.run('up', '--skip-preview', '--expect-no-changes');
    const second = await brought(DELETED_WITH);
    return {
      refreshed: { said, kept },
      destroyedAfterMove: integrityFailure(await first.run('destroy', '--skip-preview')),
      destroyedWithAnother: integrityFailure(await second.run('destroy', '--skip-preview')),
    };
  } finally {
    await Promise.all(projects.map((project) => project.remove()));
  }
}
