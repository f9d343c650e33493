// A process that the engine starts: its server, the port that it prints, and answers to calls.
// Nothing else is written to the standard output.
import {
  Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { messageOf } from '../../api/errors';

/** State of 100 MB passes, as with Pulumi's own plugins. */
const LARGEST_MESSAGE = 400 * 1024 * 1024;

/** Serves a protocol on a free port of this machine; calls back once the port is printed. */
export function servePlugin(
  protocol: ServiceDefinition,
  implementation: UntypedServiceImplementation,
  printed: () => void = () => undefined,
): Server {
  const server = new Server({
    'grpc.max_receive_message_length': LARGEST_MESSAGE,
    'grpc.max_send_message_length': LARGEST_MESSAGE,
  });
  server.addService(protocol, implementation);
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
    printed();
  });
  return server;
}

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

/** Answers a call by what a job returns, or with the status or the message that it throws. */
export const answering =
  <Request, Response>(job: (request: Request) => Response | Promise<Response>) =>
  ({ request }: Pick<ServerUnaryCall<Request, Response>, 'request'>, callback: sendUnaryData<Response>): void => {
    void Promise.resolve()
      .then(() => job(request))
      .then(
        (answer) => callback(null, answer),
        (error: unknown) => callback(statusOf(error)),
      );
  };
