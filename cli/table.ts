// The commands of pulumi-oneops, by name.
import { innermost, type Command, type CommandEntry } from './command';

/** What each command does, in the order of the help. */
const SUMMARIES = {
  serve: 'run the embedded service',
  init: 'write a project with a stack file',
  demo: 'show a web shop from up to a drift review, on the embedded service',
  test: 'bring a stack up on the embedded service, and compare it with tests/*.yaml',
  rehearse: 'make the next run of a stack on a copy of what the service has',
  setup: "install the language host and the resource plugin into Pulumi's plugin cache",
  check: 'report everything that is wrong with a stack file',
  explain: 'explain a code of a finding, with examples',
  fmt: 'write stack files in one layout',
  render: 'print a stack file with includes, templates, loops and overlays resolved',
  affected: 'list the stacks that differ from an earlier commit',
  convert: 'turn a Boo template or a design export into a stack file',
  graph: 'show what depends on what in a stack, and what runs where',
  schema: 'print the JSON Schema of stack files, for editors',
  lsp: 'serve an editor: findings, definitions, corrections',
  packs: 'list the packs of the packaged catalogue, their templates and attributes',
  policies: 'list the rules that a policy file can choose',
  'preview-comment': 'turn a preview into a comment for a pull request',
  plan: 'show a saved plan, name it by its digest, and verify its start before it is applied',
  'import-file': 'write the file with which pulumi import takes records over',
  export: 'write the shortest stack file that says what the service has',
  discard: 'show uncommitted changes, and discard them',
  status: 'show what is deployed, what waits, and what runs',
  instances: 'list what runs, with addresses and health',
  deployment: 'list, show and follow deployments; retry, resume, pause, approve, reject, cancel',
  logs: 'print what was logged of a deployment or a procedure',
  run: 'run an action of a component on its instances',
  history: 'list the releases of a design or an environment',
  completion: 'print a script that completes commands and options in a shell',
  capabilities: 'print commands, options, exit codes and schemas for programs',
  doctor: 'check that a run has everything it needs',
  drift: 'report what changed in the service without the stack, and who changed it',
};

/** Where the code of each is: it is loaded when the command runs. */
const LOADERS: { readonly [name in keyof typeof SUMMARIES]: CommandEntry['load'] } = {
  serve: async () => (await import('./commands/tool/serve.js')).command,
  init: async () => (await import('./commands/files/init.js')).command,
  demo: async () => (await import('./commands/tool/demo.js')).command,
  test: async () => (await import('./commands/tool/test.js')).command,
  rehearse: async () => (await import('./commands/tool/rehearse.js')).command,
  setup: async () => (await import('./commands/tool/setup.js')).command,
  check: async () => (await import('./commands/files/check.js')).command,
  explain: async () => (await import('./commands/files/explain.js')).command,
  fmt: async () => (await import('./commands/files/fmt.js')).command,
  render: async () => (await import('./commands/files/render.js')).command,
  affected: async () => (await import('./commands/files/affected.js')).command,
  convert: async () => (await import('./commands/files/convert.js')).command,
  graph: async () => (await import('./commands/files/graph.js')).command,
  schema: async () => (await import('./commands/files/schema.js')).command,
  lsp: async () => (await import('./commands/files/lsp.js')).command,
  packs: async () => (await import('./commands/records/packs.js')).command,
  policies: async () => (await import('./commands/tool/policies.js')).command,
  'preview-comment': async () => (await import('./commands/plan/preview-comment.js')).command,
  plan: async () => (await import('./commands/plan/plan.js')).command,
  'import-file': async () => (await import('./commands/records/import-file.js')).command,
  export: async () => (await import('./commands/records/export.js')).command,
  discard: async () => (await import('./commands/records/discard.js')).command,
  status: async () => (await import('./commands/operate/status.js')).command,
  instances: async () => (await import('./commands/operate/instances.js')).command,
  deployment: async () => (await import('./commands/operate/deployment.js')).command,
  logs: async () => (await import('./commands/operate/logs.js')).command,
  run: async () => (await import('./commands/operate/run.js')).command,
  history: async () => (await import('./commands/operate/history.js')).command,
  completion: async () => (await import('./commands/tool/completion.js')).command,
  capabilities: async () => (await import('./commands/tool/capabilities.js')).command,
  doctor: async () => (await import('./commands/records/doctor.js')).command,
  drift: async () => (await import('./commands/drift/drift.js')).command,
};

export const COMMANDS: readonly CommandEntry[] = (Object.keys(SUMMARIES) as (keyof typeof SUMMARIES)[]).map((name) => ({
  name,
  summary: SUMMARIES[name],
  load: LOADERS[name],
}));

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
