// A service on a free port for one story, with its journal and a client that looks at what it contains.
import { createApi, type Api } from '../../api/client';
import {
  routes,
  type Dialect,
  type Instance,
  type Record as WireRecord,
  type WireRequest,
  type WireResponse,
} from '../../api/contract';
import { createService, fastClock, listen, type ServiceClock, type Service, type ServiceOptions } from '../../service';
import { handOf, type Hand } from '../world/hand';

export const TOKEN = 'canary-token-5a0c';

export interface LiveService {
  readonly url: string;
  readonly service: Service;
  /** The client of another user. */
  readonly other: Api;
  readonly maria: Hand;
  /** Requests since the last call, as `POST assemblies.create`. */
  requests(): readonly string[];
  /** Requests since the last call that were no reads. */
  writes(): readonly string[];
  /** Names of design platforms. */
  platforms(assembly: string): Promise<readonly string[]>;
  /** `environment/platform` of everything that runs, each once. */
  running(assembly: string): Promise<readonly string[]>;
  instances(assembly: string): Promise<readonly Instance[]>;
  assemblies(): Promise<readonly string[]>;
  /** Puts something between its callers and the service; nothing is between them by default. */
  intercept(between?: Between): void;
  stop(): Promise<void>;
}

type Handle = (request: WireRequest) => Promise<WireResponse>;

/** What becomes of a request on its way to the service. */
type Between = (request: WireRequest, next: Handle) => Promise<WireResponse>;

/** Starts a service; by default its own work goes 200 times as fast as real. */
export async function startService(
  dialect: Dialect = 'documented',
  token = TOKEN,
  clock: ServiceClock = fastClock(200),
  users: NonNullable<ServiceOptions['users']> = [],
  packs: NonNullable<ServiceOptions['packs']> = [],
): Promise<LiveService> {
  const service = createService({
    database: ':memory:',
    dialect,
    clock,
    packs,
    users: [{ name: 'admin', token }, { name: 'maria', token: 'maria-token' }, ...users],
  });
  const straight: Between = (request, next) => next(request);
  let between = straight;
  const handle: Service['handle'] = (request, signal) => between(request, (sent) => service.handle(sent, signal));
  const listening = await listen({ ...service, handle }, { port: 0 });
  const other = createApi({ url: listening.url, organization: 'acme', token: 'maria-token', dialect });
  let seen = 0;
  const requests = (): readonly string[] => {
    const fresh = service
      .journal()
      .slice(seen)
      .filter((entry) => entry.user !== 'maria');
    seen = service.journal().length;
    return fresh.map((entry) => `${entry.method} ${entry.route ?? entry.path}`);
  };
  const names = (records: readonly WireRecord[]): readonly string[] => records.map((record) => record.ciName).sort();
  const instances = (assembly: string): Promise<readonly Instance[]> =>
    other.call(routes.operations.assemblyInstances, { address: { assembly }, query: { instances_state: 'all' } });
  return {
    url: listening.url,
    service,
    other,
    // The service's clock goes by itself: a deployment by hand has to be waited for.
    maria: handOf(other, () => new Promise((resolve) => void setTimeout(resolve, 20))),
    requests,
    writes: () => requests().filter((request) => !request.startsWith('GET')),
    platforms: async (assembly) => names(await other.call(routes.platforms.list, { address: { assembly } })),
    instances,
    running: async (assembly) => {
      const places = (await instances(assembly)).map(({ nsPath }) =>
        [nsPath.split('/')[3], nsPath.split('/')[5]].join('/'),
      );
      return [...new Set(places)].sort();
    },
    assemblies: async () => names(await other.call(routes.assemblies.list, {})),
    intercept(other = straight) {
      between = other;
    },
    async stop() {
      other.close();
      await listening.close();
      service.close();
    },
  };
}
