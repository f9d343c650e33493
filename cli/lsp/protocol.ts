// Findings and places of a stack as the protocol of editors writes them.
// It must not know a connection, nor how anything was found.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  DiagnosticSeverity,
  type Diagnostic,
  type Location,
  type Position,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { explanationOf, type Finding, type Position as FilePosition, type Range, type TextEdit } from '../../stack';

/** The URI of a file by its name in findings. */
export type UriOf = (name: string) => string;

/** The page of this package that has a section for each code. */
const PAGE = pathToFileURL(
  join(dirname(createRequire(__filename).resolve('pulumi-oneops/package.json')), 'docs/findings.md'),
).href;

const positionOf = ({ line, column }: FilePosition): Position => ({ line: line - 1, character: column - 1 });

export const rangeOf = ({ start, end }: Range): Diagnostic['range'] => ({
  start: positionOf(start),
  end: positionOf(end),
});

export const locationOf = (at: Range, uriOf: UriOf): Location => ({ uri: uriOf(at.file), range: rangeOf(at) });

/** A finding as `check` reports it: its code, the link to its explanation, and the other places that belong to it. */
export function diagnosticOf({ at, severity, code, message, hint, related = [] }: Finding, uriOf: UriOf): Diagnostic {
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

/** Edits as one change of several files. */
export function workspaceEdit(edits: readonly TextEdit[], uriOf: UriOf): WorkspaceEdit {
  const changes: NonNullable<WorkspaceEdit['changes']> = {};
  for (const { at, text } of edits) (changes[uriOf(at.file)] ??= []).push({ range: rangeOf(at), newText: text });
  return { changes };
}
