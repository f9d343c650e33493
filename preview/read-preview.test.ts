// What is read from the engine's document: operations, attributes, secrets, deployments and risks. The real engine's own documents are
// read by test/engine/gitops.test.ts.
import { UNKNOWN } from '../provider/values';
import type { Plan } from './plan';
import { readPreview } from './read-preview';

type Values = { readonly [name: string]: unknown };

const urn = (token: string, name: string): string =>
  `urn:pulumi:dev::story::pulumi-nodejs:dynamic/oneops:${token}::${name}`;

interface Facts {
  readonly id?: string;
  readonly before?: Values;
  readonly after?: Values;
  readonly outputs?: Values;
  readonly diff?: readonly string[];
  readonly replaces?: readonly string[];
  readonly secrets?: readonly string[];
}

function step(op: string, token: string, name: string, facts: Facts): object {
  const { id, before, after, outputs, diff, replaces, secrets } = facts;
  const kept = { sourcePosition: 'project:///oneops.yaml#17,7', additionalSecretOutputs: secrets ?? [] };
  return {
    op,
    urn: urn(token, name),
    ...(before ? { oldState: { ...kept, id, inputs: before, outputs: { ...before, ...outputs } } } : {}),
    ...(after ? { newState: { ...kept, inputs: after } } : {}),
    ...(replaces ? { replaceReasons: replaces } : {}),
    detailedDiff: diff ? Object.fromEntries(diff.map((path) => [path, { kind: 'update', inputDiff: true }])) : null,
  };
}

const read = (...steps: readonly object[]): Plan =>
  readPreview(JSON.stringify({ config: { 'oneops:organization': 'acme' }, steps, changeSummary: { same: 1 } }));

const risksIn = (plan: Plan): readonly string[] =>
  plan.risks.map(({ severity, address, message }) => `${severity} ${address}: ${message}`);

const COMPUTE = { assembly: 'shop', platform: 'web', name: 'compute', type: 'compute', attributes: { size: 'M' } };

test('an update: each attribute before and after, with its place', () => {
  const after = { ...COMPUTE, attributes: { size: 'L' } };
  const facts = { id: 'acme/shop/web/compute', before: COMPUTE, after, diff: ['attributes.size'] };
  expect(read(step('update', 'Component', 'web/compute', facts)).changes).toEqual([
    {
      operation: 'update',
      kind: 'Component',
      address: 'acme/shop/web/compute',
      logicalName: 'web/compute',
      at: 'oneops.yaml:17:7',
      attributes: [
        {
          path: 'attributes.size',
          before: { is: 'value', value: 'M' },
          after: { is: 'value', value: 'L' },
          replaces: false,
        },
      ],
    },
  ]);
});

test('a creation: its future id, and every argument but its address', () => {
  const after = { ...COMPUTE, attributes: { size: 'L', label: `${UNKNOWN}-x` } };
  const [change] = read(step('create', 'Component', 'web/compute', { after })).changes;
  expect(change).toMatchObject({ operation: 'create', address: 'acme/shop/web/compute' });
  expect(change?.attributes.map(({ path, after: { is } }) => [path, is])).toEqual([
    ['type', 'value'],
    ['attributes.size', 'value'],
    ['attributes.label', 'unknown'],
  ]);
});

test('a replacement is one change, and says by which attribute', () => {
  const before = { assembly: 'shop', platform: 'web', component: 'deployer', name: 'motd', path: '/etc/motd' };
  const facts = {
    id: 'acme/shop/web/deployer/motd',
    before,
    after: { ...before, component: 'root' },
    diff: ['component'],
    replaces: ['component'],
  };
  const steps = ['delete-replaced', 'replace', 'create-replacement'].map((op) => step(op, 'Attachment', 'motd', facts));
  const plan = read(...steps);
  expect(plan.changes).toHaveLength(1);
  expect(plan.changes[0]).toMatchObject({ operation: 'replace', attributes: [{ path: 'component', replaces: true }] });
  expect(risksIn(plan)).toEqual([
    'medium acme/shop/web/deployer/motd: Attachment is deleted and created again because of component, with everything below it',
  ]);
});

describe('secrets', () => {
  const CANARY = 'canary-of-preview';

  test('of the kind, of open maps, and those the program names are hidden, even when the document shows them', () => {
    const attachment = {
      assembly: 'shop',
      platform: 'web',
      component: 'deployer',
      name: 'motd',
      basicAuthPassword: CANARY,
      content: CANARY,
    };
    const mysql = { assembly: 'shop', platform: 'db', name: 'mysql', type: 'mysql', attributes: { password: CANARY } };
    const plan = read(
      step('create', 'Attachment', 'motd', { after: attachment, secrets: ['content'] }),
      step('create', 'Component', 'mysql', { after: mysql }),
      step('update', 'Component', 'other', {
        id: 'acme/shop/db/other',
        before: { ...mysql, type: 'unheard-of', attributes: { api_token: CANARY } },
        after: { ...mysql, type: 'unheard-of', attributes: { api_token: `${CANARY}2` } },
        diff: ['attributes.api_token'],
      }),
    );
    expect(plan.changes).toHaveLength(3);
    expect(JSON.stringify(plan)).not.toContain(CANARY);
  });

  test("the engine's own mask is a secret", () => {
    const facts = {
      id: 'acme/shop',
      before: { name: 'shop', owner: '[secret]' },
      after: { name: 'shop', owner: '[secret]' },
    };
    const plan = read(step('update', 'Assembly', 'shop', { ...facts, diff: ['owner'] }));
    expect(plan.changes[0]?.attributes).toMatchObject([{ before: { is: 'secret' }, after: { is: 'secret' } }]);
  });
});

describe('deployments', () => {
  const release = [
    step('update', 'Component', 'web/compute', {
      id: 'acme/shop/web/compute',
      before: COMPUTE,
      after: { ...COMPUTE, attributes: { size: 'L' } },
      diff: ['attributes.size'],
    }),
    step('delete', 'Component', 'web/cron', { id: 'acme/shop/web/cron', before: { ...COMPUTE, name: 'cron' } }),
    step('update', 'DesignRelease', 'shop', {
      id: 'acme/shop',
      before: { assembly: 'shop', stamps: '1 2' },
      after: { assembly: 'shop', stamps: UNKNOWN },
      diff: ['stamps'],
    }),
  ];
  const environment = (designRelease: unknown): object =>
    step('update', 'Environment', 'prod', {
      id: 'acme/shop/prod',
      before: { assembly: 'shop', name: 'prod', designRelease: '1' },
      after: { assembly: 'shop', name: 'prod', designRelease },
      diff: ['designRelease'],
    });
  const deployment = (op: string, after: Values | undefined, onDelete?: string): object =>
    step(op, 'Deployment', 'prod', {
      id: 'acme/shop/prod',
      ...(op === 'create'
        ? {}
        : {
            before: {
              assembly: 'shop',
              environment: 'prod',
              stamps: '1 3',
              ...(onDelete ? { onDelete } : {}),
            },
          }),
      ...(after ? { after } : {}),
      diff: ['stamps'],
    });

  test('an environment deploys what the design commits and what it lost itself', () => {
    const west = { assembly: 'shop', environment: 'prod', platform: 'web', cloud: 'west', dpmtOrder: 2 };
    const plan = read(
      ...release,
      environment(UNKNOWN),
      step('delete', 'CloudConfiguration', 'prod/web/west', { id: 'acme/shop/prod/web/west', before: west }),
      deployment('update', { assembly: 'shop', environment: 'prod', stamps: UNKNOWN }),
    );
    expect(plan.commits).toEqual({ 'acme/shop': ['~web/compute', '-web/cron'] });
    expect(plan.deployments).toEqual([
      {
        environment: 'acme/shop/prod',
        does: 'deploys',
        because: ['~web/compute', '-web/cron', '-web/west'],
        pulls: true,
      },
    ]);
  });

  test('an environment without a deployment only pulls', () => {
    expect(read(...release, environment(UNKNOWN)).deployments).toMatchObject([{ does: 'pulls' }]);
  });

  test('the first one, a tear-down, and one that lets go', () => {
    const first = deployment('create', { assembly: 'shop', environment: 'prod', stamps: '' });
    expect(read(first).deployments).toEqual([{ environment: 'acme/shop/prod', does: 'first', because: [] }]);
    const down = read(deployment('delete', undefined));
    expect(down.deployments).toMatchObject([{ does: 'tears-down' }]);
    expect(risksIn(down)).toEqual([expect.stringMatching(/^high acme\/shop\/prod: .*taken down/)]);
    expect(read(deployment('delete', undefined, 'retain')).deployments).toMatchObject([{ does: 'lets-go' }]);
  });
});

describe('risks', () => {
  const environment = (before: object, after: object): Plan =>
    read(
      step('update', 'Environment', 'prod', {
        id: 'acme/shop/prod',
        before: { assembly: 'shop', name: 'prod', clouds: before },
        after: { assembly: 'shop', name: 'prod', clouds: after },
        diff: ['clouds'],
      }),
    );

  test('the last active cloud is removed', () => {
    expect(risksIn(environment({ east: { priority: 1 } }, { west: { priority: 1 } }))).toEqual([
      expect.stringMatching(/^high acme\/shop\/prod: the last active cloud is removed/),
      expect.stringMatching(/^medium acme\/shop\/prod: cloud east leaves/),
    ]);
  });

  test('one of two goes, or one comes', () => {
    const both = { east: { priority: 1 }, west: { priority: 2 } };
    expect(risksIn(environment(both, { east: { priority: 1 } }))).toEqual([
      expect.stringMatching(/^medium acme\/shop\/prod: cloud west leaves/),
    ]);
    expect(risksIn(environment({ east: { priority: 1 } }, both))).toEqual([]);
  });

  test('two clouds that run swap their roles: one of them serves before and after', () => {
    const east = { east: { priority: 1 }, west: { priority: 2 } };
    const west = { east: { priority: 2 }, west: { priority: 1 } };
    expect(risksIn(environment(east, west))).toEqual([]);
    const off = { east: { priority: 1, adminstatus: 'inactive' }, west: { priority: 1 } };
    expect(risksIn(environment(east, off))).toEqual([]);
    // One that does not run yet brings new instances.
    const idle = { east: { priority: 1 }, west: { priority: 1, adminstatus: 'offline' } };
    expect(risksIn(environment(idle, off))).toEqual([expect.stringMatching(/^high .*new instances in one deployment/)]);
  });

  test('what goes with its parent is reported once', () => {
    const gone = ['acme/shop', 'acme/shop/web', 'acme/shop/web/compute'];
    const tokens = ['Assembly', 'Platform', 'Component'];
    const plan = read(
      ...gone.map((id, index) => step('delete', tokens[index] ?? '', id, { id, before: { name: id } })),
    );
    expect(risksIn(plan)).toEqual([expect.stringMatching(/^high acme\/shop: the assembly is deleted/)]);
  });
});

describe('a preview that failed', () => {
  test('shows its errors without colours, errors first', () => {
    const diagnostics = [
      { urn: urn('Platform', 'db'), severity: 'warning', message: 'warning: old\n' },
      { urn: urn('Platform', 'web'), severity: 'error', message: '<{%fg 1%}>error: <{%reset%}>no such pack\n' },
      { severity: 'info', message: 'seen' },
    ];
    expect(readPreview(JSON.stringify({ diagnostics }))).toMatchObject({
      stack: 'dev',
      failed: true,
      diagnostics: [
        { severity: 'error', subject: 'web', message: 'no such pack' },
        { severity: 'warning', subject: 'db', message: 'old' },
      ],
    });
  });

  test.each([
    ['', 'printed nothing'],
    ['error: no stack selected\n', 'error: no stack selected'],
    ['{"steps": [', 'cannot be read'],
    ['[1, 2]', '[1, 2]'],
    ['{"hello": 1}', 'cannot be read'],
    ['{\n  "steps": []\n}\nerror: the end', 'error: the end'],
    [`${'x'.repeat(10_000)}the end`, 'the end'],
  ])('a text that is no preview is shown: %j', (text, shown) => {
    const plan = readPreview(text, { stack: 'dev' });
    expect(plan).toMatchObject({ stack: 'dev', failed: true });
    expect(plan.diagnostics[0]?.message).toContain(shown);
    expect(plan.diagnostics[0]?.message.length).toBeLessThan(5_000);
  });

  test('a document that ends in the middle shows nothing of itself: it may contain secrets', () => {
    const whole = JSON.stringify({ steps: [{ op: 'create', newState: { inputs: { password: 'canary' } } }] }, null, 2);
    const plan = readPreview(`warning: slow\n${whole.slice(0, -9)}`, { stack: 'dev' });
    expect(plan.failed).toBe(true);
    expect(plan.diagnostics[0]?.message).toContain('warning: slow');
    expect(JSON.stringify(plan)).not.toContain('canary');
  });

  test('lines before the document do no harm', () => {
    expect(readPreview('warning: a new version\n{"steps": [], "changeSummary": {"same": 2}}')).toMatchObject({
      failed: false,
      counts: { same: 2 },
    });
  });
});
