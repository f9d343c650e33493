// `pulumi-converter-oneops`, and the same under the name `boo`: the plugin behind `--from` of
// `pulumi import` and `pulumi convert`. Only the port is written to the standard output.
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import { ConverterService } from '@pulumi/pulumi/proto/converter_grpc_pb';
import {
  type ConvertProgramRequest,
  type ConvertProgramResponse,
  type ConvertStateRequest,
  ResourceImport,
} from '@pulumi/pulumi/proto/converter_pb';
import { BinaryWriter } from 'google-protobuf';
import { Struct, type JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb';
import { openEngine } from '../../provider/faces/engine';
import { answering, servePlugin } from '../../provider/faces/served';
import { programOf } from './program';
import type { ImportFile } from '../../provider/import';
import { secretIn } from '../../provider';
import { changedInside, isPlainObject } from '../../provider/values';
import { parseWords } from '../command';
import { notesOf, importList } from '../commands/records/import-file';
import { TAKE_OVER_OPTIONS } from '../options';

type Source = 'oneops' | 'boo';

/** Serves the protocol until the CLI ends the process. */
function serveConverter(source: Source): void {
  const { convertState, ...rest } = ConverterService;
  // The message of the SDK lacks inputs and outputs.
  servePlugin({ ...rest, convertState: { ...convertState, responseSerialize: stateBytes } }, converter(source));
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

type ConvertedState = ImportFile['resources'];

/** Numbers of the fields in the message, of which the SDK knows only those before 9. */
const FIELDS = { resources: 1, inputs: 14, outputs: 15 } as const;

/** Reads what the words after `--` name. Throws Error with one message. */
async function importedState(words: readonly string[]): Promise<ConvertedState> {
  const { values, positionals } = parseWords(words, TAKE_OVER_OPTIONS);
  const file = await importList(positionals, values);
  for (const note of notesOf(file)) process.stderr.write(`${note}\n`);
  return file.resources;
}

/** An answer as bytes, with inputs and outputs: the engine then asks no provider. */
function stateBytes(resources: ConvertedState): Buffer {
  const writer = new BinaryWriter();
  for (const { type, name, logicalName, id, inputs, outputs } of resources) {
    const message = new ResourceImport();
    message.setType(type);
    message.setName(name);
    message.setLogicalName(logicalName);
    message.setId(id);
    writer.writeMessage(FIELDS.resources, message, (own: ResourceImport, inner: BinaryWriter) => {
      ResourceImport.serializeBinaryToWriter(own, inner);
      inner.writeBytes(FIELDS.inputs, structOf(inputs));
      inner.writeBytes(FIELDS.outputs, structOf(outputs));
    });
  }
  return Buffer.from(writer.getResultBuffer());
}

const structOf = (values: object): Uint8Array =>
  Struct.fromJavaScript(enveloped(values) as { [key: string]: JavaScriptValue }).serializeBinary();

/** A value with plain secrets in envelopes, as messages carry them. */
function enveloped(value: unknown): unknown {
  const secret = secretIn(value);
  if (typeof secret !== 'object' || !isPlainObject(value)) return changedInside(value, enveloped);
  const { plaintext: _, ...mark } = value;
  return { ...mark, value: secret.value };
}

serveConverter(/-boo\b/.test(process.argv[1] ?? '') ? 'boo' : 'oneops');
