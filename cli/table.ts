// The commands of pulumi-oneops, by name.
import { entry, innermost, type Command, type CommandEntry } from './command';

export const COMMANDS: readonly CommandEntry[] = [
  entry('serve', 'run the embedded service', async () => (await import('./commands/tool/serve.js')).command),
  entry('init', 'write a project with a stack file', async () => (await import('./commands/files/init.js')).command),
  entry(
    'demo',
    'show a web shop from up to a drift review, on the embedded service',
    async () => (await import('./commands/tool/demo.js')).command,
  ),
  entry(
    'test',
    'bring a stack up on the embedded service, and compare it with tests/*.yaml',
    async () => (await import('./commands/tool/test.js')).command,
  ),
  entry(
    'rehearse',
    'make the next run of a stack on a copy of what the service has',
    async () => (await import('./commands/tool/rehearse.js')).command,
  ),
  entry(
    'setup',
    "install the language host and the resource plugin into Pulumi's plugin cache",
    async () => (await import('./commands/tool/setup.js')).command,
  ),
  entry(
    'check',
    'report everything that is wrong with a stack file',
    async () => (await import('./commands/files/check.js')).command,
  ),
  entry(
    'explain',
    'explain a code of a finding, with examples',
    async () => (await import('./commands/files/explain.js')).command,
  ),
  entry('fmt', 'write stack files in one layout', async () => (await import('./commands/files/fmt.js')).command),
  entry(
    'render',
    'print a stack file with includes, templates, loops and overlays resolved',
    async () => (await import('./commands/files/render.js')).command,
  ),
  entry(
    'affected',
    'list the stacks that differ from an earlier commit',
    async () => (await import('./commands/files/affected.js')).command,
  ),
  entry(
    'convert',
    'turn a Boo template or a design export into a stack file',
    async () => (await import('./commands/files/convert.js')).command,
  ),
  entry(
    'graph',
    'show what depends on what in a stack, and what runs where',
    async () => (await import('./commands/files/graph.js')).command,
  ),
  entry(
    'schema',
    'print the JSON Schema of stack files, for editors',
    async () => (await import('./commands/files/schema.js')).command,
  ),
  entry(
    'lsp',
    'serve an editor: findings, definitions, corrections',
    async () => (await import('./commands/files/lsp.js')).command,
  ),
  entry(
    'packs',
    'list the packs of the packaged catalogue, their templates and attributes',
    async () => (await import('./commands/records/packs.js')).command,
  ),
  entry(
    'policies',
    'list the rules that a policy file can choose',
    async () => (await import('./commands/tool/policies.js')).command,
  ),
  entry(
    'preview-comment',
    'turn a preview into a comment for a pull request',
    async () => (await import('./commands/plan/preview-comment.js')).command,
  ),
  entry(
    'plan',
    'show a saved plan, name it by its digest, and verify its start before it is applied',
    async () => (await import('./commands/plan/plan.js')).command,
  ),
  entry(
    'import-file',
    'write the file with which pulumi import takes records over',
    async () => (await import('./commands/records/import-file.js')).command,
  ),
  entry(
    'export',
    'write the shortest stack file that says what the service has',
    async () => (await import('./commands/records/export.js')).command,
  ),
  entry(
    'discard',
    'show uncommitted changes, and discard them',
    async () => (await import('./commands/records/discard.js')).command,
  ),
  entry(
    'status',
    'show what is deployed, what waits, and what runs',
    async () => (await import('./commands/operate/status.js')).command,
  ),
  entry(
    'instances',
    'list what runs, with addresses and health',
    async () => (await import('./commands/operate/instances.js')).command,
  ),
  entry(
    'deployment',
    'list, show and follow deployments; retry, resume, pause, approve, cancel',
    async () => (await import('./commands/operate/deployment.js')).command,
  ),
  entry(
    'logs',
    'print what was logged of a deployment or a procedure',
    async () => (await import('./commands/operate/logs.js')).command,
  ),
  entry(
    'run',
    'run an action of a component on its instances',
    async () => (await import('./commands/operate/run.js')).command,
  ),
  entry(
    'history',
    'list the releases of a design or an environment',
    async () => (await import('./commands/operate/history.js')).command,
  ),
  entry(
    'completion',
    'print a script that completes commands and options in a shell',
    async () => (await import('./commands/tool/completion.js')).command,
  ),
  entry(
    'capabilities',
    'print commands, options, exit codes and schemas for programs',
    async () => (await import('./commands/tool/capabilities.js')).command,
  ),
  entry(
    'doctor',
    'check that a run has everything it needs',
    async () => (await import('./commands/records/doctor.js')).command,
  ),
  entry(
    'drift',
    'report what changed in the service without the stack, and who changed it',
    async () => (await import('./commands/drift/drift.js')).command,
  ),
];

/** A command, or one of a group, with its path: `['drift', 'accept']`. */
interface ListedCommand {
  readonly path: readonly string[];
  readonly summary: string;
  readonly command: Command;
}

/** Every command, each followed by those of its group. */
export async function allCommands(): Promise<readonly ListedCommand[]> {
  const all = await Promise.all(
    COMMANDS.map(async (entry): Promise<readonly ListedCommand[]> => {
      const { command, path } = await innermost(entry, []);
      const inner = (command.commands ?? []).map(async ({ name, summary }) => {
        const own = await innermost(entry, [name]);
        return { path: own.path, summary, command: own.command };
      });
      return [{ path, summary: entry.summary, command }, ...(await Promise.all(inner))];
    }),
  );
  return all.flat();
}
