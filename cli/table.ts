// The commands of pulumi-oneops, by name.
import { innermost, type Command, type CommandEntry } from './command';

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'run the embedded service',
    load: async () => (await import('./commands/tool/serve.js')).serveCommand,
  },
  {
    name: 'init',
    summary: 'write a project with a stack file',
    load: async () => (await import('./commands/files/init.js')).initCommand,
  },
  {
    name: 'demo',
    summary: 'show a web shop from up to a drift review, on the embedded service',
    load: async () => (await import('./commands/tool/demo.js')).demoCommand,
  },
  {
    name: 'test',
    summary: 'bring a stack up on the embedded service, and compare it with tests/*.yaml',
    load: async () => (await import('./commands/tool/test.js')).testCommand,
  },
  {
    name: 'rehearse',
    summary: 'make the next run of a stack on a copy of what the service has',
    load: async () => (await import('./commands/tool/rehearse.js')).rehearseCommand,
  },
  {
    name: 'setup',
    summary: "install the language host and the resource plugin into Pulumi's plugin cache",
    load: async () => (await import('./commands/tool/setup.js')).setupCommand,
  },
  {
    name: 'check',
    summary: 'report everything that is wrong with a stack file',
    load: async () => (await import('./commands/files/check.js')).checkCommand,
  },
  {
    name: 'explain',
    summary: 'explain a code of a finding, with examples',
    load: async () => (await import('./commands/files/explain.js')).explainCommand,
  },
  {
    name: 'fmt',
    summary: 'write stack files in one layout',
    load: async () => (await import('./commands/files/fmt.js')).fmtCommand,
  },
  {
    name: 'render',
    summary: 'print a stack file with includes, templates, loops and overlays resolved',
    load: async () => (await import('./commands/files/render.js')).renderCommand,
  },
  {
    name: 'affected',
    summary: 'list the stacks that differ from an earlier commit',
    load: async () => (await import('./commands/files/affected.js')).affectedCommand,
  },
  {
    name: 'convert',
    summary: 'turn a Boo template or a design export into a stack file',
    load: async () => (await import('./commands/files/convert.js')).convertCommand,
  },
  {
    name: 'graph',
    summary: 'show what depends on what in a stack, and what runs where',
    load: async () => (await import('./commands/files/graph.js')).graphCommand,
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of stack files, for editors',
    load: async () => (await import('./commands/files/schema.js')).schemaCommand,
  },
  {
    name: 'lsp',
    summary: 'serve an editor: findings, definitions, corrections',
    load: async () => (await import('./commands/files/lsp.js')).lspCommand,
  },
  {
    name: 'packs',
    summary: 'list the packs of the packaged catalogue, their templates and attributes',
    load: async () => (await import('./commands/records/packs.js')).packsCommand,
  },
  {
    name: 'policies',
    summary: 'list the rules that a policy file can choose',
    load: async () => (await import('./commands/tool/policies.js')).policiesCommand,
  },
  {
    name: 'preview-comment',
    summary: 'turn a preview into a comment for a pull request',
    load: async () => (await import('./commands/plan/preview-comment.js')).previewCommentCommand,
  },
  {
    name: 'plan',
    summary: 'show a saved plan, name it by its digest, and verify its start before it is applied',
    load: async () => (await import('./commands/plan/plan.js')).planCommand,
  },
  {
    name: 'import-file',
    summary: 'write the file with which pulumi import takes records over',
    load: async () => (await import('./commands/records/import-file.js')).importFileCommand,
  },
  {
    name: 'export',
    summary: 'write the shortest stack file that says what the service has',
    load: async () => (await import('./commands/records/export.js')).exportCommand,
  },
  {
    name: 'discard',
    summary: 'show uncommitted changes, and discard them',
    load: async () => (await import('./commands/records/discard.js')).discardCommand,
  },
  {
    name: 'status',
    summary: 'show what is deployed, what waits, and what runs',
    load: async () => (await import('./commands/operate/status.js')).statusCommand,
  },
  {
    name: 'instances',
    summary: 'list what runs, with addresses and health',
    load: async () => (await import('./commands/operate/instances.js')).instancesCommand,
  },
  {
    name: 'deployment',
    summary: 'list, show and follow deployments; retry, resume, pause, approve, cancel',
    load: async () => (await import('./commands/operate/deployment.js')).deploymentCommand,
  },
  {
    name: 'logs',
    summary: 'print what was logged of a deployment or a procedure',
    load: async () => (await import('./commands/operate/logs.js')).logsCommand,
  },
  {
    name: 'run',
    summary: 'run an action of a component on its instances',
    load: async () => (await import('./commands/operate/run.js')).runCommand,
  },
  {
    name: 'history',
    summary: 'list the releases of a design or an environment',
    load: async () => (await import('./commands/operate/history.js')).historyCommand,
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands and options in a shell',
    load: async () => (await import('./commands/tool/completion.js')).completionCommand,
  },
  {
    name: 'capabilities',
    summary: 'print commands, options, exit codes and schemas for programs',
    load: async () => (await import('./commands/tool/capabilities.js')).capabilitiesCommand,
  },
  {
    name: 'doctor',
    summary: 'check that a run has everything it needs',
    load: async () => (await import('./commands/records/doctor.js')).doctorCommand,
  },
  {
    name: 'drift',
    summary: 'report what changed in the service without the stack, and who changed it',
    load: async () => (await import('./commands/drift/drift.js')).driftCommand,
  },
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
