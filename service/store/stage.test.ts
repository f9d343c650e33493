// Laws of staged writing: what merged and committed reads show in every state of a record, and how releases live.
import { openStore, stage, type NewRecord, type Store, type StoredRecord } from '.';

const DESIGN = '/acme/shop';
const maria = { user: 'maria', now: 1000 };
const paul = { user: 'paul', now: 2000 };

function withStore(work: (store: Store) => void): void {
  const store = openStore(':memory:');
  try {
    store.transaction(() => work(store));
  } finally {
    store.close();
  }
}

const record = (name: string, values: NewRecord['values'] = { size: 'S', note: '' }): NewRecord => ({
  namespace: `${DESIGN}/_design/web`,
  className: 'catalog.Thing',
  name,
  values,
});

function committed(store: Store, name = 'one'): StoredRecord {
  const writer = stage(store, DESIGN, maria);
  const added = writer.add(record(name));
  writer.commit();
  return store.records.byId(added.id)!;
}

describe('a record in each state (service-facts §2.1.2)', () => {
  test('new: seen merged with its final id, not seen committed, survives the commit under that id', () =>
    withStore((store) => {
      const writer = stage(store, DESIGN, maria);
      const added = writer.add(record('one'));
      expect(added).toMatchObject({
        state: null,
        change: { action: 'add', base: {} },
        created: 1000,
        createdBy: 'maria',
      });
      expect(store.records.byId(added.id, 'committed')).toBeUndefined();
      expect(store.records.byName(added.namespace, 'catalog.Thing', 'one')?.id).toBe(added.id);
      stage(store, DESIGN, paul).commit();
      expect(store.records.byId(added.id, 'committed')).toMatchObject({
        id: added.id,
        state: 'default',
        createdBy: 'maria',
      });
    }));

  test('changed: new values merged, old ones committed, base contains the old values of what changed only', () =>
    withStore((store) => {
      const one = committed(store);
      const changed = stage(store, DESIGN, paul).update(one, { values: { size: 'L' } });
      expect(changed).toMatchObject({
        values: { size: 'L', note: '' },
        state: 'default',
        createdBy: 'maria',
        updatedBy: null,
      });
      expect(changed.change).toMatchObject({
        action: 'update',
        base: { size: 'S' },
        values: { size: 'L' },
        createdBy: 'paul',
      });
      expect(store.records.byId(one.id, 'committed')?.values['size']).toBe('S');
      stage(store, DESIGN, maria).commit();
      expect(store.records.byId(one.id)).toMatchObject({ values: { size: 'L' }, updatedBy: 'paul', change: undefined });
    }));

  test('deleted: still listed until the commit, then deleted', () =>
    withStore((store) => {
      const one = committed(store);
      const writer = stage(store, DESIGN, paul);
      writer.remove(one);
      expect(store.records.list({ below: DESIGN })).toMatchObject([
        { id: one.id, comments: 'deleting', change: { action: 'delete', base: {} }, state: 'default' },
      ]);
      writer.commit();
      expect(store.records.list({ below: DESIGN })).toEqual([]);
    }));
});

describe('moves inside an open release (service-facts §3.3)', () => {
  test('add, then delete: the change and the record vanish, the release stays open and can be committed', () =>
    withStore((store) => {
      const writer = stage(store, DESIGN, maria);
      const added = writer.add(record('one'));
      writer.remove(added);
      expect(store.records.byId(added.id)).toBeUndefined();
      expect(writer.release()?.state).toBe('open');
      expect(writer.commit()?.state).toBe('closed');
    }));

  test('update, then delete: the update is dropped', () =>
    withStore((store) => {
      const one = committed(store);
      const writer = stage(store, DESIGN, paul);
      writer.update(one, { values: { size: 'M' } });
      writer.remove(one);
      expect(store.records.byId(one.id)).toMatchObject({
        values: { size: 'S' },
        change: { action: 'delete', base: {} },
      });
    }));

  test('delete, then update or delete: it stays a delete', () =>
    withStore((store) => {
      const one = committed(store);
      const writer = stage(store, DESIGN, paul);
      writer.remove(one);
      const before = store.records.byId(one.id);
      writer.update(one, { values: { size: 'M' } });
      writer.remove(one);
      expect(store.records.byId(one.id)).toEqual(before);
    }));

  test('an update that changes nothing writes nothing and opens no release', () =>
    withStore((store) => {
      const one = committed(store);
      const writer = stage(store, DESIGN, paul);
      expect(writer.update(one, { values: { size: 'S' }, owners: {} })).toEqual(one);
      expect(writer.release()).toBeUndefined();
    }));

  test('set back to the committed value: the change stays, with equal old and new value', () =>
    withStore((store) => {
      const one = committed(store);
      const writer = stage(store, DESIGN, paul);
      writer.update(one, { values: { size: 'M' } });
      const back = writer.update(one, { values: { size: 'S' } });
      expect(back.change).toMatchObject({ action: 'update', base: { size: 'S' }, values: { size: 'S' } });
    }));

  test('comments alone are a change only for an author whose comments count', () =>
    withStore((store) => {
      const one = committed(store);
      expect(stage(store, DESIGN, paul).update(one, { comments: 'x' }).change).toBeUndefined();
      expect(stage(store, DESIGN, { ...paul, commentsCount: true }).update(one, { comments: 'x' }).change?.action).toBe(
        'update',
      );
    }));

  test('an owner alone is a change of its attribute, and a map without it takes it away again', () =>
    withStore((store) => {
      const one = committed(store);
      const writer = stage(store, DESIGN, paul);
      expect(writer.update(one, { owners: { size: 'design' } })).toMatchObject({ owners: { size: 'design' } });
      expect(writer.update(one, { values: { note: 'x' } }).owners).toEqual({ size: 'design' });
      writer.commit();
      expect(stage(store, DESIGN, paul).update(one, { owners: {} }).owners).toEqual({});
    }));

  test('relations go with the record they start or end at', () =>
    withStore((store) => {
      const [one, two, three] = [committed(store, 'one'), committed(store, 'two'), committed(store, 'three')];
      const setup = stage(store, DESIGN, maria);
      setup.addRelation({ namespace: one.namespace, name: 'x.To', fromId: one.id, toId: two.id });
      setup.commit();
      const writer = stage(store, DESIGN, paul);
      writer.addRelation({ namespace: one.namespace, name: 'x.To', fromId: three.id, toId: two.id });
      writer.remove(two);
      expect(store.relations.from(one.id)).toMatchObject([{ change: { action: 'delete' } }]);
      expect(store.relations.from(three.id)).toEqual([]);
      writer.commit();
      expect(store.relations.from(one.id)).toEqual([]);
    }));
});

describe('releases (service-facts §3.2)', () => {
  test('discarding takes all changes out of sight and leaves what was committed', () =>
    withStore((store) => {
      const one = committed(store);
      const writer = stage(store, DESIGN, paul);
      writer.update(one, { values: { size: 'M' } });
      writer.add(record('two'));
      expect(writer.discard()?.state).toBe('canceled');
      expect(store.records.list({ below: DESIGN })).toEqual([one]);
      expect(store.records.exists({ below: DESIGN, name: 'two' })).toBe(false);
    }));

  test('closed and canceled are terminal', () =>
    withStore((store) => {
      committed(store);
      const closed = store.releases.latest(DESIGN)!;
      expect(store.releases.cancel(closed.id, paul)).toEqual(closed);
      expect(store.releases.close(closed.id, paul, { description: 'again' })).toEqual(closed);
    }));

  test('a part is closed alone and the rest stays open, under the same changes', () =>
    withStore((store) => {
      const writer = stage(store, DESIGN, maria);
      const [one, two] = [writer.add(record('one')), writer.add(record('two'))];
      const first = writer.release()!;
      store.releases.closePart(first.id, paul, (change) => 'recordId' in change && change.recordId === one.id);
      expect(store.releases.byId(first.id)?.state).toBe('closed');
      expect(store.records.byId(one.id)?.change).toBeUndefined();
      expect(store.records.byId(two.id)?.change).toMatchObject({ id: two.change!.id, action: 'add' });
      expect(store.releases.open(DESIGN)?.id).toBe(store.records.byId(two.id)?.change?.releaseId);
    }));

  test('a kept deletion leaves the record pending, with its relations, until it is removed', () =>
    withStore((store) => {
      const [one, two] = [committed(store, 'one'), committed(store, 'two')];
      store.relations.insert({ namespace: DESIGN, name: 'x.To', fromId: one.id, toId: two.id }, maria);
      const writer = stage(store, DESIGN, paul);
      writer.remove(one);
      writer.commit({ keeps: (each) => each.id === one.id });
      expect(store.records.byId(one.id)).toMatchObject({ state: 'pending_deletion', change: undefined });
      expect(store.relations.from(one.id)).toMatchObject([{ toId: two.id, change: undefined }]);
      store.records.remove(one.id);
      expect(store.relations.to(two.id)).toEqual([]);
    }));

  test('one change comes true ahead of its release, with the relations that can', () =>
    withStore((store) => {
      const writer = stage(store, '/acme/shop/prod/bom', maria);
      const [one, two] = [writer.add(record('one'), { execOrder: 1 }), writer.add(record('two'), { execOrder: 2 })];
      writer.addRelation({ namespace: one.namespace, name: 'x.To', fromId: two.id, toId: one.id });
      store.releases.commitChange(one.change!.id, paul);
      expect(store.records.byId(one.id, 'committed')).toBeDefined();
      expect(store.relations.to(one.id, 'x.To', 'committed')).toEqual([]);
      store.releases.commitChange(two.change!.id, paul);
      expect(store.relations.to(one.id, 'x.To', 'committed')).toHaveLength(1);
      expect(writer.release()?.state).toBe('open');
      expect(store.releases.recordChanges(writer.release()!.id)).toMatchObject([{ execOrder: 1 }, { execOrder: 2 }]);
    }));

  test('a replaced record is born again', () =>
    withStore((store) => {
      const one = committed(store);
      store.records.setState(one.id, 'replace');
      const writer = stage(store, DESIGN, paul);
      writer.replace(one, { values: { size: 'L' } });
      writer.commit();
      expect(store.records.byId(one.id)).toMatchObject({ state: 'default', created: 2000, values: { size: 'L' } });
    }));
});

test('a renamed record is found under its new name, and under the old one only committed', () =>
  withStore((store) => {
    const one = committed(store);
    stage(store, DESIGN, paul).update(one, { name: 'other' });
    const { namespace, className } = one;
    expect(store.records.byName(namespace, className, 'other')?.id).toBe(one.id);
    expect(store.records.byName(namespace, className, 'one')).toBeUndefined();
    expect(store.records.byName(namespace, className, 'one', 'committed')?.id).toBe(one.id);
    expect(store.records.byName(namespace, className, 'other', 'committed')).toBeUndefined();
  }));

test('a deleted name is free again in the same release as soon as the deletion is committed', () =>
  withStore((store) => {
    const one = committed(store);
    const writer = stage(store, DESIGN, paul);
    writer.remove(one);
    writer.add(record('one', { size: 'XL', note: '' }));
    writer.commit();
    expect(store.records.list({ below: DESIGN })).toMatchObject([{ name: 'one', values: { size: 'XL' } }]);
  }));
