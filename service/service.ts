// Puts the service together: store, catalogue, handlers, clock, journal, faults.
import { setTimeout as delay } from 'node:timers/promises';
import { allRoutes, type Dialect, dialectRules } from '../api/contract';
import { accountHandlers, createPasswordGate, profilePreparations } from './account';
import { administered, isAdministrative } from './administration';
import { type Catalogue, loadCatalogue } from './catalogue';
import { type ServiceClock, notBefore, wallClock } from './clock';
import { cloudHandlers } from './clouds';
import { createFailures, deploymentHandlers, deploymentJobs, type Failure, type Failures } from './deployments';
import { designHandlers } from './design';
import { createFaults, type Fault, type Faults } from './faults';
import { type HandlerTable } from './handler';
import { guarded } from './http/browsers';
import { createDueWork } from './due-work';
import { createCommit } from './http/commit';
import { createHandle } from './http/handle';
import { type Handle } from './http/respond';
import { createJournal, type JournalEntry } from './http/journal';
import { createRouter, type Router } from './http/router';
import { lookupHandlers, selfHandlers } from './lookups';
import { operationHandlers, operationJobs } from './operations';
import { isPassword, sealPassword } from './secrets';
import { seed } from './seed';
import { openStore, type Rights, type Store } from './store';
import { type Outage, transitionHandlers, transitionJobs, watchOutages } from './transition';

/** A user that may send requests. */
interface UserOption {
  readonly name: string;
  /** API token; kept only as a hash. */
  readonly token: string;
  /** Lets the user get an API token over HTTP (service-facts §5.1); kept only as a salted scrypt hash. Default: no password. */
  readonly password?: string;
  /** Default `full`. */
  readonly rights?: Rights;
  /**
   * Default: all organizations for a user with all rights; for one that may only read, or that has the rights of teams, those that are there when
   * the user is first added.
   */
  readonly organizations?: readonly string[];
  /** Names of teams: the user has their rights and no others (service-facts §5.3). Default: all rights. */
  readonly teams?: readonly string[];
}

/** How a service is made. */
export interface ServiceOptions {
  /** File of the database, made when it does not exist; `:memory:` for none. */
  readonly database: string;
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
  /** Makes the first user of a database that has none, where `users` names none either. Default: there is no user. */
  readonly firstUser?: () => UserOption;
  /** Work orders and actions to fail on purpose; `Service.failures` changes them later. Default: none. */
  readonly failures?: readonly Failure[];
  /** What goes wrong on purpose; `Service.faults` changes it later. Default: nothing. */
  readonly faults?: readonly Fault[];
  /** Opens the paths below `/_admin/` to users who may write and are not limited to some organizations. Default: closed. */
  readonly administration?: boolean;
  /** Host names and addresses, besides those of loopback, under which requests may ask for the service. Default: none. */
  readonly hosts?: readonly string[];
  /** Origins whose web pages may send requests; `*`: all. Never below `/_admin/`. Default: none. */
  readonly origins?: readonly string[];
  /** Waits for so many ms, for faults that delay; rejects when the signal aborts. Default: a timer. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Told of each request as it is answered. */
  readonly journal?: (entry: JournalEntry) => void;
  /** Told of mistakes of the service itself, which answer 500; default: a warning of the process. */
  readonly bug?: (error: unknown) => void;
}

/** A service: a function of requests, with or without a listener before it. */
export interface Service {
  /** Rejects only where a fault leaves no answer, or the signal ends a delay. */
  readonly handle: Handle;
  readonly clock: ServiceClock;
  readonly dialect: Dialect;
  /** Work orders and actions that fail on purpose. */
  readonly failures: Failures;
  /** Everything that goes wrong on purpose, besides `failures`. */
  readonly faults: Faults;
  /** The newest requests, oldest first. */
  journal(): readonly JournalEntry[];
  /** Every moment so far at which a platform lost its active primary cloud, or all of its instances while it should run. */
  outages(): readonly Outage[];
  /** Closes the database. Requests after that fail. */
  close(): void;
}

/** All handlers, by route name. */
const handlers: HandlerTable = {
  ...accountHandlers,
  ...cloudHandlers,
  ...designHandlers,
  ...transitionHandlers,
  ...deploymentHandlers,
  ...operationHandlers,
  ...lookupHandlers,
};

const routers = new Map<Dialect, Router>();

/** The router of a dialect. It is made once for all services of a process, which have the same routes. */
function routerIn(dialect: Dialect): Router {
  const known = routers.get(dialect);
  if (known !== undefined) return known;
  const served = { ...handlers, ...selfHandlers() };
  const made = createRouter(
    allRoutes.filter(({ name }) => served[name] !== undefined),
    dialect,
  );
  routers.set(dialect, made);
  return made;
}

/** Those that write: a read changes nothing an outage could come from. */
const writing: HandlerTable = Object.fromEntries(
  allRoutes
    .filter(({ repeat }) => repeat !== 'read')
    .flatMap(({ name }) => (handlers[name] === undefined ? [] : [[name, handlers[name]]])),
);

const warn = (error: unknown): void => {
  process.emitWarning(error instanceof Error ? error : new Error(String(error)));
};

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
      ...(user.rights === undefined ? {} : { rights: user.rights }),
      organizations: user.organizations ?? organizationsOf(store, user),
      ...(user.teams === undefined ? {} : { teams: user.teams }),
      now,
    });
    // The same password again leaves the tokens alone that were handed out for it.
    if (user.password !== undefined && !isPassword(store.users.password(user.name), user.password))
      store.users.setPassword(user.name, sealPassword(user.password));
  }
  store.users.setTokens(users);
}

/**
 * Opens the database and makes a service over it. Throws when the database cannot be used (OtherVersion, or the library's error) or the
 * packs cannot (CatalogueError).
 */
export function createService(options: ServiceOptions): Service {
  const dialect = options.dialect ?? 'documented';
  const catalogue = options.catalogue ?? loadCatalogue(options.packs);
  const store = openStore(options.database, options.clock?.speed);
  // A clock that was moved by hand wrote times that are still to come: time continues from there.
  const clock = notBefore(options.clock ?? wallClock, store.newest());
  store.transaction(() => {
    seed(store, catalogue, clock.now());
    addUsers(store, usersToAdd(store, options), clock.now());
  });
  const journal = createJournal(options.journal);
  const failures = createFailures(options.failures);
  const faults = createFaults(options.faults);
  const failing: Pick<Failures, 'take'> = { take: (paths) => failures.take(paths) ?? faults.take(paths) };
  const watch = watchOutages();
  const bug = options.bug ?? warn;
  const onDisk = createCommit(() => store.settle(), bug);
  const runners = watch.runners({
    ...transitionJobs(catalogue),
    ...deploymentJobs({ catalogue, failures: failing, rules: dialectRules[dialect] }),
    ...operationJobs(failing, catalogue),
  });
  const work = createDueWork({ store, clock, runners, onDisk, bug });
  const handle = createHandle({
    store,
    onDisk,
    work: () => work.go(),
    catalogue,
    clock,
    dialect,
    router: routerIn(dialect),
    handlers: { ...handlers, ...watch.handlers(writing), ...selfHandlers() },
    preparations: profilePreparations(createPasswordGate(options.wait ?? timer)),
    journal,
    faults,
    wait: options.wait ?? timer,
    bug,
  });
  const parts = { store, dialect, clock, journal, faults, outages: () => watch.outages() };
  const rules = { hosts: options.hosts ?? [], origins: options.origins ?? [], ownPagesOnly: isAdministrative };
  const served = options.administration === true ? administered(handle, parts) : handle;
  return {
    handle: guarded(served, { rules, dialect, clock, journal }),
    clock,
    dialect,
    failures,
    faults,
    journal: journal.entries,
    outages: () => watch.outages(),
    close: () => {
      work.stop();
      store.close();
    },
  };
}
