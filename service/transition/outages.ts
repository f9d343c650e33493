// Every moment a platform was not served though it should have been: what stories compare with what
// they did.
import { mapValues } from '../../api/contract';
import { type Context, type HandlerTable, quietly } from '../runtime/handler';
import { isLeaving, type Store } from '../store';
import { cloudLinks, storedLink } from './links';
import {
  type EnvironmentPlace,
  instancesNamespace,
  isEnabled,
  locatePlace,
  manifestPlatforms,
  placeById,
  placeOfBom,
} from './place';
import type { Runners, Slices } from '../runtime/work';

/** No active primary cloud; or enabled, ran before, and without instances now. */
const KINDS = ['no-active-primary', 'nothing-runs'] as const;
type OutageKind = (typeof KINDS)[number];

/** The moment an outage began. */
export interface Outage {
  /** ms since 1970, of the service's time. */
  readonly at: number;
  /** `/<o>/<a>/<e>` */
  readonly environment: string;
  readonly platform: string;
  readonly what: OutageKind;
}

/** What a watch remembers, by ciId of the environment and name of the platform. */
interface Memory {
  readonly ran: Set<string>;
  readonly open: Set<string>;
}

/** A new watch. It learns what runs from its looks, and knows nothing of earlier runs. */
export function watchOutages() {
  const outages: Outage[] = [];
  const memory: Memory = { ran: new Set(), open: new Set() };
  const look = (store: Store, place: EnvironmentPlace | undefined, now: number): void => {
    if (place !== undefined) outages.push(...beginning(store, place, now, memory));
  };
  return {
    /** All outages so far, oldest first. */
    outages: (): readonly Outage[] => [...outages],
    /** The same handlers; after each that wrote, the environment its path names is looked at. */
    handlers: (table: HandlerTable): HandlerTable =>
      mapValues(table, (handler) => (context) => {
        const answer = handler(context);
        if (context.store.isPending()) look(context.store, placeInPath(context), context.now);
        return answer;
      }),
    /** The same runners; after each, the environment it is about is looked at. */
    runners: (table: Runners): Runners =>
      mapValues(table, (runner) => (context) => {
        const seen = (): void => look(context.store, placeOfSubject(context.store, context.job.subject), context.now);
        const done = runner(context);
        if (typeof done === 'object') return watched(done, seen);
        seen();
        return done;
      }),
  };
}

/** A job in slices; `seen` follows the last one. */
function* watched(slices: Slices, seen: () => void): Slices {
  yield* slices;
  seen();
}

/** The environment a path names; undefined when it names none, or one that no longer exists. */
function placeInPath(context: Context): EnvironmentPlace | undefined {
  const { assembly, environment } = context.address;
  if (assembly === undefined || environment === undefined) return undefined;
  return quietly(() => locatePlace({ ...context, address: { assembly, environment } }));
}

/** Jobs are about an environment or a deployment. */
function placeOfSubject(store: Store, subject: number): EnvironmentPlace | undefined {
  const deployment = store.deployments.byId(subject);
  return deployment === undefined ? placeById(store, subject) : placeOfBom(store, deployment.namespace);
}

function beginning(store: Store, place: EnvironmentPlace, at: number, memory: Memory): Outage[] {
  const platforms = manifestPlatforms(store, place);
  const keyOf = (name: string): string => `${place.environment.id} ${name}`;
  const there = new Set(platforms.map(({ record }) => keyOf(record.name)));
  // One that no longer exists ran for the last time: a later one of its name has not run yet.
  for (const key of memory.ran) if (key.startsWith(keyOf('')) && !there.has(key)) memory.ran.delete(key);
  return platforms.flatMap((platform) => {
    const { record } = platform;
    const key = keyOf(record.name);
    const isRunning = store.records.exists({ namespace: instancesNamespace(place, record) }, 'committed');
    if (isRunning) memory.ran.add(key);
    const wanted = isEnabled(platform) && !isLeaving(record) && record.state !== 'pending_deletion';
    const links = cloudLinks(store, record.id).map(({ values }) => storedLink(values));
    const active = links.some((link) => link.priority === '1' && link.adminstatus === 'active');
    // A platform that never had a cloud is not served by intention.
    const meant = links.length > 0 || memory.ran.has(key);
    const now: { readonly [kind in OutageKind]: boolean } = {
      'no-active-primary': wanted && meant && !active,
      'nothing-runs': wanted && !isRunning && memory.ran.has(key),
    };
    return KINDS.flatMap((what): Outage[] => {
      const open = `${key} ${what}`;
      const begins = now[what] && !memory.open.has(open);
      if (now[what]) memory.open.add(open);
      else memory.open.delete(open);
      return begins ? [{ at, environment: place.path, platform: record.name, what }] : [];
    });
  });
}
