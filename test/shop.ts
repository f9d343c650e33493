// An assembly `shop` on the service, driven from its design to running instances by requests.
import {
  type Dialect,
  type Environment,
  type Instance,
  type Procedure,
  type Record as WireRecord,
  type Relation,
} from '../api/contract';
import type { ServiceOptions } from '../service';
import { callerOf, type Caller, type Reply, lent, type Turn } from './service-caller';

const ASSEMBLIES = '/acme/assemblies';
const SHOP = `${ASSEMBLIES}/shop`;
const ENVIRONMENTS = `${SHOP}/transition/environments`;

/** Clouds of an environment: cloud name → priority, or link attributes. */
type CloudsByName = { readonly [cloud: string]: string | { readonly [attribute: string]: string } };

/** Bodies: what is written in a design or an environment, and records outside of both. */
export const change = (ciAttributes: unknown) => ({ cms_dj_ci: { ciAttributes } });
export const named = (ciName: unknown, ciAttributes: unknown) => ({ cms_dj_ci: { ciName, ciAttributes } });
export const ofTemplate = (template_name: string, ciName: unknown, ciAttributes: unknown) => ({
  template_name,
  ...named(ciName, ciAttributes),
});
export const recordChange = (ciAttributes: unknown) => ({ cms_ci: { ciAttributes } });
export const record = (ciName: unknown, ciAttributes: unknown) => ({ cms_ci: { ciName, ciAttributes } });

/** The definition of a procedure whose actions run on instances of its component. */
export const flowOf = (actions: readonly object[], facts: object = {}): string =>
  JSON.stringify({
    name: 'procedure',
    flow: [{ relationName: 'base.RealizedAs', direction: 'from', actions, ...facts }],
  });

interface PlatformOptions {
  readonly pack?: string;
  readonly version?: string;
  readonly links?: readonly string[];
}

/** How a commit ended: comments of the environment, and the open bom release, if any. */
interface Committed {
  readonly comments: string;
  readonly bom: { readonly releaseId: number; readonly changes: readonly WireRecord[] } | undefined;
}

export interface Shop extends Caller {
  /** Path of an environment. */
  at(environment: string, rest?: string): string;
  /** Answers the body of an answer with status 200; throws for any other. */
  ok<T = WireRecord>(reply: Reply | Promise<Reply>): Promise<T>;
  /** Answers what a path shows. */
  get<T = WireRecord>(path: string): Promise<T>;
  /** Answers what a path of environment `prod` shows. */
  show<T = WireRecord>(rest: string): Promise<T>;
  /** Sends to a path of environment `prod`. */
  prod(method: string, rest?: string, body?: unknown): Promise<Reply>;
  assembly(): Promise<WireRecord>;
  platform(name: string, options?: PlatformOptions): Promise<WireRecord>;
  design(method: string, rest: string, body?: unknown): Promise<Reply>;
  /** Commits the open design release, if there is one. */
  commitDesign(): Promise<void>;
  cloudIds(): Promise<{ readonly [name: string]: number }>;
  clouds(byName: CloudsByName): Promise<{ readonly [id: string]: unknown }>;
  createEnvironment(
    name: string,
    clouds: CloudsByName,
    facts?: { availability?: { readonly [platform: string]: string }; attributes?: object },
  ): Promise<Reply>;
  /** An assembly with these platforms, its design committed, and an environment `prod` of it. */
  build(
    platforms: { readonly [name: string]: PlatformOptions },
    clouds?: CloudsByName,
    facts?: Parameters<Shop['createEnvironment']>[2],
  ): Promise<void>;
  /** Changes a component of platform `web` in the design. */
  redesign(component: string, attributes: object): Promise<Reply>;
  /** Adds an attachment to a component of the design, `web/os`; `on`: its events. */
  attach(component: string, name: string, attributes: object, on?: string): Promise<Reply>;
  /** Reads an environment until no job has it. */
  settled(environment: string): Promise<Environment>;
  pull(environment: string, availability?: { readonly [platform: string]: string }): Promise<Environment>;
  commit(environment: string): Promise<Committed>;
  /** Starts a deployment of the open bom release; answers its id. */
  start(environment: string, facts?: object): Promise<number>;
  /** Reads a deployment's status until it is in one of these states. */
  until(
    environment: string,
    deployment: number,
    ...states: readonly string[]
  ): Promise<{
    readonly deploymentState: string;
    readonly rfc_info: { readonly [rfc: string]: { readonly state: string; readonly comments: string | null } };
  }>;
  /** Commits environment `prod`, and starts the deployment of its bom release; answers its id. */
  begin(facts?: object): Promise<number>;
  /** Asks for a state of a deployment of environment `prod`. */
  ask(deployment: number, deploymentState: string): Promise<Reply>;
  /** Starts a procedure at a record. `more`: members of the body besides the procedure. */
  run(ciId: number, procedure: object, more?: object): Promise<Reply>;
  /** Asks for a state of a procedure. */
  askProcedure(id: number, procedureState: string): Promise<Reply>;
  /** Reads a procedure until it is in one of these states. */
  procedure(id: number, ...states: readonly string[]): Promise<Procedure>;
  /** Commits, and deploys to its end unless there is nothing to do; answers its state. */
  deploy(environment: string): Promise<string>;
  configure(environment: string, platform: string, cloud: string, attributes: object): Promise<Reply>;
  manifest(
    environment: string,
    platform: string,
  ): Promise<WireRecord & { readonly consumes: Relation[]; readonly links_to: string[] }>;
  /** Names of the platforms in the manifest. */
  platforms(environment: string): Promise<string[]>;
  /** `web/compute@east`, once for each instance, sorted. */
  running(environment: string): Promise<string[]>;
  instances(environment: string): Promise<Instance[]>;
}

/** A shop on a fresh service in memory, or on that of a caller. */
export function shopOf(
  dialect: Dialect,
  options: Partial<ServiceOptions> = {},
  caller: Caller = callerOf(dialect, options),
): Shop {
  const { send } = caller;
  const at = (environment: string, rest = ''): string => `${ENVIRONMENTS}/${environment}${rest}`;
  const ok = async <T = WireRecord>(reply: Reply | Promise<Reply>): Promise<T> => {
    const { status, text, body } = await reply;
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return body as T;
  };
  const poll = async <T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> => {
    for (let turn = 0; turn < 500; turn += 1) {
      const value = await read();
      if (done(value)) return value;
    }
    throw new Error('not settled after 500 reads');
  };
  const cloudIds = async (): Promise<{ readonly [name: string]: number }> =>
    Object.fromEntries(
      (await ok<WireRecord[]>(send('GET', '/acme/clouds'))).map((cloud) => [cloud.ciName, cloud.ciId]),
    );
  const clouds = async (byName: CloudsByName): Promise<{ readonly [id: string]: unknown }> => {
    const ids = await cloudIds();
    return Object.fromEntries(Object.entries(byName).map(([name, link]) => [String(ids[name]), link]));
  };
  const settled = (environment: string): Promise<Environment> =>
    poll(
      () => ok<Environment>(send('GET', at(environment))),
      (record) => record.ciState === 'default',
    );
  const instances = (environment: string): Promise<Instance[]> =>
    ok<Instance[]>(send('GET', `${SHOP}/operations/environments/${environment}/instances?instances_state=all`));
  const shop: Shop = {
    ...caller,
    at,
    ok,
    get: (path) => ok(send('GET', path)),
    show: (rest) => shop.get(at('prod', rest)),
    prod: (method, rest = '', body) => send(method, at('prod', rest), body),
    cloudIds,
    clouds,
    settled,
    instances,
    assembly: () =>
      ok(send('POST', ASSEMBLIES, { cms_ci: { ciName: 'shop', ciAttributes: { owner: 'team@acme.io' } } })),
    platform: (name, { pack = 'custom', version = '1', links = [] } = {}) =>
      ok(
        send('POST', `${SHOP}/design/platforms`, {
          cms_dj_ci: { ciName: name, ciAttributes: { source: 'oneops', pack, version } },
          links_to: links,
        }),
      ),
    design: (method, rest, body) => send(method, `${SHOP}/design${rest}`, body),
    commitDesign: async () => {
      const latest = await ok<{ releaseId: number; releaseState: string }>(
        send('GET', `${SHOP}/design/releases/latest`),
      );
      if (latest.releaseState !== 'open') return;
      const closed = await ok<{ releaseState: string }>(
        send('POST', `${SHOP}/design/releases/${latest.releaseId}/commit`, {}),
      );
      if (closed.releaseState !== 'closed') throw new Error(`the design release is ${closed.releaseState}`);
    },
    createEnvironment: async (name, byName, { availability = { none: 'default' }, attributes = {} } = {}) =>
      send('POST', dialect === 'classic' ? ENVIRONMENTS : at(name), {
        clouds: await clouds(byName),
        platform_availability: availability,
        cms_ci: { ciName: name, ciAttributes: { availability: 'single', ...attributes } },
      }),
    build: async (platforms, byName = { east: '1' }, facts = {}) => {
      await shop.assembly();
      for (const [name, options] of Object.entries(platforms)) await shop.platform(name, options);
      await shop.commitDesign();
      await ok(shop.createEnvironment('prod', byName, facts));
    },
    redesign: (component, attributes) =>
      shop.design(
        'PUT',
        `/platforms/web/components${dialect === 'classic' ? `/${component}` : ''}`,
        named(component, attributes),
      ),
    attach: (component, name, attributes, on) => {
      const events = dialect === 'classic' ? 'run_on' : 'runs_on';
      return shop.design(
        'POST',
        `/platforms/${component.replace('/', '/components/')}/attachments`,
        named(name, { priority: '1', ...(on === undefined ? {} : { [events]: on }), ...attributes }),
      );
    },
    pull: async (environment, availability = { none: 'default' }) => {
      await ok(send('POST', at(environment, '/pull'), { platform_availability: availability, async: 'true' }));
      return settled(environment);
    },
    commit: async (environment) => {
      const locked = await ok<Environment>(send('POST', at(environment, '/commit'), {}));
      if (locked.ciState !== 'locked' || locked.comments !== '')
        throw new Error(`after commit the environment is ${locked.ciState}`);
      const { comments } = await settled(environment);
      const reply = await send('GET', at(environment, '/releases/bom?include_rfcs=cis'));
      const bom = reply.body as { releaseId: number; releaseState?: string; rfc_cis: WireRecord[] };
      const open = reply.status === 200 && bom.releaseState === 'open';
      return { comments: comments ?? '', bom: open ? { releaseId: bom.releaseId, changes: bom.rfc_cis } : undefined };
    },
    start: async (environment, facts = {}) => {
      const bom = await ok<{ releaseId: number }>(send('GET', at(environment, '/releases/bom')));
      const body = { cms_deployment: { releaseId: bom.releaseId, nsPath: `/acme/shop/${environment}/bom`, ...facts } };
      return (await ok<{ deploymentId: number }>(send('POST', at(environment, '/deployments/'), body))).deploymentId;
    },
    until: (environment, deployment, ...states) =>
      poll(
        () => ok(send('GET', at(environment, `/deployments/${deployment}/status`))),
        ({ deploymentState }) => states.includes(deploymentState),
      ),
    begin: async (facts) => {
      await shop.commit('prod');
      return shop.start('prod', facts);
    },
    ask: (deployment, deploymentState) =>
      shop.prod('PUT', `/deployments/${deployment}`, { cms_deployment: { deploymentState } }),
    run: (ciId, procedure, more = {}) =>
      send('POST', '/acme/operations/procedures', {
        cms_procedure: { procedureCiId: '0', ciId: String(ciId), procedureState: 'active', ...procedure },
        ...more,
      }),
    askProcedure: (id, procedureState) =>
      send('PUT', `/acme/operations/procedures/${id}`, { cms_procedure: { procedureState } }),
    procedure: (id, ...states) =>
      poll(
        () => shop.get<Procedure>(`/acme/operations/procedures/${id}`),
        ({ procedureState }) => states.includes(procedureState),
      ),
    deploy: async (environment) => {
      const { bom, comments } = await shop.commit(environment);
      if (comments.startsWith('ERROR:')) return comments;
      if (bom === undefined) return 'nothing';
      const id = await shop.start(environment);
      return (await shop.until(environment, id, 'complete', 'failed', 'paused', 'canceled')).deploymentState;
    },
    configure: async (environment, platform, cloud, attributes) =>
      send('PUT', at(environment, `/platforms/${platform}/cloud_configuration`), {
        cloud_id: String((await cloudIds())[cloud]),
        attributes,
      }),
    manifest: (environment, platform) => ok(send('GET', at(environment, `/platforms/${platform}`))),
    platforms: async (environment) =>
      (await ok<WireRecord[]>(send('GET', at(environment, '/platforms')))).map((platform) => platform.ciName),
    running: async (environment) =>
      (await instances(environment))
        .map(
          ({ nsPath, ciName, deployedTo }) =>
            `${nsPath.split('/')[5]}/${ciName.replace(/-\d+-\d+$/, '')}@${deployedTo?.ciName}`,
        )
        .sort(),
  };
  return shop;
}

/** A shop for each test, or for all tests, of the block that asks. `prepare` may use it. */
export const shopFor = (
  turn: Turn,
  dialect: Dialect,
  prepare: () => unknown = () => undefined,
  options: Partial<ServiceOptions> = {},
): Shop => lent(turn, () => shopOf(dialect, options), prepare);
