// Laws of what is tried and taken back, and of moves and approvals.
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
