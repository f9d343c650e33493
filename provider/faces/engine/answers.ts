// Answers to calls of the engine: what a job returns, or a message, and findings with their place.
// It must not know what is asked.
import { status, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import { Diagnostic, DiagnosticSeverity, Pos, Range } from '@pulumi/pulumi/proto/codegen/hcl_pb';

/** Answers a call with what a job returns, or with the message of what it throws: the engine shows that text once, without a stack trace. */
export const answering =
  <Request, Response>(job: (request: Request) => Response | Promise<Response>) =>
  ({ request }: Pick<ServerUnaryCall<Request, Response>, 'request'>, callback: sendUnaryData<Response>): void => {
    void Promise.resolve()
      .then(() => job(request))
      .then(
        (answer) => callback(null, answer),
        (error: unknown) =>
          callback({ code: status.UNKNOWN, details: error instanceof Error ? error.message : String(error) }),
      );
  };

/** A place in a file; line and column from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** What is shown with a place of a file. */
interface PlacedMessage {
  readonly isError: boolean;
  readonly summary: string;
  readonly detail: string;
  readonly at: { readonly file: string; readonly start: Place; readonly end: Place };
}

/** A message with its place, as the engine prints it. */
export function engineDiagnostic({ isError, summary, detail, at }: PlacedMessage): Diagnostic {
  const subject = new Range();
  subject.setFilename(at.file);
  subject.setStart(positionOf(at.start));
  subject.setEnd(positionOf(at.end));
  const diagnostic = new Diagnostic();
  diagnostic.setSeverity(isError ? DiagnosticSeverity.DIAG_ERROR : DiagnosticSeverity.DIAG_WARNING);
  diagnostic.setSummary(summary);
  diagnostic.setDetail(detail);
  diagnostic.setSubject(subject);
  return diagnostic;
}

function positionOf({ line, column, offset }: Place): Pos {
  const position = new Pos();
  position.setLine(line);
  position.setColumn(column);
  position.setByte(offset);
  return position;
}
