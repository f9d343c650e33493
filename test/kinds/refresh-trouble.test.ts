// A refresh never takes trouble for absence: whatever is in place of any one answer, or of all of them, a read fails or shows the truth.
// Gone is what answers 404 below an ancestor that can be read, up to the organization.
import { createApi, type Api } from '../../api/client';
import { routes, type WireRequest, type WireResponse } from '../../api/contract';
import type { Inputs } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle, type State } from '../../provider/lifecycle';
import { newSession } from '../../provider/session';
import { rowsInTurn } from '../dialects-in-turn';
import { eachWorld, ROW } from '../world/world';

/** What comes in place of an answer. */
type Trouble = (answer: WireResponse, request: WireRequest) => WireResponse | Promise<WireResponse>;

const json = (status: number, body: unknown): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const html = (status: number, headers: { readonly [name: string]: string } = {}): WireResponse => ({
  status,
  headers: { 'content-type': 'text/html', ...headers },
  body: '<html><title>Gateway</title></html>',
});

/** Lists lose their last entry, at any depth. */
const shorter = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, -1).map(shorter);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorter(inner)]));
};

const TROUBLES: { readonly [name: string]: Trouble } = {
  '401': () => json(401, { error: 'no such token' }),
  '403': () => json(403, { error: 'not allowed' }),
  '429': () => json(429, { error: 'too many' }),
  '500': () => json(500, { error: 'broken' }),
  '502 with a page': () => html(502),
  '404 with a page': () => html(404),
  'a page': () => html(200),
  'a redirect': () => html(302, { location: 'https://login.acme.io/' }),
  'a redirect to the sign-in page': () => html(302, { location: '/users/sign_in' }),
  'a redirect to the page for what is not there': () => html(302, { location: '/not_found_error' }),
  'no answer': () => Promise.reject(new Error('socket hang up')),
  'nothing in the answer': (answer) => ({ ...answer, body: '' }),
  'half an answer': (answer) => ({ ...answer, body: answer.body.slice(0, answer.body.length / 2) }),
  'an empty list': () => json(200, []),
  null: () => json(200, null),
  'another shape': () => json(200, { message: 'welcome' }),
  'a list of another shape': () => json(200, [{ message: 'welcome' }]),
};

/** Trouble that a single record's own lists cannot be distinguished from content: a record must not count as deleted because of it. */
const SHORTENED: Trouble = (answer) => ({ ...answer, body: JSON.stringify(shorter(JSON.parse(answer.body))) });

/** Kinds whose record outlives its delete, and why. */
const OUTLIVING: { readonly [token: string]: string } = {
  DesignRelease: 'a commit cannot be taken back',
  Deployment: 'taken down, it is there as long as its environment',
  EnvironmentPlatform: 'given back, never gone',
  EnvironmentComponent: 'given back, never gone',
  EnvironmentAttachment: 'given back, never gone',
  CloudConfiguration: 'given back, never gone',
  Procedure: 'what was done is not undone',
  InstanceReplacement: 'its marks are taken back',
};

/** Kinds that need something to run, which keeps the service from deleting the assembly. */
const DEPLOYED = ['Deployment', 'Procedure', 'InstanceReplacement'];

const cases = rowsInTurn(
  kinds.flatMap((of, index) =>
    // Each kind is read by lists in one dialect and by single reads in the other, and the next kind the other way round.
    [index % 2 === 0, index % 2 !== 0].map(
      (cached) => [of.token, cached ? 'lists' : 'single reads', of, cached] as const,
    ),
  ),
);

describe.each(cases)('%s %s by %s', (dialect, token, _, of, cached) => {
  const world = eachWorld(dialect);
  let made: State;

  beforeEach(async () => {
    const address = await world.prepare(of);
    world.nextRun();
    const { inputs } = world.life(token).check({ ...address, ...of.sample.create });
    made = await world.life(token).create(inputs, ROW);
    world.nextRun();
  });

  /** A refresh of the record in a separate run, with trouble at its request of a number, or at all; and the number of its requests. */
  const refreshed = async (trouble: Trouble | undefined, at: number | 'all') => {
    const paths: string[] = [];
    const send = async (request: WireRequest): Promise<WireResponse> => {
      if (!paths.includes(request.path)) paths.push(request.path);
      const answer = await world.service.handle(request);
      const struck = at === 'all' || paths.indexOf(request.path) === at;
      return trouble !== undefined && struck ? trouble(answer, request) : answer;
    };
    const options = { url: 'http://127.0.0.1', organization: 'acme', token: 'admin-token', dialect, send };
    const api: Api = createApi({ ...options, attempts: 2, pause: () => Promise.resolve() });
    const life = lifecycle(of, () => Promise.resolve(api), newSession(kinds, undefined, cached));
    const outcome = await life.read(made.id, made.outputs, ROW).then(
      (state): Inputs | 'gone' => state?.inputs ?? 'gone',
      (error: Error) => error,
    );
    return { outcome, requests: paths.length };
  };

  const expectTruth = async (): Promise<Inputs | 'gone'> => {
    const { outcome: truth, requests } = await refreshed(undefined, 'all');
    if (truth instanceof Error) throw truth;
    for (const [name, trouble] of Object.entries(TROUBLES)) {
      for (const at of [...Array(requests).keys(), 'all' as const]) {
        const { outcome } = await refreshed(trouble, at);
        if (!(outcome instanceof Error)) expect({ name, at, outcome }).toEqual({ name, at, outcome: truth });
        else if (at === 'all') expect(outcome.message).toMatch(/^cannot read/);
        else expect(outcome.message).not.toBe('');
      }
    }
    return truth;
  };

  test('existing, it is found or the read fails', async () => {
    expect(await expectTruth()).toEqual(made.inputs);
    const { requests } = await refreshed(undefined, 'all');
    for (const at of [...Array(requests).keys(), 'all' as const])
      expect({ at, outcome: (await refreshed(SHORTENED, at)).outcome }).not.toEqual({ at, outcome: 'gone' });
  });

  test('all trouble is an error', async () => {
    for (const trouble of [...Object.values(TROUBLES), () => json(404, { error: 'not found' })])
      expect((await refreshed(trouble, 'all')).outcome).toBeInstanceOf(Error);
  });

  test('deleted by somebody, it no longer exists or the read fails', async () => {
    if (token in OUTLIVING) return;
    await world.life(token).delete(made.id, made.outputs, ROW);
    expect(await expectTruth()).toBe('gone');
  });

  test('with its whole assembly deleted by somebody, it no longer exists or the read fails', async () => {
    if (!of.path.includes('{assembly}')) return;
    if (DEPLOYED.includes(token)) await world.life('Deployment').delete('acme/shop/prod', { origin: 'created' }, ROW);
    await world.other.call(routes.assemblies.delete, {
      address: { assembly: token === 'Assembly' ? 'sample' : 'shop' },
    });
    expect(await expectTruth()).toBe('gone');
  });
});
