// The commands of pulumi-oneops, by name.
// It must not know what any command does.
import type { CommandEntry } from './command';

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'run the embedded service',
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  {
    name: 'init',
    summary: 'write a project with a stack file',
    load: async () => (await import('./commands/init.js')).initCommand,
  },
  {
    name: 'demo',
    summary: 'show a web shop from up to a drift review, on the embedded service',
    load: async () => (await import('./commands/demo.js')).demoCommand,
  },
  {
    name: 'setup',
    summary: "install the language host and the resource plugin into Pulumi's plugin cache",
    load: async () => (await import('./commands/setup.js')).setupCommand,
  },
  {
    name: 'check',
    summary: 'report everything that is wrong with a stack file',
    load: async () => (await import('./commands/check.js')).checkCommand,
  },
  {
    name: 'explain',
    summary: 'explain a code of a finding, with examples',
    load: async () => (await import('./commands/explain.js')).explainCommand,
  },
  {
    name: 'fmt',
    summary: 'write stack files in one layout',
    load: async () => (await import('./commands/fmt.js')).fmtCommand,
  },
  {
    name: 'render',
    summary: 'print a stack file with includes, templates, loops and overlays resolved',
    load: async () => (await import('./commands/render.js')).renderCommand,
  },
  {
    name: 'convert',
    summary: 'turn a Boo template or a design export into a stack file',
    load: async () => (await import('./commands/convert.js')).convertCommand,
  },
  {
    name: 'graph',
    summary: 'show what depends on what in a stack, and what runs where',
    load: async () => (await import('./commands/graph.js')).graphCommand,
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of stack files, for editors',
    load: async () => (await import('./commands/schema.js')).schemaCommand,
  },
  {
    name: 'lsp',
    summary: 'serve an editor: findings, definitions, renames, rendered values',
    load: async () => (await import('./commands/lsp.js')).lspCommand,
  },
  {
    name: 'packs',
    summary: 'list the packs of the packaged catalogue, their templates and attributes',
    load: async () => (await import('./commands/packs.js')).packsCommand,
  },
  {
    name: 'policies',
    summary: 'list the rules that a policy file can choose',
    load: async () => (await import('./commands/policies.js')).policiesCommand,
  },
  {
    name: 'preview-comment',
    summary: 'turn a preview into a comment for a pull request',
    load: async () => (await import('./commands/preview-comment.js')).previewCommentCommand,
  },
  {
    name: 'plan',
    summary: 'show a saved plan, name it by its digest, and verify its start before it is applied',
    load: async () => (await import('./commands/plan.js')).planCommand,
  },
  {
    name: 'import-file',
    summary: 'write the file with which pulumi import takes records over',
    load: async () => (await import('./commands/import-file.js')).importFileCommand,
  },
  {
    name: 'export',
    summary: 'write the shortest stack file that says what the service has',
    load: async () => (await import('./commands/export.js')).exportCommand,
  },
  {
    name: 'discard',
    summary: 'show uncommitted changes, and discard them',
    load: async () => (await import('./commands/discard.js')).discardCommand,
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands and options in a shell',
    load: async () => (await import('./commands/completion.js')).completionCommand,
  },
  {
    name: 'doctor',
    summary: 'check that a run has everything it needs',
    load: async () => (await import('./commands/doctor.js')).doctorCommand,
  },
  {
    name: 'drift',
    summary: 'report what changed in the service without the stack, and who changed it',
    load: async () => (await import('./commands/drift.js')).driftCommand,
  },
];
