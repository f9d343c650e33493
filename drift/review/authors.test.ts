// How far a change has come: `deployed` and `not deployed` are said only where the answers of the service show it.
import { routes, type Api, type Call } from '../../api/contract';
import { ServerError } from '../../api/errors';
import type { Kind } from '../../provider';
import { kindOf, kinds } from '../../provider/kinds';
import { newSession } from '../../provider/session';
import { sizeFinding } from '../../test/world/sample-review';
import { releaseText } from '../report/words';
import { boundedGets, recordingApi } from './reading';
import { withReleases } from './authors';
import type { Subject } from './sources';

const subject = (token: string, id: string): Subject => ({ kind: kindOf(token) as Kind, id });

const ENVIRONMENTS = Array.from({ length: 12 }, (_, number) => subject('Environment', `acme/shop/env${number}`));
const PLATFORM = subject('Platform', 'acme/shop/web');

/** Releases of an environment: pulls of the release, and the number of the one that is deployed. */
const releasesOf = (environment: string, pulls: readonly number[], deployed: number) => [
  { releaseId: 99, parentReleaseId: deployed, nsPath: `/acme/shop/${environment}/bom`, releaseState: 'closed' },
  ...pulls.map((releaseId) => ({
    ...{ releaseId, parentReleaseId: 40, nsPath: `/acme/shop/${environment}/manifest`, releaseState: 'closed' },
  })),
];

interface Answers {
  /** By environment: releases that pulled the change. */
  readonly pulls: { readonly [environment: string]: readonly number[] };
  /** By environment: the newest release that is deployed. */
  readonly deployed?: { readonly [environment: string]: number };
  /** Environments of which the service answers nothing. */
  readonly silent?: readonly string[];
}

/** A service with one closed design release, 40, in which maria changed a platform. */
function serviceOf({ pulls, deployed = {}, silent = [] }: Answers): Api {
  const call: Call = (route, { address }) => {
    const environment = address?.['environment'] ?? '';
    if (silent.includes(environment))
      return Promise.reject(new ServerError({ method: 'GET', path: '/', status: 503, messages: [] }));
    if (route.name === routes.deployments.preview.name) return Promise.resolve({ rfcs: { cis: [] } });
    return Promise.resolve(
      route.name === routes.designReleases.list.name
        ? [{ releaseId: 40, releaseState: 'closed', updated: 100, nsPath: '/acme/shop' }]
        : releasesOf(environment, pulls[environment] ?? [], deployed[environment] ?? 0).slice(0, 100),
    );
  };
  const none = (): void => undefined;
  const dialect = (): Promise<'documented'> => Promise.resolve('documented');
  return { url: '', organization: 'acme', call: call as Api['call'], dialect, close: none };
}

/** What a review says of the change. */
async function authorText(answers: Answers, environments: readonly Subject[] = ENVIRONMENTS): Promise<string> {
  const { api, recording } = recordingApi(serviceOf(answers), {});
  const author = { who: 'maria', when: 90 };
  const session = newSession(kinds);
  const live = { outputs: { revision: '45' } } as never;
  const found = [{ subject: PLATFORM, live, author, findings: [sizeFinding({ author })] }];
  const [finding] = await withReleases(
    { api, session, ask: boundedGets(api, recording) },
    [PLATFORM, ...environments],
    found,
  );
  return releaseText(finding?.author ?? author);
}

const NOT_KNOWN = 'release 40 (whether it is deployed is not known)';
const [DEPLOYED, NOT_DEPLOYED] = ['release 40 (deployed)', 'release 40 (not deployed)'];

test.each<[string, Answers, string]>([
  ['deployed in one environment', { pulls: { env1: [50] }, deployed: { env1: 50 } }, DEPLOYED],
  ['deployed, and pulled again', { pulls: { env1: [50, 52] }, deployed: { env1: 51 } }, DEPLOYED],
  ['pulled after the last deployment', { pulls: { env1: [52] }, deployed: { env1: 51 } }, NOT_DEPLOYED],
  ['pulled where nothing was ever deployed', { pulls: { env1: [50] } }, NOT_DEPLOYED],
  [
    'pulled more often than a list has room for, and deployed after the first pull',
    { pulls: { env1: Array.from({ length: 110 }, (_, index) => 300 - index) }, deployed: { env1: 195 } },
    NOT_KNOWN,
  ],
  ['pulled nowhere', { pulls: {} }, NOT_DEPLOYED],
  ['of which an environment does not answer', { pulls: {}, silent: ['env2'] }, NOT_KNOWN],
  [
    'deployed, next to an environment that does not answer',
    { pulls: { env3: [50] }, deployed: { env3: 50 }, silent: ['env2'] },
    DEPLOYED,
  ],
])('a change %s', async (_, answers, text) => {
  expect(await authorText(answers, ENVIRONMENTS.slice(0, 4))).toBe(text);
});

test('who deleted a record is asked within the further requests of a review: the others are for what it reads', async () => {
  const releases = Array.from({ length: 25 }, (_, index) => ({ releaseId: 41 + index, releaseState: 'closed' }));
  const call: Call = ({ name }) =>
    Promise.resolve(name === routes.designReleases.list.name ? releases : { ...releases[0], rfc_cis: [] });
  const service = { ...serviceOf({ pulls: {} }), call: call as Api['call'] };
  const { api, recording } = recordingApi(service, {});
  const asking = { api, session: newSession(kinds), ask: boundedGets(api, recording) };
  const deleted = { subject: PLATFORM, live: undefined, author: undefined, findings: [sizeFinding()] };
  expect(await withReleases(asking, [PLATFORM], [deleted])).toHaveLength(1);
  expect(recording.calls()).toBe(9);
});

test('a change that is deployed in one of so many environments that no request is left for it is not called "not deployed"', async () => {
  expect(await authorText({ pulls: { env11: [50] }, deployed: { env11: 50 } })).toBe(NOT_KNOWN);
  expect(await authorText({ pulls: { env1: [50] }, deployed: { env1: 50 } })).toBe(DEPLOYED);
});
