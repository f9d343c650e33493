// Laws of what is tried and taken back, of moves and approvals, and of a database that an older version made.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from './database';
import { openStore, type Store } from './index';

const author = { user: 'maria', now: 1000 };
const record = (name: string) => ({ namespace: '/acme', className: 'account.Assembly', name, values: {} });

describe('an attempt', () => {
  let store: Store;
  beforeEach(() => {
    store = openStore(':memory:');
  });
  afterEach(() => store.close());
  const names = (): string[] => store.records.list({ namespace: '/acme' }).map(({ name }) => name);

  test('shows what would be, and leaves nothing of it; what is around it stays', () => {
    store.transaction(() => {
      store.records.insert(record('before'), author);
      const seen = store.attempt(() => {
        store.records.insert(record('tried'), author);
        return names();
      });
      expect(seen).toEqual(['before', 'tried']);
      store.records.insert(record('after'), author);
    });
    expect(names()).toEqual(['before', 'after']);
  });

  test('that throws takes back as much, and the transaction may go on', () => {
    store.transaction(() => {
      const attempt = (): unknown =>
        store.attempt(() => {
          store.records.insert(record('tried'), author);
          throw new Error('no');
        });
      expect(attempt).toThrow('no');
      store.records.insert(record('after'), author);
    });
    expect(names()).toEqual(['after']);
  });

  test('gives out numbers and names that stay good', () => {
    const [inside, outside] = store.transaction(() => {
      const tried = store.attempt(() => [store.allocateId(), store.namespaceId('/new/place')] as const);
      return [tried, [store.allocateId(), store.namespaceId('/new/place')] as const] as const;
    });
    expect(outside[0]).toBeGreaterThan(inside[0]);
    expect(store.namespaceId('/new/place')).toBe(outside[1]);
    expect(outside[1]).not.toBe(outside[0]);
  });
});

test('a deployment keeps its moves and approvals, and they go with its namespace', () => {
  const store = openStore(':memory:');
  store.transaction(() => {
    const deployment = store.deployments.insert({
      releaseId: 1,
      namespace: '/acme/shop/prod/bom',
      state: 'pending',
      description: null,
      comments: 'go',
      continueOnFailure: false,
      autoPauseExecOrders: [],
      currentStep: 0,
      maxExecOrder: 1,
      created: 1,
      createdBy: 'maria',
      updated: 1,
      updatedBy: null,
    });
    store.deployments.update(deployment.id, { currentStep: 1 });
    store.deployments.update(deployment.id, { state: 'active', updated: 2, updatedBy: 'otto' });
    expect(store.deployments.moves(deployment.id)).toMatchObject([
      { oldState: null, newState: 'pending', moved: 1, movedBy: 'maria' },
      { oldState: 'pending', newState: 'active', moved: 2, movedBy: 'otto' },
    ]);
    const facts = { deploymentId: deployment.id, recordId: 7, state: 'pending', comments: null, expiresIn: -1 };
    const approval = store.approvals.insert({ ...facts, created: 1, updated: 1, updatedBy: null });
    expect(store.approvals.update(approval.id, { state: 'approved' })).toEqual({ ...approval, state: 'approved' });
    expect(() => store.approvals.update(approval.id + 1, {})).toThrow('approval');
    store.removeNamespace('/acme/shop');
    expect([store.deployments.moves(deployment.id), store.approvals.list(deployment.id)]).toEqual([[], []]);
  });
  store.close();
});

test('a database of the first version is brought up: its users and tokens are still good', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oneops-migration-'));
  const file = join(folder, 'oneops.db');
  const made = openStore(file);
  made.transaction(() => {
    made.users.put({ name: 'maria', organizations: ['acme'] });
    made.users.setTokens([{ name: 'maria', token: 'token-of-maria' }]);
    made.records.insert(record('shop'), author);
  });
  made.close();
  // What the first version had: this one's tables without what was added since.
  const database = openDatabase(file);
  database.script(`
    ALTER TABLE users DROP COLUMN password;
    ALTER TABLE users DROP COLUMN current;
    ALTER TABLE users DROP COLUMN teams;
    ALTER TABLE tokens DROP COLUMN issued;
    ALTER TABLE actions DROP COLUMN comments;
    ALTER TABLE users DROP COLUMN created;
    ALTER TABLE users DROP COLUMN updated;
    ALTER TABLE users DROP COLUMN sign_ins;
    ALTER TABLE users DROP COLUMN signed_in;
    DROP INDEX deployment_records_record;
    DROP TABLE attachment_runs;
    DROP TABLE approvals;
    DROP TABLE deployment_moves;
    DROP TABLE seal;
    PRAGMA user_version = 1;
    PRAGMA application_id = 0;
  `);
  database.run('UPDATE tokens SET hash = ?', createHash('sha256').update('token-of-maria').digest('hex'));
  database.close();
  const store = openStore(file);
  expect(store.users.byToken('token-of-maria')).toMatchObject({
    name: 'maria',
    organizations: ['acme'],
    teams: null,
    current: null,
    created: null,
  });
  store.users.setPassword('maria', 'sealed');
  store.users.issueToken('maria', 'another', 1);
  expect(store.users.byToken('another')?.name).toBe('maria');
  expect(store.records.byName('/acme', undefined, 'shop')).toBeDefined();
  store.close();
  rmSync(folder, { recursive: true });
});
