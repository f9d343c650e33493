// The process of the converter: prints its port, and serves Pulumi's converter protocol to the CLI that started it.
// It must not know what a conversion reads or writes. Nothing is written to standard output but the port.
import { Server, ServerCredentials, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { ConverterService } from '@pulumi/pulumi/proto/converter_grpc_pb';
import type {
  ConvertProgramRequest,
  ConvertProgramResponse,
  ConvertStateRequest,
} from '@pulumi/pulumi/proto/converter_pb';
import { answering, openEngine } from '../../provider/faces/engine';
import { importedState, stateBytes, type ConvertedState } from './state';
import { programOf } from './program';

/** A whole design and its environments pass. */
const LARGEST_MESSAGE = 400 * 1024 * 1024;

/** Names that `--from` takes. */
type Source = 'oneops' | 'boo';

/** Serves the protocol until the CLI ends the process. */
export function serveConverter(source: Source): void {
  const server = new Server({ 'grpc.max_send_message_length': LARGEST_MESSAGE });
  const { convertState, ...rest } = ConverterService;
  // The message of the SDK lacks inputs and outputs.
  server.addService({ ...rest, convertState: { ...convertState, responseSerialize: stateBytes } }, converter(source));
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
  });
}

/** The service, to be added to a gRPC server. */
function converter(source: Source): UntypedServiceImplementation {
  return {
    convertState: answering((request: ConvertStateRequest): Promise<ConvertedState> => {
      // This process outlives a CLI that is killed.
      openEngine(request.getMapperTarget()).whenGone(() => process.exit(1));
      return importedState(request.getArgsList());
    }),
    convertProgram: answering((request: ConvertProgramRequest): ConvertProgramResponse => programOf(request, source)),
  };
}
