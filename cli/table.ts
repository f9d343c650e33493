// The commands of pulumi-oneops, by name.
// It must not know what any command does.
import type { CommandEntry } from './command';

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'run the embedded API service',
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  {
    name: 'check',
    summary: 'tell everything wrong with a stack file',
    load: async () => (await import('./commands/check.js')).checkCommand,
  },
  {
    name: 'packs',
    summary: 'list the packs of the packaged catalogue, their templates and attributes',
    load: async () => (await import('./commands/packs.js')).packsCommand,
  },
  {
    name: 'preview-comment',
    summary: 'turn a preview into a comment for a pull request',
    load: async () => (await import('./commands/preview-comment.js')).previewCommentCommand,
  },
  {
    name: 'import-file',
    summary: 'write the file that takes records over into a stack',
    load: async () => (await import('./commands/import-file.js')).importFileCommand,
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands and options in a shell',
    load: async () => (await import('./commands/completion.js')).completionCommand,
  },
  {
    name: 'doctor',
    summary: 'look whether everything a run needs is there',
    load: async () => (await import('./commands/doctor.js')).doctorCommand,
  },
  {
    name: 'drift',
    summary: 'tell what changed behind the stack, who did it, and where it stands in the file',
    load: async () => (await import('./commands/drift.js')).driftCommand,
  },
];
