// The extension for Visual Studio Code: it starts `pulumi-oneops lsp` for YAML files.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commands, window, workspace, type ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind, type ServerCommand, type ServerModule } from 'vscode-languageclient/node';

/** Runs when the first YAML file is opened. Starts the server, again when a setting changes. */
export async function activate({ subscriptions }: ExtensionContext): Promise<void> {
  let running = await startedClient();
  let restarting = Promise.resolve();
  const restart = (): Promise<void> => {
    restarting = restarting.then(async () => {
      await running?.stop();
      running = await startedClient();
    });
    return restarting;
  };
  subscriptions.push(
    commands.registerCommand('oneops.restart', restart),
    workspace.onDidChangeConfiguration((change) => (change.affectsConfiguration('oneops') ? restart() : undefined)),
    { dispose: () => restarting.then(() => running?.stop()) },
  );
}

/** A client of a running server; undefined when it cannot be started, which is shown. */
async function startedClient(): Promise<LanguageClient | undefined> {
  const server = serverCommand();
  const documentSelector = [{ scheme: 'file', language: 'yaml' }];
  const client = new LanguageClient('oneops', 'OneOps stack files', server, { documentSelector });
  try {
    await client.start();
    return client;
  } catch (error) {
    const started = 'module' in server ? server.module : server.command;
    const reason = typeof error === 'object' && error && 'message' in error ? error.message : error;
    const advice = 'Install pulumi-oneops in the workspace, or set oneops.path.';
    void window.showErrorMessage(`The language server ${started} cannot be started: ${String(reason)}. ${advice}`);
    return undefined;
  }
}

const SCRIPT = join('node_modules', 'pulumi-oneops', 'bin', 'pulumi-oneops');

/** The command of the settings, of the package in a workspace folder, or of PATH. */
function serverCommand(): ServerModule | ServerCommand {
  const settings = workspace.getConfiguration('oneops');
  const set = (name: string): string => settings.get(name) ?? '';
  const args = [
    'lsp',
    ...['stack', 'overlay', 'catalogue'].flatMap((name) => (set(name) ? [`--${name}`, set(name)] : [])),
  ];
  const scripts = (workspace.workspaceFolders ?? []).map(({ uri }) => join(uri.fsPath, SCRIPT));
  const module = set('path') === '' ? scripts.find((file) => existsSync(file)) : undefined;
  if (module !== undefined) return { module, args, transport: TransportKind.stdio };
  // npm installs commands as scripts of the shell on Windows.
  const options = { shell: process.platform === 'win32' };
  return { command: set('path') || 'pulumi-oneops', args, transport: TransportKind.stdio, options };
}
