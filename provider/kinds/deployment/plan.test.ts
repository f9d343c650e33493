// What a Deployment's row says in a preview: what changed, and what an earlier run left to do, in words a person would use.
// It must not know how deployments are made.
import { deploymentVerbs } from './flow';
import { unfinishedText } from './plan';

const plan = (olds: object, news: object): string | undefined =>
  deploymentVerbs.plan?.(
    { environment: 'prod', state: 'complete', members: {}, ...olds },
    { environment: 'prod', state: 'complete', members: {}, ...news },
  );

test.each([
  ['complete', undefined],
  ['none', 'will deploy prod: an earlier run stopped before it deployed anything'],
  ['failed', 'will deploy prod: its last deployment failed'],
  ['canceled', 'will deploy prod: its last deployment was canceled'],
  ['pending', 'will deploy prod: its last deployment waits for an approval'],
  ['strange', 'will deploy prod: its last deployment is strange'],
])('after a deployment that is %s', (state, said) => expect(plan({ state }, {})).toBe(said));

test('what changed comes first', () => {
  const members = { environment: '2', 'web/east': '3' };
  expect(plan({}, { members })).toBe('will deploy: ~prod ~prod/web/east');
  expect(plan({ state: 'failed' }, { members })).toBe('will deploy: ~prod ~prod/web/east; its last deployment failed');
});

test('a state that was never known says nothing', () => expect(unfinishedText(undefined)).toBeUndefined());
