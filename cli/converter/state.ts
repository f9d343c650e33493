// `pulumi import --from oneops -- ADDRESS`: what is taken over, as the message that Pulumi's CLI reads.
// It must not know how records are read.
import { ResourceImport } from '@pulumi/pulumi/proto/converter_pb';
import { BinaryWriter } from 'google-protobuf';
import { Struct, type JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb';
import { isPlainObject, secretIn, type ImportFile } from '../../provider';
import { parseWords } from '../command';
import { notesOf, importList, TAKE_OVER_OPTIONS } from '../import/take-over';

/** The resources of an answer. */
export type ConvertedState = ImportFile['resources'];

/** Numbers of the fields in the message, of which the SDK knows only those before 9. */
const FIELDS = { resources: 1, inputs: 14, outputs: 15 } as const;

/** Reads what the words after `--` name. The CLI prints what goes to the standard error. Throws Error with one message. */
export async function importedState(words: readonly string[]): Promise<ConvertedState> {
  const { values, positionals } = parseWords(words, TAKE_OVER_OPTIONS);
  const file = await importList(positionals, values);
  for (const note of notesOf(file)) process.stderr.write(`${note}\n`);
  return file.resources;
}

/** An answer as bytes, with the inputs and outputs of each resource: then the engine asks no provider to read it. */
export function stateBytes(resources: ConvertedState): Buffer {
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

/** Properties as a message. */
const structOf = (values: object): Uint8Array =>
  Struct.fromJavaScript(enveloped(values) as { [key: string]: JavaScriptValue }).serializeBinary();

/** A value whose secrets have their plain value in the envelope, as messages carry them, and not as text, as files do. */
function enveloped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(enveloped);
  if (!isPlainObject(value)) return value;
  const secret = secretIn(value);
  if (typeof secret !== 'object')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, enveloped(item)]));
  const { plaintext: _, ...mark } = value;
  return { ...mark, value: secret.value };
}
