// The policy pack as the engine asks it: policies of a file, violations with their places, remedies, and what goes wrong.
import type { sendUnaryData, UntypedServiceImplementation } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import {
  AnalyzeRequest,
  AnalyzerStackConfigureRequest,
  EnforcementLevel,
  type AnalyzeResponse,
  type AnalyzerInfo,
  type RemediateResponse,
} from '@pulumi/pulumi/proto/analyzer_pb';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enveloped } from '../../provider/faces/plugin/properties';
import { analyzer } from './analyzer';

const CANARY = 'canary-52c1';
/** In a map of the configuration that is secret. */
const INNER = 'canary-90d7';

const POLICIES = `policies:
  two-clouds: { rule: active-clouds, level: mandatory }
  autorepair: { level: remediate }
  redundant: { level: disabled }
`;

const STACK = `config: { password: { type: string, secret: true } }
assembly: { name: shop, owner: team@acme.io }
variables: { key: { encrypted_value: "\${config.password}" } }
environments:
  prod:
    autorepair: false
    clouds: { east: { priority: 1 } }
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'policy-'));
  writeFileSync(join(folder, 'Pulumi.yaml'), 'name: shop\nruntime: oneops\n');
  writeFileSync(join(folder, 'oneops.yaml'), STACK);
  writeFileSync(join(folder, 'policies.yaml'), POLICIES);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Asks as the engine does. */
function ask<A>(pack: UntypedServiceImplementation, name: string, request: object): Promise<A> {
  const handler = pack[name] as (call: object, callback: sendUnaryData<A>) => void;
  return new Promise((resolve, reject) => {
    handler({ request }, (error, answer) => (error ? reject(Object.assign(new Error(), error)) : resolve(answer as A)));
  });
}

async function opened(environment: { readonly [name: string]: string } = {}): Promise<UntypedServiceImplementation> {
  const pack = analyzer({ version: '1.2.3', directory: folder, environment });
  const run = new AnalyzerStackConfigureRequest().setStack('dev').setProject('shop');
  run.getConfigMap().set('oneops:organization', 'acme').set('shop:password', CANARY);
  run.getConfigMap().set('shop:database', JSON.stringify({ users: [{ password: INNER }] }));
  run.setConfigSecretKeysList(['shop:password', 'shop:database']);
  await ask(pack, 'configureStack', run);
  return pack;
}

const environment = (type: string, properties: object = {}): AnalyzeRequest =>
  new AnalyzeRequest()
    .setType(type)
    .setName('prod')
    .setUrn('urn:pulumi:dev::shop::x::prod')
    .setProperties(
      Struct.fromJavaScript({
        ...{ assembly: 'shop', name: 'prod', autorepair: false, clouds: { east: { priority: 1 } } },
        ...properties,
      }),
    );

const OURS = ['pulumi-nodejs:dynamic/oneops:Environment', 'oneops:index:Environment'];

test.each(OURS)('a resource of type %s is judged, each violation at its line', async (type) => {
  const pack = await opened();
  const found = (await ask<AnalyzeResponse>(pack, 'analyze', environment(type))).getDiagnosticsList();
  expect(found.map((each) => [each.getPolicyname(), each.getEnforcementlevel(), each.getMessage()])).toEqual([
    [
      'two-clouds',
      EnforcementLevel.MANDATORY,
      'oneops.yaml:7:5: Environment shop/prod has 1 active primary cloud (east); at least 2 are required',
    ],
    [
      'autorepair',
      EnforcementLevel.REMEDIATE,
      'oneops.yaml:6:5: Environment shop/prod does not repair failing instances: autorepair: true is required',
    ],
  ]);
});

test('a place is found where the class of a component is known to the catalogue of the project alone', async () => {
  const pack = { source: 'acme', name: 'worker', version: '7', description: 'Workers', templates: { queue: 'Queue' } };
  const Queue = { description: 'A queue', attributes: { depth: { description: 'Its depth' } } };
  const catalogue = { version: 1, service: 'http://127.0.0.1:1', packs: [pack], classes: { Queue } };
  writeFileSync(join(folder, 'catalogue.json'), JSON.stringify(catalogue));
  writeFileSync(
    join(folder, 'Pulumi.yaml'),
    'name: shop\nruntime: { name: oneops, options: { catalogue: catalogue.json } }\n',
  );
  const components = 'components: { queue: { one: { depth: 1 }, two: { depth: 2 } } }';
  writeFileSync(join(folder, 'oneops.yaml'), `${STACK}platforms: { jobs: { pack: "acme/worker:7", ${components} } }\n`);
  const asked = await ask<AnalyzeResponse>(await opened(), 'analyze', environment(OURS[0] ?? ''));
  expect(asked.getDiagnosticsList()[0]?.getMessage()).toMatch(/^oneops\.yaml:7:5: /);
});

test('resources of other providers, and records that are not known yet, are left alone', async () => {
  const pack = await opened();
  const unknown = environment(OURS[0] ?? '', { name: '04da6b54-80e4-46f7-96ec-b56ff0331ba9' });
  for (const request of [environment('aws:s3/bucket:Bucket'), unknown])
    expect((await ask<AnalyzeResponse>(pack, 'analyze', request)).getDiagnosticsList()).toEqual([]);
});

test('a remedy keeps every other argument, and secrets in their envelopes', async () => {
  const pack = await opened();
  const secret = enveloped('hidden') as object;
  const answer = await ask<RemediateResponse>(pack, 'remediate', environment(OURS[0] ?? '', { description: secret }));
  const [remedy, ...more] = answer.getRemediationsList();
  expect([remedy?.getPolicyname(), more]).toEqual(['autorepair', []]);
  expect(remedy?.getProperties()?.toJavaScript()).toEqual({
    ...{ assembly: 'shop', name: 'prod', autorepair: true, clouds: { east: { priority: 1 } } },
    description: secret,
  });
});

test('the engine learns the policies of the file', async () => {
  const info = await ask<AnalyzerInfo>(await opened(), 'getAnalyzerInfo', new Empty());
  expect(info.getVersion()).toBe('1.2.3');
  expect(info.getPoliciesList().map((each) => [each.getName(), each.getEnforcementlevel()])).toEqual([
    ['two-clouds', EnforcementLevel.MANDATORY],
    ['autorepair', EnforcementLevel.REMEDIATE],
    ['redundant', EnforcementLevel.DISABLED],
  ]);
});

test('no answer contains a value of the configuration', async () => {
  const pack = await opened();
  const answers = [
    await ask<AnalyzerInfo>(pack, 'getAnalyzerInfo', new Empty()),
    await ask<AnalyzeResponse>(pack, 'analyze', environment(OURS[0] ?? '')),
  ];
  expect(JSON.stringify(answers.map((each) => each.toObject()))).not.toContain(CANARY);
});

test.each([CANARY, INNER])(
  'a secret of the configuration that a program writes in clear is in no message: %s',
  async (secret) => {
    writeFileSync(join(folder, 'policies.yaml'), 'policies: { clouds-allowed: { allowed: west } }\n');
    const clear = environment(OURS[0] ?? '', { clouds: { [secret]: { priority: 1 } } });
    const found = (await ask<AnalyzeResponse>(await opened(), 'analyze', clear)).getDiagnosticsList();
    expect(found.map((each) => each.getMessage())).toEqual([
      expect.stringMatching(/ Environment shop\/prod runs on cloud \[secret\]; allowed are west$/),
    ]);
  },
);

test.each([
  [{ ONEOPS_POLICIES: 'none.yaml' }, 'the policy file none.yaml cannot be read: there is no such file'],
  [{ ONEOPS_POLICIES: 'oneops.yaml' }, 'oneops.yaml:1: unknown key "config"; known is policies'],
])('a file that is missing or wrong stops the run: %j', async (variables, message) => {
  const pack = await opened(variables);
  await expect(ask(pack, 'getAnalyzerInfo', new Empty())).rejects.toThrow(message);
});
