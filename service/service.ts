// Puts the service together: store and its seed, catalogue, handlers, clock, journal, faults.
import { setTimeout as delay } from 'node:timers/promises';
import { allRoutes, defaultAttributes, type Dialect, dialectRules, registeredClass } from '../api/contract';
import { addAdministrators } from './account/teams';
import { createPasswordGate, profilePreparations } from './account/profile';
import { knownClass, newValues } from './runtime/attributes';
import { type Catalogue, loadCatalogue, type Offering } from './catalogue';
import { type NewRecord, onceOf, openStore, type Rights, type Store, type StoreImage, type WriteStamp } from './store';
import { administered, isAdministrative } from './http/administration';
import { notBefore, type ServiceClock, wallClock } from './runtime/clock';
import { addCloud } from './clouds/clouds';
import { addService } from './clouds/services';
import { deployCommittedJobs } from './deployments/deploy-committed';
import { deploymentStepJobs } from './deployments/run';
import { createFaults, type Fault, type Faults } from './faults';
import { guarded } from './http/browsers';
import { createCommit, createDueWork } from './runtime/work';
import { createHandle } from './http/handle';
import type { Handle } from './http/respond';
import { createJournal, type JournalEntry } from './http/journal';
import { createRouter, type Router } from './http/router';
import { handlers } from './handlers';
import { procedureRunners } from './operations/procedures';
import { isPassword, sealPassword } from './runtime/secrets';
import { type Outage, watchOutages } from './transition/outages';
import { transitionJobs } from './transition/background-jobs';

type Placed = Pick<Offering, 'name' | 'attributes'>;

type Ensure = (record: NewRecord) => void;

/** What makes a record below `/public` unless there is one of its name. */
function ensuring(store: Store, author: WriteStamp): Ensure {
  const keyOf = ({ namespace, className, name }: NewRecord): string => `${namespace} ${className} ${name}`;
  const present = new Set(store.records.list({ below: '/public' }, 'committed').map(keyOf));
  return (record) => {
    if (!present.has(keyOf(record))) store.records.insert(record, author);
    present.add(keyOf(record));
  };
}

/**
 * Locations, service templates and offerings of the catalogue as records below `/public`, those
 * missing only: a catalogue that grew since the database was made brings its new ones.
 */
function seedPublic(ensure: Ensure, catalogue: Catalogue): void {
  /** Answers the namespace of what the record contains. */
  const place = (namespace: string, className: string, { name, attributes }: Placed): string => {
    const values = defaultAttributes(knownClass(catalogue, className), attributes);
    ensure({ namespace, className, name, values });
    return `${namespace}/${className}/${name}`;
  };
  for (const location of catalogue.locations()) {
    place(`/public/${location.source}/clouds`, 'mgmt.Cloud', location);
    for (const template of location.services) {
      const inside = place(location.path, registeredClass('mgmt.cloud.service', template.class), template);
      for (const offering of template.offerings) place(inside, 'mgmt.cloud.Offering', offering);
    }
  }
}

/** Procedures of packs as records below `/public`, for `procedureCiId` (service-facts §4.8). */
function seedProcedures(ensure: Ensure, catalogue: Catalogue): void {
  const className = 'mgmt.manifest.Procedure';
  for (const pack of catalogue.packs()) {
    const namespace = `/public/${pack.source}/packs/${pack.name}/${pack.version}`;
    for (const { name, description, arguments: given, definition } of pack.procedures)
      ensure({ namespace, className, name, values: { description, arguments: given, definition } });
  }
}

function seedOrganization(store: Store, catalogue: Catalogue, author: WriteStamp): void {
  const { organization, clouds } = catalogue.seed();
  const className = 'account.Organization';
  const values = newValues(knownClass(catalogue, className), className, organization.attributes);
  store.records.insert({ namespace: '/', className, name: organization.name, values }, author);
  const place = { store, catalogue, organization: organization.name };
  for (const { name, attributes, location, services } of clouds) {
    const cloud = addCloud(place, { name, attributes: { ...attributes, location: location.path } }, author);
    for (const service of services) addService(place, cloud, service, author);
  }
}

/** Seeds a fresh database, and updates public records. Runs inside a transaction. */
export function seed(store: Store, catalogue: Catalogue, now: number): void {
  const author: WriteStamp = { user: 'system', now };
  const ensure = ensuring(store, author);
  seedPublic(ensure, catalogue);
  seedProcedures(ensure, catalogue);
  if (!store.records.exists({ namespace: '/', className: 'account.Organization' }))
    seedOrganization(store, catalogue, author);
  for (const { name } of store.records.list({ namespace: '/', className: 'account.Organization' }, 'committed'))
    addAdministrators(store, name, author);
}

export interface UserOption {
  readonly name: string;
  /** API token; kept only as a hash. */
  readonly token: string;
  /** Lets the user get an API token (service-facts §5.1). Default: no password. */
  readonly password?: string;
  readonly rights?: Rights;
  /**
   * Default: all organizations for a user with all rights; for one that may only read, or that has
   * the rights of teams, those that are there when the user is first added.
   */
  readonly organizations?: readonly string[];
  /** Teams whose rights the user has (service-facts §5.3). Default: all rights. */
  readonly teams?: readonly string[];
}

export interface ServiceOptions {
  /** File of the database, made when it does not exist; `:memory:` for none. */
  readonly database: string;
  /** What a service in memory begins with, its users and time included. Default: the seed. */
  readonly image?: ReturnType<Service['image']>;
  /** Default `documented`. */
  readonly dialect?: Dialect;
  /** Default: the wall clock. */
  readonly clock?: ServiceClock;
  /** Folders with packs of one's own. */
  readonly packs?: readonly string[];
  /** What `loadCatalogue` read, for several services with the same packs, in place of `packs`. */
  readonly catalogue?: Catalogue;
  /** Users to add, or to give this token and these rights; users of an existing database stay. */
  readonly users?: readonly UserOption[];
  /** Makes the first user of a database without users. Default: there is no user. */
  readonly firstUser?: () => UserOption;
  /** What goes wrong on purpose; `Service.faults` changes it later. Default: nothing. */
  readonly faults?: readonly Fault[];
  /** Opens `/_admin/` to users who may write in all organizations. Default: closed. */
  readonly administration?: boolean;
  /** Host names and addresses of the service, besides those of loopback. Default: none. */
  readonly hosts?: readonly string[];
  /** Origins whose web pages may send requests; `*`: all. Never below `/_admin/`. Default: none. */
  readonly origins?: readonly string[];
  /** Waits for a delay of a fault; rejects when the signal aborts. Default: a timer. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Receives each request as it is answered. */
  readonly journal?: (entry: JournalEntry) => void;
  /** Receives mistakes of the service, which answer 500. Default: a warning of the process. */
  readonly bug?: (error: unknown) => void;
}

/** A service: a function of requests, with or without a listener before it. */
export interface Service {
  /** Rejects only where a fault leaves no answer, or the signal ends a delay. */
  readonly handle: Handle;
  readonly clock: ServiceClock;
  readonly dialect: Dialect;
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  /** The newest requests, oldest first. */
  journal(): readonly JournalEntry[];
  /** The moments at which a platform lost its active primary cloud, or all of its instances. */
  outages(): readonly Outage[];
  /** All that a service in memory contains, without faults and outages: others may begin with it. */
  image(): StoreImage & { readonly journal: readonly JournalEntry[] };
  /** Closes the database. Requests after that fail. */
  close(): void;
}

/** The router of a dialect, made once for all services of a process. */
const routerIn = onceOf((dialect: Dialect): Router => {
  const served = allRoutes.filter(({ name }) => handlers[name] !== undefined);
  return createRouter(served, dialect);
});

const warn = (error: unknown): void => process.emitWarning(error instanceof Error ? error : new Error(String(error)));

const timer = async (ms: number, signal?: AbortSignal): Promise<void> =>
  delay(ms, undefined, signal === undefined ? {} : { signal });

function usersToAdd(store: Store, { users = [], firstUser }: ServiceOptions): readonly UserOption[] {
  const isFirst = users.length === 0 && store.users.list().length === 0;
  return isFirst && firstUser !== undefined ? [firstUser()] : users;
}

/** Organizations a user belongs to where no option names them; null: all, later ones too. */
function organizationsOf(store: Store, { name, rights, teams }: UserOption): readonly string[] | null {
  if (rights !== 'read' && teams === undefined) return null;
  const present = (): string[] =>
    store.records.list({ namespace: '/', className: 'account.Organization' }, 'committed').map((record) => record.name);
  return store.users.byName(name)?.organizations ?? present();
}

function addUsers(store: Store, users: readonly UserOption[], now: number): void {
  for (const user of users) {
    store.users.put({
      name: user.name,
      rights: user.rights,
      organizations: user.organizations ?? organizationsOf(store, user),
      teams: user.teams,
      now,
    });
    // The same password again leaves the tokens alone that were handed out for it.
    const sealed = store.users.password(user.name);
    if (user.password !== undefined && (sealed === undefined || !isPassword(sealed, user.password)))
      store.users.setPassword(user.name, sealPassword(user.password));
  }
  store.users.setTokens(users);
}

/**
 * Opens the database and makes a service over it. Throws when the database cannot be used
 * (OtherVersion, or the library's error) or the packs cannot (CatalogueError).
 */
export function createService(options: ServiceOptions): Service {
  const dialect = options.dialect ?? 'documented';
  const catalogue = options.catalogue ?? loadCatalogue(options.packs);
  const store = openStore(options.database, options.clock?.speed, options.image);
  // A clock that was moved by hand wrote times that are still to come: time continues from there.
  const clock = notBefore(options.clock ?? wallClock, store.newest());
  if (options.image?.contents === undefined)
    store.transaction(() => {
      seed(store, catalogue, clock.now());
      addUsers(store, usersToAdd(store, options), clock.now());
    });
  const journal = createJournal(options.journal);
  options.image?.journal.forEach(journal.add);
  const faults = createFaults(options.faults);
  const watch = watchOutages();
  const bug = options.bug ?? warn;
  const runners = watch.runners({
    ...transitionJobs(catalogue),
    ...deploymentStepJobs({ catalogue, faults, rules: dialectRules[dialect] }),
    ...deployCommittedJobs(catalogue),
    ...procedureRunners(faults, catalogue),
  });
  const onDisk = createCommit(
    () => store.settle(),
    (error) => {
      work.restart();
      bug(error);
    },
  );
  const work = createDueWork({ store, clock, runners, onDisk, bug });
  const handle = createHandle({
    store,
    onDisk,
    work: () => work.go(),
    catalogue,
    clock,
    dialect,
    rules: dialectRules[dialect],
    router: routerIn(dialect),
    handlers: watch.handlers(handlers),
    preparations: profilePreparations(createPasswordGate(options.wait ?? timer)),
    journal,
    faults,
    wait: options.wait ?? timer,
    bug,
  });
  const shown = { clock, dialect, faults, outages: watch.outages };
  const rules = { hosts: options.hosts ?? [], origins: options.origins ?? [], ownPagesOnly: isAdministrative };
  const served = options.administration === true ? administered(handle, { ...shown, store, journal }) : handle;
  return {
    handle: guarded(served, { rules, dialect, clock, journal }),
    ...shown,
    journal: journal.entries,
    image: () => ({ ...store.image(), journal: journal.entries() }),
    close: () => {
      work.stop();
      store.close();
    },
  };
}
