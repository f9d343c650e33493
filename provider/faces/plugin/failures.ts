// Answers to calls of the engine. A failure is a status with one message, and what is known of the
// record.
import { Metadata, type sendUnaryData, type ServerUnaryCall, status } from '@grpc/grpc-js';
import { ErrorResourceInitFailed } from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import { messageOf } from '../../../api/errors';
import { sent, type SecretPlaces, withMembers } from './properties';
import type { Values } from '../../values/plain';

/** A failed call, as gRPC sends it. */
export class CallFailed extends Error {
  readonly details: string;

  constructor(
    message: string,
    readonly code: status = status.UNKNOWN,
    readonly metadata: Metadata = new Metadata(),
  ) {
    super(message);
    this.name = 'CallFailed';
    this.details = message;
  }
}

export const statusOf = (error: unknown): CallFailed =>
  error instanceof CallFailed ? error : new CallFailed(messageOf(error));

/** Answers a call by what a job returns, or with the status that it throws. */
export const answering =
  <Request, Response>(job: (request: Request) => Response | Promise<Response>) =>
  ({ request }: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>): void => {
    void Promise.resolve()
      .then(() => job(request))
      .then(
        (answer) => callback(null, answer),
        (error: unknown) => callback(statusOf(error)),
      );
  };

/** What the dynamic face throws for a record that was written and is not right. */
interface Incomplete extends Error {
  readonly id: string;
  readonly properties: Values;
  readonly reasons: readonly string[];
}

const isIncomplete = (error: unknown): error is Incomplete =>
  error instanceof Error && 'reasons' in error && 'properties' in error && 'id' in error;

/** The error as gRPC sends it. `inputs` of the request are kept with an incomplete record. */
export function callFailed(
  error: unknown,
  inputs: Values,
  secrets: (values: Values) => SecretPlaces | undefined,
): CallFailed {
  if (error instanceof CallFailed || !isIncomplete(error)) return statusOf(error);
  const { id, message, properties, reasons } = error;
  const detail = withMembers(new ErrorResourceInitFailed(), {
    id,
    reasonsList: [...reasons],
    properties: sent(properties, secrets(properties)),
    inputs: sent(inputs, secrets(inputs)),
  });
  const packed = new Any();
  packed.pack(detail.serializeBinary(), 'pulumirpc.ErrorResourceInitFailed');
  const answer = withMembers(new Status(), { code: status.UNKNOWN, message, detailsList: [packed] });
  const metadata = new Metadata();
  metadata.set('grpc-status-details-bin', Buffer.from(answer.serializeBinary()));
  return new CallFailed(message, status.UNKNOWN, metadata);
}

const PACKAGE = 'oneops:index:';

/** `Component` from `oneops:index:Component`; empty for a name of another package. */
export const bareName = (name: string): string => (name.startsWith(PACKAGE) ? name.slice(PACKAGE.length) : '');

/** The failure of a call of something that the package does not have. */
export const notOffered = (what: string, name: string, code?: status): CallFailed =>
  new CallFailed(`there is no ${what} "${name}" in this package`, code);
