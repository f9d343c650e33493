// How far a change has come: `deployed` and `not deployed` are said only where the answers of the service show it.
import { routes, type Api, type Call } from '../../api/contract';
import { NotFound, ServerError } from '../../api/errors';
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

const manifest = (environment: string, releaseId: number, updated: number) => ({
  ...{ releaseId, updated, parentReleaseId: 40, nsPath: `/acme/shop/${environment}/manifest`, releaseState: 'closed' },
});

const refusal = (status: number) => ({ method: 'GET', path: '/', status, messages: [] });

interface Answers {
  /** By environment: times at which a release with the change was pulled. */
  readonly pulls: { readonly [environment: string]: readonly number[] };
  /** By environment: the newest deployment. */
  readonly deployments: {
    readonly [environment: string]: { readonly created: number; readonly deploymentState: string };
  };
  /** Environments of which the service answers nothing. */
  readonly silent?: readonly string[];
}

/** A service with one closed design release, 40, in which maria changed a platform. */
function serviceOf({ pulls, deployments, silent = [] }: Answers): Api {
  const call: Call = (route, { address }) => {
    const environment = address?.['environment'] ?? '';
    if (silent.includes(environment)) return Promise.reject(new ServerError(refusal(503)));
    if (route.name === routes.designReleases.list.name)
      return Promise.resolve([{ releaseId: 40, releaseState: 'closed', updated: 100, nsPath: '/acme/shop' }]);
    if (route.name === routes.environmentReleases.list.name)
      return Promise.resolve(
        (pulls[environment] ?? [])
          .map((at, index) => manifest(environment, 50 + index, at))
          .reverse()
          .slice(0, 50),
      );
    const newest = deployments[environment];
    return newest === undefined ? Promise.reject(new NotFound(refusal(404))) : Promise.resolve(newest);
  };
  const none = (): void => undefined;
  const dialect = (): Promise<'documented'> => Promise.resolve('documented');
  return { url: '', organization: 'acme', call: call as Api['call'], dialect, close: none };
}

/** What a review says of the change. */
async function told(answers: Answers, environments: readonly Subject[] = ENVIRONMENTS): Promise<string> {
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

const COMPLETE = { created: 300, deploymentState: 'complete' };
const NOT_KNOWN = 'release 40 (whether it is deployed is not known)';
const [DEPLOYED, NOT_DEPLOYED] = ['release 40 (deployed)', 'release 40 (not deployed)'];

test.each<[string, Answers, string]>([
  ['deployed in one environment', { pulls: { env1: [200] }, deployments: { env1: COMPLETE } }, DEPLOYED],
  ['deployed, and pulled again', { pulls: { env1: [200, 400] }, deployments: { env1: COMPLETE } }, DEPLOYED],
  ['pulled after the last deployment', { pulls: { env1: [400] }, deployments: { env1: COMPLETE } }, NOT_DEPLOYED],
  ['pulled where nothing was ever deployed', { pulls: { env1: [200] }, deployments: {} }, NOT_DEPLOYED],
  [
    'pulled more often than a list has room for, and deployed after the first pull',
    {
      pulls: { env1: Array.from({ length: 60 }, (_, index) => 200 + 10 * index) },
      deployments: { env1: { ...COMPLETE, created: 205 } },
    },
    NOT_KNOWN,
  ],
  ['pulled nowhere', { pulls: {}, deployments: {} }, NOT_DEPLOYED],
  ['of which an environment does not answer', { pulls: {}, deployments: {}, silent: ['env2'] }, NOT_KNOWN],
  [
    'deployed, next to an environment that does not answer',
    { pulls: { env3: [200] }, deployments: { env3: COMPLETE }, silent: ['env2'] },
    DEPLOYED,
  ],
  [
    'whose deployment is not complete',
    { pulls: { env1: [200] }, deployments: { env1: { created: 300, deploymentState: 'active' } } },
    NOT_KNOWN,
  ],
])('a change %s', async (_, answers, text) => {
  expect(await told(answers, ENVIRONMENTS.slice(0, 4))).toBe(text);
});

test('who deleted a record is asked within the further requests of a review: the others are for what it reads', async () => {
  const releases = Array.from({ length: 25 }, (_, index) => ({ releaseId: 41 + index, releaseState: 'closed' }));
  const call: Call = ({ name }) =>
    Promise.resolve(name === routes.designReleases.list.name ? releases : { ...releases[0], rfc_cis: [] });
  const service = { ...serviceOf({ pulls: {}, deployments: {} }), call: call as Api['call'] };
  const { api, recording } = recordingApi(service, {});
  const asking = { api, session: newSession(kinds), ask: boundedGets(api, recording) };
  const deleted = { subject: PLATFORM, live: undefined, author: undefined, findings: [sizeFinding()] };
  expect(await withReleases(asking, [PLATFORM], [deleted])).toHaveLength(1);
  expect(recording.calls()).toBe(9);
});

test('a change that is deployed in one of so many environments that no request is left for it is not called "not deployed"', async () => {
  expect(await told({ pulls: { env11: [200] }, deployments: { env11: COMPLETE } })).toBe(NOT_KNOWN);
  expect(await told({ pulls: { env1: [200] }, deployments: { env1: COMPLETE } })).toBe(DEPLOYED);
});
