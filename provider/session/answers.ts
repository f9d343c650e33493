// Answers of the service in this run. A question is asked again only after a write of this run that
// can have changed the answer (flows §8).
import type { Api } from '../../api/client';
import { fillPath, layered, type CallInput, type Route } from '../../api/contract';
import { NotFound } from '../../api/errors';
import { oncePer } from '../values/plain';

type Subject =
  | 'nothing that a run writes'
  | 'many places'
  | 'clouds'
  | 'pack'
  | 'platforms'
  | 'variables'
  | 'inside a platform'
  | 'design releases'
  | 'environments'
  | 'environment'
  | 'releases of an environment'
  | 'other';

/** Questions by the name of their route, or of its area; the first that fits counts. */
const SUBJECTS: readonly (readonly [subject: Subject, asked: readonly string[]])[] = [
  ['nothing that a run writes', ['catalogue', 'clouds.locations', 'service']],
  ['many places', ['clouds.instances', 'clouds.operations', 'design', 'lookups', 'reports']],
  ['clouds', ['clouds.list']],
  ['pack', ['components.template', 'platforms.componentTypes']],
  ['platforms', ['platforms.list', 'platforms.read']],
  ['variables', ['designVariables']],
  ['design releases', ['designReleases']],
  ['inside a platform', ['platforms', 'components', 'platformVariables', 'attachments', 'monitors']],
  ['environments', ['environments.list', 'operations.environments']],
  ['releases of an environment', ['environmentReleases.list', 'environmentReleases.latest', 'environments.timeline']],
  [
    'environment',
    [
      ...['environments', 'environmentPlatforms', 'environmentMonitors', 'environmentAttachments', 'relays'],
      ...['environmentVariables', 'environmentPlatformVariables', 'environmentReleases', 'deployments', 'operations'],
    ],
  ],
];

/** Which answers a write makes old, by its subject, where both are in the same place. */
const OLD: { readonly [written in Subject]?: readonly Subject[] } = {
  platforms: ['platforms', 'pack', 'inside a platform', 'design releases'],
  variables: ['variables', 'design releases'],
  'inside a platform': ['inside a platform', 'design releases'],
  'design releases': ['platforms', 'pack', 'variables', 'inside a platform', 'design releases'],
  environment: ['environments', 'environment', 'releases of an environment'],
};

const OF_DESIGN: readonly Subject[] = ['platforms', 'variables', 'inside a platform', 'design releases'];

/**
 * What the answer of a question is about, or what a write changes. Writes of whole platforms are
 * known by their routes: all other routes of their area read.
 */
export const subjectOf: (route: Pick<Route, 'name' | 'method'>) => Subject = oncePer(({ name, method }) => {
  const [area = ''] = name.split('.');
  if (area === 'platforms' && method !== 'GET') return 'platforms';
  return SUBJECTS.find(([, asked]) => asked.includes(name) || asked.includes(area))?.[0] ?? 'other';
});

/** Answers during a job of the service, which changes them, and others of its environment. */
const isPassing = ({ name }: Route, answer: unknown): boolean =>
  name === 'deployments.status' || name.startsWith('procedures.') || [answer].flat().some(isUnderWay);

function isUnderWay(answer: unknown): boolean {
  const { ciState = '', deploymentState = '' } = (answer ?? {}) as {
    readonly [name: string]: string | null | undefined;
  };
  const isMoving = !['', 'complete', 'canceled', 'failed'].includes(deploymentState ?? '');
  return isMoving || ['locked', 'manifest_locked'].includes(ciState ?? '');
}

type Place = NonNullable<CallInput['address']>;

interface Kept {
  readonly subject: Subject;
  readonly place: Place;
  readonly answer: Promise<unknown>;
  /** Whether the answer came. */
  isThere: boolean;
}

/** The parts of a place by which writes and answers are compared. */
const PARTS = ['assembly', 'environment', 'platform'] as const;

/** Whether two places may be the same, or one in the other. A platform may have a number. */
const meet = (one: Place, other: Place): boolean =>
  PARTS.every((part) => {
    const [first, second] = [one[part], other[part]];
    const isNumbered = part === 'platform' && [first, second].some((name) => name !== undefined && /^\d+$/.test(name));
    return first === undefined || second === undefined || first === second || isNumbered;
  });

/** A list that a refresh needed in a platform of a pack. */
export interface NeededList {
  readonly route: Route;
  readonly pack: string;
  /** The component whose records it has, if they are in one. */
  readonly component: string | undefined;
}

/** The answers of one run. Mutable on purpose, owned by a session. */
export class Answers {
  readonly #kept = new Map<string, Kept>();
  /** Whether a list has complete records, by its route, and by the members of its records. */
  readonly proofs = new Map<string, Promise<boolean>>();
  /** Where a refresh reads, and which lists it needed; packs and components by their paths. */
  readonly ahead = {
    packs: new Map<string, string>(),
    components: new Set<string>(),
    lists: new Map<string, NeededList>(),
  };
  /** The record of each form that is compared first, and when that has ended. */
  readonly firsts = new Map<string, { readonly id: string; readonly ended: Promise<unknown> }>();

  /** An answer that a question has, or is getting; `isAnew`: only one that it is getting. */
  get(key: string, isAnew = false): Promise<unknown> | undefined {
    const kept = this.#kept.get(key);
    return isAnew && kept?.isThere ? undefined : kept?.answer;
  }

  /** Keeps an answer that can be relied on: a value, and that there is none (404). */
  keep(key: string, route: Route, place: Place, answer: Promise<unknown>): void {
    const subject = subjectOf(route);
    if (subject === 'many places') return;
    const kept = { subject, place, answer, isThere: false };
    this.#kept.set(key, kept);
    answer.then(
      (value) => {
        kept.isThere = true;
        if (!isPassing(route, value)) return;
        this.#forget(key, answer);
        this.drop(OLD.environment, place);
      },
      (error: unknown) => {
        kept.isThere = true;
        if (!(error instanceof NotFound)) this.#forget(key, answer);
      },
    );
  }

  /** What is made of answers about a subject, until one of them can be old. */
  derived<T>(key: string, subject: Subject, place: Place, make: () => Promise<T>): Promise<T> {
    const known = this.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const answer = make();
    this.#kept.set(key, { subject, place, answer, isThere: true });
    answer.catch(() => this.#forget(key, answer));
    return answer;
  }

  #forget(key: string, answer: Promise<unknown>): void {
    if (this.#kept.get(key)?.answer === answer) this.#kept.delete(key);
  }

  /** A write can have changed these answers. */
  wrote(route: Route, place: Place): void {
    const written = subjectOf(route);
    const { platform: _, ...whole } = place;
    this.drop(place['assembly'] === undefined ? undefined : OLD[written], place);
    // A platform that goes takes the links of others to it along.
    if (written === 'platforms') this.drop(['platforms', 'inside a platform'], whole);
  }

  /** Asks again what others can have opened. `wide`: all of the environment. */
  lookAgain(place: Place, wide = false): void {
    const ofEnvironment: readonly Subject[] = wide ? (OLD.environment ?? []) : ['releases of an environment'];
    this.drop(place['environment'] === undefined ? OF_DESIGN : ofEnvironment, place);
  }

  /** Forgets what is about some subjects, by default all, in a place. */
  drop(old: readonly Subject[] | undefined, place: Place): void {
    const { environment: _, ...assembly } = place;
    for (const [key, { subject, place: at }] of this.#kept) {
      const isKept =
        subject === 'nothing that a run writes' || (subject === 'clouds' && place['assembly'] !== undefined);
      if (old === undefined ? isKept : !old.includes(subject)) continue;
      if (meet(subject === 'environments' ? assembly : place, at)) this.#kept.delete(key);
    }
  }
}

/** Marks a question that is asked again: another user may have changed its known answer. */
const ANEW = Symbol('asked again');

/** A client that asks again what other users write, and keeps the answers. */
export const askingAnew = (api: Api): Api =>
  layered(api, (next) => (route, input) => next(route, { ...input, [ANEW]: true } as CallInput));

/** A client that sends each GET once, until a write of this run can have changed its answer. */
export function remembering(api: Api, answers: Answers): Api {
  return layered(api, (next) => async (route, input) => {
    const place = input.address ?? {};
    if (route.repeat === 'read') {
      const key = `${fillPath(route.path, { organization: api.organization, ...place })}?${new URLSearchParams(input.query).toString()}`;
      const known = answers.get(key, ANEW in input && mayChange(route));
      if (known !== undefined) return known;
      const answer = next(route, input);
      answers.keep(key, route, place, answer);
      return answer;
    }
    answers.wrote(route, place);
    try {
      return await next(route, input);
    } finally {
      // What was asked while the write was on its way may be from before it.
      answers.wrote(route, place);
    }
  });
}

/** Whether others may change an answer while a run goes on: in a design or an environment. */
const mayChange = (route: Route): boolean =>
  !['nothing that a run writes', 'clouds', 'pack', 'other'].includes(subjectOf(route));
