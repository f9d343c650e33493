// What a run keeps of its state: what finds and describes its records, and no value of a secret.
import { setMockOptions } from '@pulumi/pulumi/runtime/settings';
import { specialSecretSig, specialSigKey } from '@pulumi/pulumi/runtime/rpc';
import { Struct, type JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb';
import { readStateRecords } from './state-records';

const secret = (value: JavaScriptValue): { [name: string]: JavaScriptValue } => ({
  [specialSigKey]: specialSecretSig,
  value,
});

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
  setMockOptions(
    {
      invoke: (_: unknown, callback: (error: null, response: unknown) => void) =>
        callback(null, { getReturn: () => answer, getFailuresList: () => [] }),
    },
    'story',
    'dev',
    false,
    'organization',
  );
  const records = await readStateRecords();
  expect(records.map(({ id, ciId, names }) => [id, ciId, names['headers'], names['basicAuthPassword']])).toEqual([
    ['/shop/web/user/key', 1233, { token: '' }, ''],
  ]);
  expect(JSON.stringify(records)).not.toMatch(new RegExp(`canary|${specialSigKey}`));
});
