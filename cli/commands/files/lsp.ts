// `pulumi-oneops lsp`: the language server of stack files: the documents of an editor, and what it
// asks about them. It offers no completion and no hover: that is the work of stack.schema.json.
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Connection,
  createConnection,
  type Diagnostic,
  DiagnosticSeverity,
  DidChangeWatchedFilesNotification,
  type Location,
  type Position,
  type TextDocumentPositionParams,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { messageOf } from '../../../api/errors';
import {
  definitionPlaces,
  explanationOf,
  type Position as FilePosition,
  type Finding,
  fixOf,
  foldersFrom,
  type Range,
  type Sites,
  sitesOf,
  STANDARD_FILE,
} from '../../../stack';
import { inFolder, joined, projectHere, settingErrorsHere } from '../../here/project';
import { readStackHere, type StackChoice, type StackHere } from '../../here/read-stack';
import { commandOf } from '../../command';
import { flag, STACK_OPTIONS, text } from '../../options';
import { PACKAGE } from '../../pulumi-cli';

export const command = commandOf({
  usage: ['lsp [options]'],
  about: `Runs a language server for stack files on standard input and output. An editor starts it. It
reports what "check" reports while you write, goes to definitions, and corrects misspelt names.
Completion and descriptions come from stack.schema.json: docs/editors.md says how to set up both.
Sends no request.`,
  options: {
    stdio: flag('the default, for editors that name it'),
    ...STACK_OPTIONS,
    catalogue: text('LEVEL', 'how findings of the packaged catalogue count: auto, strict, warn or off'),
  },
  exits: { done: 'the editor ended it', failed: 'the editor is gone' },
  most: 0,
  run({ values }) {
    serveEditor(process.stdin, process.stdout, values);
    // The connection ends the process.
    return new Promise(() => undefined);
  },
});

/** Time after a change in which further changes belong to it, in ms. */
const SETTLE = 30;

/** Serves an editor over these streams. The process ends with the editor. */
function serveEditor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, choice: StackChoice): void {
  const connection = createConnection(input, output);
  const documents = new TextDocuments(TextDocument);
  const stacks = newStacks(documents, choice, (message) => connection.console.error(message));
  let canWatch = false;
  connection.onInitialize(({ capabilities }) => {
    canWatch = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return {
      serverInfo: { name: 'pulumi-oneops' },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        definitionProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
      },
    };
  });
  connection.onInitialized(() => {
    // Included files, files that functions read, and the settings of a stack can have any name.
    const watchers = [{ globPattern: '**/*' }];
    if (canWatch) void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  });
  publishFindings(connection, documents, stacks);
  connection.onDefinition((params) => definitions(stacks, params));
  connection.onCodeAction((params) => quickFixes(stacks, params));
  documents.listen(connection);
  connection.listen();
}

type Stacks = ReturnType<typeof newStacks>;

/** The stacks of the open documents, each read once until something changes. */
function newStacks(documents: TextDocuments<TextDocument>, choice: StackChoice, log: (message: string) => void) {
  const read = new Map<string, OpenStack | undefined>();
  // The address of a file on another machine is no path here.
  const pathAt = (uri: string): string | undefined => {
    try {
      return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
    } catch {
      return undefined;
    }
  };
  const opened = (path: string): TextDocument | undefined => documents.all().find(({ uri }) => pathAt(uri) === path);
  const stackAt = (path: string): OpenStack | undefined => {
    try {
      const files = stackFilesOf(path);
      if (files === undefined) return undefined;
      if (!read.has(files.folder)) {
        read.set(files.folder, undefined);
        read.set(
          files.folder,
          openStack(files, choice, (each) => opened(each)?.getText()),
        );
      }
      return read.get(files.folder);
    } catch (error) {
      // What cannot be read is not yet there: nothing is known of the stack until it changes.
      log(messageOf(error));
      return undefined;
    }
  };
  return {
    /** The stack of a document, and its name there; undefined for a file of no stack. */
    of(uri: string) {
      const path = pathAt(uri);
      const stack = path === undefined ? undefined : stackAt(path);
      const file = stack && path !== undefined ? fileNameIn(stack, path) : undefined;
      return stack && file !== undefined ? { stack, file } : undefined;
    },
    uriOf:
      (stack: OpenStack): UriOf =>
      (name) => {
        const path = filePathIn(stack, name);
        return opened(path)?.uri ?? pathToFileURL(path).href;
      },
    forget: (): void => read.clear(),
  };
}

/** Publishes the findings of open stacks after each change, and takes back former ones. */
function publishFindings(connection: Connection, documents: TextDocuments<TextDocument>, stacks: Stacks): void {
  let published = new Set<string>();
  let settling: NodeJS.Timeout | undefined;
  const publish = (): void => {
    const all = new Map<string, ReturnType<typeof diagnosticOf>[]>();
    const open = new Set(documents.all().flatMap(({ uri }) => stacks.of(uri)?.stack ?? []));
    for (const stack of open) {
      const uriOf = stacks.uriOf(stack);
      for (const { name } of stack.reading.files) all.set(uriOf(name), []);
      for (const finding of stack.reading.findings) all.get(uriOf(finding.at.file))?.push(diagnosticOf(finding, uriOf));
    }
    for (const uri of published) if (!all.has(uri)) all.set(uri, []);
    published = new Set();
    for (const [uri, diagnostics] of all) {
      const version = documents.get(uri)?.version;
      void connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) });
      if (diagnostics.length > 0) published.add(uri);
    }
  };
  const changed = (): void => {
    stacks.forget();
    clearTimeout(settling);
    settling = setTimeout(publish, SETTLE);
  };
  documents.onDidChangeContent(changed);
  documents.onDidSave(changed);
  documents.onDidClose(changed);
  connection.onDidChangeWatchedFiles(changed);
}

/** The places where the name at a position is declared. */
function definitions(stacks: Stacks, { textDocument, position }: TextDocumentPositionParams): Location[] {
  const found = stacks.of(textDocument.uri);
  if (found === undefined) return [];
  const { stack, file } = found;
  const cursor = { file, line: position.line + 1, column: position.character + 1 };
  return definitionPlaces(stack.sites, cursor).map((at) => locationOf(at, stacks.uriOf(stack)));
}

function quickFixes(stacks: Stacks, { textDocument, range }: CodeActionParams): CodeAction[] {
  const found = stacks.of(textDocument.uri);
  if (found === undefined) return [];
  const { stack, file } = found;
  const uriOf = stacks.uriOf(stack);
  return stack.reading.findings.flatMap((finding) => {
    const { start, end } = rangeOf(finding.at);
    const isApart = end.line < range.start.line || start.line > range.end.line;
    const fix = finding.at.file === file && !isApart ? fixOf(finding, stack.reading.files) : undefined;
    if (fix === undefined) return [];
    const title = `Replace with ${fix.text}`;
    const diagnostics = [diagnosticOf(finding, uriOf)];
    const edit = { changes: { [uriOf(fix.at.file)]: [{ range: rangeOf(fix.at), newText: fix.text }] } };
    return [{ title, kind: CodeActionKind.QuickFix, isPreferred: true, diagnostics, edit }];
  });
}

type UriOf = (name: string) => string;

/** The page of this package that has a section for each code. */
const PAGE = pathToFileURL(join(PACKAGE, 'docs/findings.md')).href;

const positionOf = ({ line, column }: FilePosition): Position => ({ line: line - 1, character: column - 1 });

const rangeOf = ({ start, end }: Range): Diagnostic['range'] => ({
  start: positionOf(start),
  end: positionOf(end),
});

const locationOf = (at: Range, uriOf: UriOf): Location => ({ uri: uriOf(at.file), range: rangeOf(at) });

/** A finding as `check` reports it: code, link to its explanation, and related places. */
function diagnosticOf({ at, severity, code, message, hint, related = [] }: Finding, uriOf: UriOf): Diagnostic {
  const id = explanationOf(code)?.id;
  return {
    range: rangeOf(at),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    source: 'pulumi-oneops',
    code: id ?? code,
    ...(id === undefined ? {} : { codeDescription: { href: `${PAGE}#${id.toLowerCase()}` } }),
    message: hint === undefined ? message : `${message}\nhint: ${hint}`,
    relatedInformation: related.map((each) => ({ location: locationOf(each.at, uriOf), message: each.text })),
  };
}

// Which stack a file of an editor belongs to, and what is read of that stack.

/** The files of a stack, and the folder that their names are relative to. */
interface StackFiles {
  readonly folder: string;
  readonly files: readonly string[];
}

/** A stack as an editor asks about it. */
interface OpenStack extends StackFiles {
  readonly reading: StackHere;
  readonly sites: Sites;
}

/** The stack of a file: of the project or stack file in the nearest folder. */
function stackFilesOf(file: string): StackFiles | undefined {
  const own = basename(file) === STANDARD_FILE ? { folder: dirname(file), files: [STANDARD_FILE] } : undefined;
  const isThere = (folder: string, name: string): boolean => existsSync(join(folder, name));
  const folder = foldersFrom(dirname(file)).find((each) =>
    [STANDARD_FILE, 'Pulumi.yaml'].some((name) => isThere(each, name)),
  );
  if (folder === undefined) return own;
  if (!isThere(folder, 'Pulumi.yaml')) return { folder, files: [STANDARD_FILE] };
  const files = inFolder(folder, () => projectHere()?.files);
  return files ? { folder, files } : own;
}

/** Reads a stack. `unsaved`: texts by absolute path. Throws Error for an unreadable file. */
export function openStack(
  { folder, files }: StackFiles,
  choice: StackChoice,
  unsaved: (path: string) => string | undefined,
): OpenStack {
  // The folder may have another path where links lead to it.
  const [reading, wrong] = inFolder(folder, () => [
    readStackHere(files, choice, (path) => unsaved(resolve(folder, relative(process.cwd(), path)))),
    settingErrorsHere(choice.stack),
  ]);
  const sites = reading.trees ? sitesOf(reading.trees, reading.files, reading.known) : [];
  return { folder, files, reading: { ...reading, ...joined([reading, wrong]) }, sites };
}

/** The absolute path of a file of a stack, and back; undefined for other files. */
const filePathIn = ({ folder }: StackFiles, name: string): string => resolve(folder, name);
const fileNameIn = (stack: OpenStack, path: string): string | undefined =>
  stack.reading.files.find(({ name }) => filePathIn(stack, name) === path)?.name;
