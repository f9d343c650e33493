// Fills a database with many records: one assembly made by the service itself, then copied row by row.
import { openStore, type Store, type StoredRecord, type StoredRelation } from '../../service/store';
import { callerOf } from '../service-caller';
import { shopOf } from '../shop';

/** Name of the assembly with a number; 0 is the one the service made. */
export const assemblyName = (number: number): string => (number === 0 ? 'shop' : `assembly-${number}`);

/** What was filled in. */
export interface Filled {
  readonly records: number;
  readonly relations: number;
  readonly assemblies: number;
}

const ROOT = '/acme';
const AUTHOR = { user: 'admin', now: 1_700_000_000_000 };

/** A committed design of two platforms with components, variables and an attachment, as a user would make it. */
async function makeFirst(file: string): Promise<void> {
  const { ok, ...shop } = shopOf('documented', { database: file });
  const make = (rest: string, ciName: string, ciAttributes: object, more: object = {}): Promise<unknown> =>
    ok(shop.design('POST', rest, { cms_dj_ci: { ciName, ciAttributes }, ...more }));
  await shop.assembly();
  for (const [name, pack] of Object.entries({ web: 'tomcat', db: 'redisio' })) {
    await shop.platform(name, { pack });
    const components = `/platforms/${name}/components`;
    await make(components, 'deployer', { username: 'deployer' }, { template_name: 'user' });
    const attachment = { path: '/etc/motd', content: 'hello', runs_on: 'after-add' };
    await make(`${components}/deployer/attachments`, `motd-${name}`, attachment);
  }
  await make('/variables', 'LOG_LEVEL', { value: 'info' });
  await shop.commitDesign();
  shop.close();
}

interface Pattern {
  readonly records: readonly StoredRecord[];
  readonly relations: readonly StoredRelation[];
}

/** Everything the first assembly consists of. */
function patternOf(store: Store): Pattern {
  const assembly = store.records.byName(ROOT, 'account.Assembly', assemblyName(0), 'committed');
  if (assembly === undefined) throw new Error('the first assembly is not there');
  const records = [assembly, ...store.records.list({ below: `${ROOT}/${assembly.name}` }, 'committed')];
  return { records, relations: records.flatMap((record) => store.relations.from(record.id, undefined, 'committed')) };
}

/** Copies the pattern under another name. Relations from elsewhere, the organization's, are left out. */
function copy(store: Store, pattern: Pattern, name: string): void {
  const moved = (namespace: string): string => namespace.replace(`${ROOT}/${assemblyName(0)}`, `${ROOT}/${name}`);
  const ids = new Map<number, number>();
  for (const record of pattern.records) {
    const { className, values, owners, comments, impl } = record;
    const made = store.records.insert(
      {
        namespace: moved(record.namespace),
        name: record.name === assemblyName(0) ? name : record.name,
        className,
        values,
        owners,
        comments,
        impl,
      },
      AUTHOR,
    );
    ids.set(record.id, made.id);
  }
  for (const relation of pattern.relations) {
    const { values, owners, comments } = relation;
    store.relations.insert(
      {
        namespace: moved(relation.namespace),
        name: relation.name,
        fromId: ids.get(relation.fromId) ?? relation.fromId,
        toId: ids.get(relation.toId) ?? relation.toId,
        values,
        owners,
        comments,
      },
      AUTHOR,
    );
  }
}

/** Makes a database file with at least so many records, spread over assemblies that all look alike; with 0 there is only what every database has. */
export async function fill(file: string, wanted: number): Promise<Filled> {
  if (wanted === 0) {
    callerOf('documented', { database: file }).close();
    return { records: 0, relations: 0, assemblies: 0 };
  }
  await makeFirst(file);
  const store = openStore(file);
  const pattern = patternOf(store);
  const assemblies = Math.ceil(wanted / pattern.records.length);
  // Some hundred assemblies at a time keep the write-ahead log small.
  for (let next = 1; next < assemblies; next += 200) {
    const numbers = Array.from({ length: Math.min(200, assemblies - next) }, (_, index) => next + index);
    store.transaction(() => numbers.forEach((number) => copy(store, pattern, assemblyName(number))));
  }
  store.close();
  return {
    records: assemblies * pattern.records.length,
    relations: assemblies * pattern.relations.length,
    assemblies,
  };
}
