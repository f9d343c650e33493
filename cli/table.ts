// The commands of pulumi-oneops, by name.
import { entry, innermost, type Command, type CommandEntry } from './command';

export const COMMANDS: readonly CommandEntry[] = [
  entry('serve', 'run the embedded service', () => import('./commands/tool/serve.js')),
  entry('init', 'write a project with a stack file', () => import('./commands/files/init.js')),
  entry(
    'demo',
    'show a web shop from up to a drift review, on the embedded service',
    () => import('./commands/tool/demo.js'),
  ),
  entry(
    'test',
    'bring a stack up on the embedded service, and compare it with tests/*.yaml',
    () => import('./commands/tool/test.js'),
  ),
  entry(
    'rehearse',
    'make the next run of a stack on a copy of what the service has',
    () => import('./commands/tool/rehearse.js'),
  ),
  entry(
    'setup',
    "install the language host and the resource plugin into Pulumi's plugin cache",
    () => import('./commands/tool/setup.js'),
  ),
  entry('check', 'report everything that is wrong with a stack file', () => import('./commands/files/check.js')),
  entry('explain', 'explain a code of a finding, with examples', () => import('./commands/files/explain.js')),
  entry('fmt', 'write stack files in one layout', () => import('./commands/files/fmt.js')),
  entry(
    'render',
    'print a stack file with includes, templates, loops and overlays resolved',
    () => import('./commands/files/render.js'),
  ),
  entry('affected', 'list the stacks that differ from an earlier commit', () => import('./commands/files/affected.js')),
  entry(
    'convert',
    'turn a Boo template or a design export into a stack file',
    () => import('./commands/files/convert.js'),
  ),
  entry(
    'graph',
    'show what depends on what in a stack, and what runs where',
    () => import('./commands/files/graph.js'),
  ),
  entry('schema', 'print the JSON Schema of stack files, for editors', () => import('./commands/files/schema.js')),
  entry('lsp', 'serve an editor: findings, definitions, corrections', () => import('./commands/files/lsp.js')),
  entry(
    'packs',
    'list the packs of the packaged catalogue, their templates and attributes',
    () => import('./commands/records/packs.js'),
  ),
  entry('policies', 'list the rules that a policy file can choose', () => import('./commands/tool/policies.js')),
  entry(
    'preview-comment',
    'turn a preview into a comment for a pull request',
    () => import('./commands/plan/preview-comment.js'),
  ),
  entry(
    'plan',
    'show a saved plan, name it by its digest, and verify its start before it is applied',
    () => import('./commands/plan/plan.js'),
  ),
  entry(
    'import-file',
    'write the file with which pulumi import takes records over',
    () => import('./commands/records/import-file.js'),
  ),
  entry(
    'export',
    'write the shortest stack file that says what the service has',
    () => import('./commands/records/export.js'),
  ),
  entry('discard', 'show uncommitted changes, and discard them', () => import('./commands/records/discard.js')),
  entry('status', 'show what is deployed, what waits, and what runs', () => import('./commands/operate/status.js')),
  entry('instances', 'list what runs, with addresses and health', () => import('./commands/operate/instances.js')),
  entry(
    'deployment',
    'list, show and follow deployments; retry, resume, pause, approve, cancel',
    () => import('./commands/operate/deployment.js'),
  ),
  entry('logs', 'print what was logged of a deployment or a procedure', () => import('./commands/operate/logs.js')),
  entry('run', 'run an action of a component on its instances', () => import('./commands/operate/run.js')),
  entry('history', 'list the releases of a design or an environment', () => import('./commands/operate/history.js')),
  entry(
    'completion',
    'print a script that completes commands and options in a shell',
    () => import('./commands/tool/completion.js'),
  ),
  entry(
    'capabilities',
    'print commands, options, exit codes and schemas for programs',
    () => import('./commands/tool/capabilities.js'),
  ),
  entry('doctor', 'check that a run has everything it needs', () => import('./commands/records/doctor.js')),
  entry(
    'drift',
    'report what changed in the service without the stack, and who changed it',
    () => import('./commands/drift/drift.js'),
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
