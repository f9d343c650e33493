// Laws of staged writing: what merged and committed reads show in every state of a record, and how releases live.
import { drafts, openStore, stage, type NewRecord, type ReleaseWriter, type Store, type StoredRecord } from '.';

const DESIGN = '/acme/shop';
const maria = { user: 'maria', now: 1000 };
const paul = { user: 'paul', now: 2000 };

/** `writer`: writes as paul. */
function withStore(work: (store: Store, writer: ReleaseWriter) => void): void {
  const store = openStore(':memory:');
  try {
    store.transaction(() => work(store, stage(store, DESIGN, paul)));
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

describe('moves inside an open release (service-facts §3.3)', () => {
  test('update, then delete: the update is dropped', () =>
    withStore((store, writer) => {
      const one = committed(store);
      writer.update(one, { values: { size: 'M' } });
      writer.remove(one);
      expect(store.records.byId(one.id)).toMatchObject({
        values: { size: 'S' },
        change: { action: 'delete', base: {} },
      });
    }));

  test('delete, then update or delete: it stays a delete', () =>
    withStore((store, writer) => {
      const one = committed(store);
      writer.remove(one);
      const before = store.records.byId(one.id);
      writer.update(one, { values: { size: 'M' } });
      writer.remove(one);
      expect(store.records.byId(one.id)).toEqual(before);
    }));

  test('set back to the committed value: the change stays, with equal old and new value', () =>
    withStore((store, writer) => {
      const one = committed(store);
      writer.update(one, { values: { size: 'M' } });
      const back = writer.update(one, { values: { size: 'S' } });
      expect(back.change).toMatchObject({ action: 'update', base: { size: 'S' }, values: { size: 'S' } });
    }));

  test('relations go with the record they start or end at', () =>
    withStore((store, writer) => {
      const [one, two, three] = [committed(store, 'one'), committed(store, 'two'), committed(store, 'three')];
      const setup = stage(store, DESIGN, maria);
      setup.addRelation({ namespace: one.namespace, name: 'x.To', fromId: one.id, toId: two.id });
      setup.commit();
      writer.addRelation({ namespace: one.namespace, name: 'x.To', fromId: three.id, toId: two.id });
      writer.remove(two);
      expect(store.relations.from(one.id)).toMatchObject([{ change: { action: 'delete' } }]);
      expect(store.relations.from(three.id)).toEqual([]);
      writer.commit();
      expect(store.relations.from(one.id)).toEqual([]);
    }));
});

describe('releases (service-facts §3.2)', () => {
  test('a kept deletion leaves the record pending, with its relations, until it is removed', () =>
    withStore((store, writer) => {
      const [one, two] = [committed(store, 'one'), committed(store, 'two')];
      const to = store.relations.insert({ namespace: DESIGN, name: 'x.To', fromId: one.id, toId: two.id }, maria);
      writer.remove(one);
      store.releases.close(writer.release()!.id, paul, { keeps: (each) => each.id === one.id });
      expect(store.records.byId(one.id)).toEqual({ ...one, state: 'pending_deletion' });
      expect(store.relations.from(one.id)).toEqual([to]);
      store.records.remove(one.id);
      expect(store.relations.to(two.id)).toEqual([]);
    }));

  test('one change comes true ahead of its release, with the relations that can', () =>
    withStore((store) => {
      const release = store.releases.begin('/acme/shop/prod/bom', maria);
      const draft = drafts(store, { release, author: maria });
      const [one, two] = [1, 2].map((at) => draft.records.add({ ...record(`n${at}`), impl: null }, { execOrder: at }));
      const ends = { fromId: two!.recordId, toId: one!.recordId };
      const joined = draft.relations.add({ namespace: one!.namespace, name: 'x.To', ...ends });
      expect(store.releases.recordChanges(release.id)).toEqual([]);
      [one!, two!, joined].forEach(store.keep);
      store.releases.commitChange(store.releases.recordChange(one!.id)!, paul);
      expect(store.records.byId(ends.toId, 'committed')).toBeDefined();
      expect(store.relations.to(ends.toId, 'x.To', 'committed')).toEqual([]);
      store.releases.commitChange(store.releases.recordChange(two!.id)!, paul);
      expect(store.relations.to(ends.toId, 'x.To', 'committed')).toHaveLength(1);
      expect(store.releases.open(release.namespace)).toBeDefined();
      expect(store.releases.recordChanges(release.id)).toMatchObject([{ execOrder: 1 }, { execOrder: 2 }]);
    }));
});

test('a deleted name is free again in the same release as soon as the deletion is committed', () =>
  withStore((store, writer) => {
    const one = committed(store);
    writer.remove(one);
    writer.add(record('one', { size: 'XL', note: '' }));
    writer.commit();
    expect(store.records.list({ below: DESIGN })).toMatchObject([{ name: 'one', values: { size: 'XL' } }]);
  }));
