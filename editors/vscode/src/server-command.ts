// How the language server is started in a workspace.
import { join } from 'node:path';
import { TransportKind, type ServerCommand, type ServerModule } from 'vscode-languageclient/node';

/** The settings of the extension; empty where nothing is set. */
interface ServerSettings {
  readonly path: string;
  readonly stack: string;
  readonly overlay: string;
  readonly catalogue: string;
}

const SCRIPT = join('node_modules', 'pulumi-oneops', 'bin', 'pulumi-oneops');

/** The command of the settings, of the package in a workspace folder, or of PATH. */
export function serverCommand(
  { path, ...choice }: ServerSettings,
  folders: readonly string[],
  exists: (file: string) => boolean,
): ServerModule | ServerCommand {
  const options = Object.entries(choice).flatMap(([name, value]) => (value === '' ? [] : [`--${name}`, value]));
  const args = ['lsp', ...options];
  const module = path === '' ? folders.map((folder) => join(folder, SCRIPT)).find(exists) : undefined;
  if (module !== undefined) return { module, args, transport: TransportKind.stdio };
  const command = path === '' ? 'pulumi-oneops' : path;
  // npm installs commands as scripts of the shell on Windows.
  return { command, args, transport: TransportKind.stdio, options: { shell: process.platform === 'win32' } };
}
