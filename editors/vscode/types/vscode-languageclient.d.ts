// The used part of vscode-languageclient, which the extension's own package.json installs.
declare module 'vscode-languageclient/node' {
  export enum TransportKind {
    stdio = 0,
  }
  export interface ServerModule {
    readonly module: string;
    readonly args: readonly string[];
    readonly transport: TransportKind;
  }
  export interface ServerCommand {
    readonly command: string;
    readonly args: readonly string[];
    readonly transport: TransportKind;
    readonly options?: { readonly shell: boolean };
  }
  export class LanguageClient {
    constructor(
      id: string,
      name: string,
      server: ServerModule | ServerCommand,
      options: { readonly documentSelector: readonly { readonly scheme: string; readonly language: string }[] },
    );
    start(): Promise<void>;
    stop(): Promise<void>;
  }
}
