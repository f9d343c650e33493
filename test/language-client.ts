// An editor as far as tests need one: starts a language server over stdio, opens documents, asks, and waits for findings.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type Diagnostic,
  type InitializeResult,
  type Position,
  type PublishDiagnosticsParams,
  type RegistrationParams,
} from 'vscode-languageserver/node';

const ROOT = join(__dirname, '..');

/** A running server. */
export interface LanguageClient {
  readonly capabilities: InitializeResult['capabilities'];
  open(uri: string, text: string): Promise<void>;
  /** Gives an open document another text. */
  change(uri: string, text: string): Promise<void>;
  notify(method: string, params: object): Promise<void>;
  ask<T>(method: string, uri: string, params: object): Promise<T>;
  /** The findings of a document, as soon as they are published for its newest text. */
  findings(uri: string): Promise<readonly Diagnostic[]>;
  /** What the server registered for later: methods. */
  readonly registered: readonly string[];
  /** Asks the server to end. Resolves to its exit code. */
  end(): Promise<number | null>;
}

/** Starts a server with Node. `configuration` answers what the server asks about its settings. */
export async function startLanguageServer(
  words: readonly string[],
  configuration: () => readonly unknown[] = () => [],
): Promise<LanguageClient> {
  const server = spawn(process.execPath, words, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const published = new Map<string, PublishDiagnosticsParams>();
  const versions = new Map<string, number>();
  const registered: string[] = [];
  const waiting = new Set<() => void>();
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    published.set(params.uri, params);
    waiting.forEach((heard) => heard());
    waiting.clear();
  });
  connection.onRequest('workspace/configuration', configuration);
  connection.onRequest('client/registerCapability', (params: RegistrationParams) => {
    registered.push(...params.registrations.map(({ method }) => method));
  });
  connection.listen();
  const { capabilities } = await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      textDocument: { publishDiagnostics: { relatedInformation: true, versionSupport: true } },
      workspace: { configuration: true, didChangeWatchedFiles: { dynamicRegistration: true } },
    },
  });
  await connection.sendNotification('initialized', {});
  const put = (uri: string, version: number): void => {
    versions.set(uri, version);
    published.delete(uri);
  };
  return {
    capabilities,
    registered,
    open(uri, text) {
      put(uri, 1);
      return connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'yaml', version: 1, text },
      });
    },
    change(uri, text) {
      const version = (versions.get(uri) ?? 0) + 1;
      // Findings of other documents can follow from this one.
      published.clear();
      put(uri, version);
      const textDocument = { uri, version };
      return connection.sendNotification('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
    },
    notify: (method, params) => connection.sendNotification(method, params),
    ask: (method, uri, params) => connection.sendRequest(method, { textDocument: { uri }, ...params }),
    async findings(uri) {
      const isNewest = ({ version }: PublishDiagnosticsParams): boolean =>
        version === undefined || version === versions.get(uri);
      for (let found = published.get(uri); ; found = published.get(uri)) {
        if (found && isNewest(found)) return found.diagnostics;
        await new Promise<void>((done) => waiting.add(done));
      }
    },
    async end() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      const [code] = (await ended) as [number | null];
      connection.dispose();
      return code;
    },
  };
}

/** The place of `|` in a snippet that occurs in a text. */
export function cursorIn(text: string, snippet: string): Position {
  const offset = text.indexOf(snippet.replace('|', '')) + snippet.indexOf('|');
  expect([snippet, text.includes(snippet.replace('|', ''))]).toEqual([snippet, true]);
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}
