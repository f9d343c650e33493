// What a run keeps of its state: what finds and describes its records, and no value of a secret.
import { setMockOptions } from '@pulumi/pulumi/runtime/settings';
import { specialSecretSig, specialSigKey } from '@pulumi/pulumi/runtime/rpc';
import { Struct, type JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb';
import { readStateRecords } from './state-records';

const secret = (value: JavaScriptValue): { [name: string]: JavaScriptValue } => ({
  [specialSigKey]: specialSecretSig,
  value,
});

type Callback = (error: { readonly details: string } | null, response?: unknown) => void;

const answerOf = (answer: Struct): object => ({ getReturn: () => answer, getFailuresList: () => [] });

/** Begins a run of which the engine answers as given. */
const run = (answer: (callback: Callback) => void): void =>
  setMockOptions(
    { invoke: (_: unknown, callback: Callback) => answer(callback) },
    'story',
    'dev',
    false,
    'organization',
  );

const URN = 'urn:pulumi:dev::story::pulumi-nodejs:dynamic/oneops:Attachment::web/key';

test('secrets are read without their marks, and their values are not kept', async () => {
  const outputs = {
    assembly: 'shop',
    platform: secret('web'),
    component: 'user',
    name: 'key',
    ciId: 1233,
    headers: secret({ token: 'canary' }),
    basicAuthPassword: secret('canary'),
  };
  const answer = Struct.fromJavaScript({ outputs: { [URN]: { type: URN.split('::')[2] ?? '', outputs } } });
  run((callback) => callback(null, answerOf(answer)));
  const records = await readStateRecords();
  expect(records.map(({ id, ciId, names }) => [id, ciId, names['headers'], names['basicAuthPassword']])).toEqual([
    ['/shop/web/user/key', 1233, { token: '' }, ''],
  ]);
  expect(JSON.stringify(records)).not.toMatch(new RegExp(`canary|${specialSigKey}`));
});

test('a state that the engine is writing is read again; one that cannot be read is an error', async () => {
  let asked = 0;
  run((callback) => {
    asked += 1;
    if (asked < 3) callback({ details: 'failed to load checkpoint: EOF' });
    else callback(null, answerOf(Struct.fromJavaScript({ outputs: {} })));
  });
  expect([await readStateRecords(), asked]).toEqual([[], 3]);
  run((callback) => callback({ details: 'no access' }));
  await expect(readStateRecords()).rejects.toThrow(/could not be read, .*: no access; nothing was taken away/);
});
