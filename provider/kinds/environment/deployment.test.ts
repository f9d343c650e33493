// What a Deployment's row says in a preview: what changed, and what an earlier run left to do, in words a person would use.
import type { Kind } from '../..';
import { kindOf, kinds } from '..';
import { declaredKey, newSession } from '../../session';
import { deploymentVerbs, unfinishedText } from './deployment';

const plan = (state: string, changed: readonly string[] = [], running?: string): string | undefined => {
  const session = newSession(kinds);
  for (const [token, address] of CHANGES.filter((each) => changed.includes(each[0]))) {
    const of = kindOf(token) as Kind;
    session.declarations.declare(declaredKey(of, address), { of, address, inputs: address }, { isNew: true, urn: '' });
  }
  const address = { assembly: 'shop', environment: 'prod' };
  return deploymentVerbs.plan?.({ state, running }, { session, address, args: { ...address, state: 'complete' } });
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
  ['pending', 'will deploy prod: its last deployment waits for an approval'],
  ['strange', 'will deploy prod: its last deployment is strange'],
])('after a deployment that is %s', (state, said) => expect(plan(state)).toBe(said));

test('what changed comes first', () => {
  const tokens = ['Environment', 'CloudConfiguration'];
  expect(plan('complete', tokens)).toBe('will deploy: ~prod ~prod/web/east');
  expect(plan('failed', tokens)).toBe('will deploy: ~prod ~prod/web/east; its last deployment failed');
});

test('a row counts the instances of the platforms of which something changes', () => {
  const running = 'db/east 9, web/east 5, web/west 2';
  expect(plan('complete', ['Environment', 'Component'], running)).toBe('will deploy: ~prod in db (9 of 16 instances)');
  expect(plan('complete', ['CloudConfiguration'], running)).toBe(
    'will deploy: ~prod/web/east in web (7 of 16 instances)',
  );
  for (const changed of [['Environment'], ['Environment', 'Variable']])
    expect(plan('complete', changed, running)).toBe('will deploy: ~prod in db, web (16 of 16 instances)');
});

test('a state that was never known says nothing', () => expect(unfinishedText(undefined)).toBeUndefined());
