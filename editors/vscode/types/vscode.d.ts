// The used part of the module `vscode`, which the editor provides and no package has.
declare module 'vscode' {
  export interface Disposable {
    dispose(): unknown;
  }
  export interface Uri {
    readonly fsPath: string;
  }
  export interface ExtensionContext {
    readonly subscriptions: Disposable[];
  }
  export interface ConfigurationChange {
    affectsConfiguration(section: string): boolean;
  }
  export const workspace: {
    readonly workspaceFolders: readonly { readonly uri: Uri }[] | undefined;
    getConfiguration(section: string): { get(key: string): string | undefined };
    onDidChangeConfiguration(listener: (change: ConfigurationChange) => unknown): Disposable;
  };
  export const window: {
    showErrorMessage(message: string): Promise<string | undefined>;
  };
  export const commands: {
    registerCommand(command: string, action: () => unknown): Disposable;
  };
}
