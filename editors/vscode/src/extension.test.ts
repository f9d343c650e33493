// The extension, built as for the editor and loaded with modules in place of the editor's and the client's; and what its package says of both.
import { buildSync } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { ExtensionContext } from 'vscode';
import { command as lspCommand } from '../../../cli/commands/files/lsp';
import { eachFolder } from '../../../test/folder';

const FOLDER = join(__dirname, '..');

interface Manifest {
  readonly main: string;
  readonly dependencies: { readonly [name: string]: string };
  readonly contributes: {
    readonly yamlValidation: readonly { readonly fileMatch: string; readonly url: string }[];
    readonly configuration: { readonly properties: { readonly [name: string]: object } };
  };
}

const manifest = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as Manifest;

interface Editor {
  readonly settings: { [key: string]: string };
  readonly folders: readonly string[];
  readonly log: unknown[];
  fails?: boolean;
}

/** Builds the extension, and activates it. Returns what it gave the editor. */
async function activated(editor: Editor) {
  const { outputFiles } = buildSync({
    entryPoints: [join(FOLDER, 'src', 'extension.ts')],
    bundle: true,
    platform: 'node',
    target: 'node22',
    external: ['vscode', 'vscode-languageclient/node'],
    write: false,
  });
  const listeners: ((change: object) => unknown)[] = [];
  const registered = new Map<string, () => unknown>();
  const disposable = { dispose: () => undefined };
  const modules: { readonly [name: string]: unknown } = {
    vscode: {
      workspace: {
        workspaceFolders: editor.folders.map((fsPath) => ({ uri: { fsPath } })),
        getConfiguration: () => ({ get: (key: string) => editor.settings[key] }),
        onDidChangeConfiguration: (listener: (change: object) => unknown) => (listeners.push(listener), disposable),
      },
      window: { showErrorMessage: (message: string) => editor.log.push(message) },
      commands: {
        registerCommand: (name: string, action: () => unknown) => (registered.set(name, action), disposable),
      },
    },
    'vscode-languageclient/node': {
      TransportKind: { stdio: 0 },
      LanguageClient: class {
        readonly server: unknown;
        constructor(...[, , server]: readonly unknown[]) {
          this.server = server;
        }
        async start(): Promise<void> {
          editor.log.push(['start', this.server]);
          if (editor.fails) throw new Error('spawn ENOENT');
        }
        async stop(): Promise<void> {
          editor.log.push('stop');
        }
      },
    },
  };
  const module = { exports: {} as { activate(context: ExtensionContext): Promise<void> } };
  const load = compileFunction(outputFiles[0]?.text ?? '', ['module', 'exports', 'require']) as (
    ...of: readonly unknown[]
  ) => void;
  load(
    module,
    module.exports,
    (name: string): unknown => modules[name] ?? (createRequire(__filename)(name) as unknown),
  );
  const context: ExtensionContext = { subscriptions: [] };
  await module.exports.activate(context);
  return { context, listeners, registered };
}

const workspace = eachFolder();

test('the package of the workspace is started, and again when a setting changes or a person asks', async () => {
  const module = join(workspace.path, 'node_modules', 'pulumi-oneops', 'bin', 'pulumi-oneops');
  mkdirSync(dirname(module), { recursive: true });
  writeFileSync(module, '');
  const editor: Editor = { settings: { stack: 'dev' }, folders: ['/nowhere', workspace.path], log: [] };
  const { context, listeners, registered } = await activated(editor);
  expect(editor.log).toEqual([['start', { module, args: ['lsp', '--stack', 'dev'], transport: 0 }]]);
  editor.settings['stack'] = '';
  await listeners[0]?.({ affectsConfiguration: () => false });
  expect(editor.log).toHaveLength(1);
  await listeners[0]?.({ affectsConfiguration: (section: string) => section === 'oneops' });
  expect(editor.log.slice(1)).toEqual(['stop', ['start', { module, args: ['lsp'], transport: 0 }]]);
  await registered.get('oneops.restart')?.();
  expect(editor.log).toHaveLength(5);
  for (const each of context.subscriptions) await each.dispose();
  expect(editor.log.at(-1)).toBe('stop');
});

test.each([
  ['the command in PATH', {}, 'pulumi-oneops', ['lsp']],
  [
    'the command that is set',
    { path: '/opt/oneops', overlay: 'big', catalogue: 'warn' },
    '/opt/oneops',
    ['lsp', '--overlay', 'big', '--catalogue', 'warn'],
  ],
])('without the package, %s is started', async (_, settings, command, args) => {
  const editor: Editor = { settings, folders: [workspace.path], log: [] };
  await activated(editor);
  expect(editor.log).toEqual([['start', expect.objectContaining({ command, args })]]);
});

test('a server that cannot be started is one message, and can be tried again', async () => {
  const editor: Editor = { settings: {}, folders: [], log: [], fails: true };
  const { registered } = await activated(editor);
  expect(editor.log[1]).toMatch(/^The language server pulumi-oneops cannot be started: spawn ENOENT\. Install/);
  editor.fails = false;
  await registered.get('oneops.restart')?.();
  expect(editor.log).toHaveLength(3);
});

test('its settings are options of the command, its schema is built next to it, and its client is pinned', () => {
  const settings = Object.keys(manifest.contributes.configuration.properties).map((name) =>
    name.replace('oneops.', ''),
  );
  expect(settings).toEqual(['path', ...Object.keys(lspCommand.options ?? {}).filter((name) => name !== 'stdio')]);
  expect(manifest.contributes.yamlValidation).toEqual([{ fileMatch: 'oneops.yaml', url: './stack.schema.json' }]);
  expect(existsSync(join(FOLDER, '..', '..', 'schemas', 'stack.schema.json'))).toBe(true);
  expect(manifest.dependencies['vscode-languageclient']).toMatch(/^\d+\.\d+\.\d+$/);
});
