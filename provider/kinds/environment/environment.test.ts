// What a Deployment's row says in a preview: what changed, and what an earlier run left to do.
import type { Kind } from '../..';
import { kindOf, kinds } from '..';
import { declaredKey, newSession } from '../../session';
import { deploymentVerbs, unfinishedText } from './deployment';
import { type Relation, type Route, routes } from '../../../api/contract';
import type { Work } from '../../kind';
import { declaredProcedure } from './procedure';
import { liveScale, LOCKS_ONLY, setScale } from './scaling';

const PULLS = { designRelease: 'next' };

/** What a preview says. `set`: values of the environment that change. */
const plan = (
  state: string,
  changed: readonly string[] = [],
  { running, set = PULLS, down }: { readonly running?: string; readonly set?: object; readonly down?: string[] } = {},
): string | undefined => {
  const session = newSession(kinds);
  for (const [token, address] of CHANGES.filter((each) => changed.includes(each[0]))) {
    const of = kindOf(token) as Kind;
    const inputs = token === 'Environment' ? { ...address, ...set } : address;
    session.memory.note(declaredKey(of, address), { of, address, inputs, known: address, isChanged: true });
  }
  const address = { assembly: 'shop', environment: 'prod' };
  const args = { ...address, state: 'complete', down };
  return deploymentVerbs.plan?.({ state, running }, { session, address, args });
};

const CHANGES = [
  ['Component', { assembly: 'shop', platform: 'db', name: 'mysql' }],
  ['Variable', { assembly: 'shop', name: 'LEVEL' }],
  ['Environment', { assembly: 'shop', name: 'prod' }],
  ['CloudConfiguration', { assembly: 'shop', environment: 'prod', platform: 'web', cloud: 'east' }],
] as const;

test.each([
  ['complete', undefined],
  ['none', 'will deploy prod: an earlier run stopped before it deployed anything'],
  ['failed', 'will deploy prod: its last deployment failed'],
  ['canceled', 'will deploy prod: its last deployment was canceled'],
  ['pending', 'will deploy prod: its last deployment waited for an approval'],
  ['nothing runs of web', 'will deploy prod: a refresh found: nothing runs of web'],
  ['strange', 'will deploy prod: its last deployment is strange'],
])('after a deployment that is %s', (state, said) => expect(plan(state)).toBe(said));

test('what changed comes first', () => {
  const tokens = ['Environment', 'CloudConfiguration'];
  expect(plan('complete', tokens)).toBe('will deploy: ~prod ~prod/web/east');
  expect(plan('failed', tokens)).toBe('will deploy: ~prod ~prod/web/east; its last deployment failed');
});

test.each<[string, readonly string[], object, string]>([
  ['a cloud of a platform', ['CloudConfiguration'], {}, '~prod/web/east in platform web (7 of 16 instances)'],
  ['a component of a design that is not pulled', ['Environment', 'Component'], { description: 'x' }, '~prod'],
  [
    'a component, and a variable of all platforms',
    ['Environment', 'Variable', 'Component'],
    PULLS,
    '~prod in platform db (9 of 16 instances), perhaps in platform web (7 of 16 instances)',
  ],
])('a row counts the instances of the platforms of which something changes: %s', (_, changed, set, says) =>
  expect(plan('complete', changed, { running: 'db/east 9, web/east 5, web/west 2', set })).toBe(`will deploy: ${says}`),
);

test('a platform that is switched off says what goes down', () => {
  const set = { running: 'db/east 9, web/east 5, web/west 2', down: ['web'] };
  expect(plan('complete', ['CloudConfiguration'], set)).toBe(
    'will deploy: taking down platform web (7 of 16 instances); ~prod/web/east',
  );
});

test('a state that was never known says nothing', () => expect(unfinishedText(undefined)).toBeUndefined());

test('a procedure says what it runs on what, a new one, too, and that it takes up one of the same wish', () => {
  const address = { assembly: 'shop', environment: 'prod', platform: 'web', component: 'tomcat' };
  const args = { ...address, action: 'restart', triggers: { certificate: 'new' } };
  const verbs = kindOf('Procedure')?.verbs;
  const said = (olds: object) => verbs?.plan?.({ ...args, ...olds }, { session: newSession(kinds), address, args });
  const shown: string[] = [];
  void verbs?.foresee?.({ address, args, progress: (text: string) => shown.push(text) } as never, {});
  expect(shown).toEqual(['will run: restart on web/tomcat']);
  expect(said({ triggers: { certificate: 'old' } })).toBe('will run: restart on web/tomcat');
  expect(said({ procedureId: 7, state: 'failed' })).toBe('will take up procedure 7: restart on web/tomcat');
});

// A procedure always says whether instances take turns: the live service's default is all at once.

const ANSWERS: { readonly [route: string]: unknown } = {
  [routes.operations.instances.name]: [
    { ciId: 1, ciName: 'compute-7-1' },
    { ciId: 2, ciName: 'compute-7-2' },
  ],
  [routes.operations.actions.name]: [{ actionName: 'reboot' }],
};

const workOf = (args: object): Work =>
  ({
    at: { component: '7' },
    args: { action: 'reboot', ...args },
    api: { call: ({ name }: Route) => Promise.resolve(ANSWERS[name]) },
  }) as unknown as Work;

test.each([
  [{}, 'one-by-one'],
  [{ execStrategy: 'one-by-one' }, 'one-by-one'],
  [{ execStrategy: 'parallel' }, 'parallel'],
])('declared %j, instances run %s', async (args, execStrategy) => {
  const { definition } = await declaredProcedure(workOf(args), 'restart', 7);
  expect(JSON.parse(definition)).toMatchObject({ flow: [{ targetIds: ['1', '2'], execStrategy }] });
});

// How values of several relations are read: namesakes, locks, and what scaling by load changes.

/** A relation to a component `compute`. */
const relationTo = (ciRelationId: number, current: string, locked: readonly string[] = []): Relation => ({
  ciRelationId,
  nsPath: '/acme/shop/prod/manifest/web/1',
  fromCiId: 1,
  toCiId: ciRelationId * 10,
  relationName: 'manifest.DependsOn',
  relationAttributes: { current, min: '2', max: '6' },
  relationAttrProps: { owner: Object.fromEntries(locked.map((name) => [name, 'manifest'])) },
  toCi: {
    ciId: ciRelationId * 10,
    ciName: 'compute',
    ciClassName: 'manifest.oneops.1.Compute',
    nsPath: '/acme/shop/prod/manifest/web/1',
    ciAttributes: {},
  },
});

test.each([[['3', '1']], [['1', '3']]])('of two namesakes, the one that is scaled otherwise shows: %j', (texts) => {
  const relations = texts.map((current, index) => relationTo(index + 1, current));
  expect(liveScale(relations, { compute: { current: 3 } }, false)).toEqual({ compute: { current: 1 } });
});

test('of two components of one name, the locked value shows', () => {
  const relations = [relationTo(1, '2'), relationTo(2, '4', ['current'])];
  expect(setScale(relations, LOCKS_ONLY)).toEqual({ compute: { current: 4 } });
});

test('without a lock, what differs from the value of the pack is set, unless scaling by load changes it within the limits', () => {
  const bases = new Map([[1, { current: '2', min: '2', max: '6' }]]);
  const set = (current: string, byLoad: boolean) => setScale([relationTo(1, current)], { bases, byLoad });
  expect([set('2', false), set('4', false), set('4', true), set('1', true)]).toEqual([
    {},
    { compute: { current: 4 } },
    {},
    { compute: { current: 1 } },
  ]);
});
