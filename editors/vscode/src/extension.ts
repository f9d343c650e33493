// The extension for Visual Studio Code: it starts `pulumi-oneops lsp` for YAML files.
import { existsSync } from 'node:fs';
import { commands, window, workspace, type ExtensionContext } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { serverCommand } from './server-command';

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
  const settings = workspace.getConfiguration('oneops');
  const [path, stack, overlay, catalogue] = ['path', 'stack', 'overlay', 'catalogue'].map(
    (key) => settings.get(key) ?? '',
  );
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const server = serverCommand(
    { path: path ?? '', stack: stack ?? '', overlay: overlay ?? '', catalogue: catalogue ?? '' },
    folders,
    existsSync,
  );
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
