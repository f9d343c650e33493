// What the engine's delete of a record means, for every way in which a record can leave a program.
import fc from 'fast-check';
import type { Inputs, Kind, Session } from '..';
import { kindOf, kinds } from '../kinds';
import { lifecycle } from './index';
import { newSession, subjectKey } from '../session';
import { deletionOf } from './write';
import { partDigest } from './state';
import { isMixture } from './update';
import type { Shape } from '../values/shape';
import type { Values } from '../values/plain';

const URN = 'urn:pulumi:dev::shop::pulumi-nodejs:dynamic/oneops:Component::tomcat';
const component = kindOf('Component') as Kind;
const platform = subjectKey(kindOf('Platform') as Kind, 'acme/shop/web');
const key = subjectKey(component, 'acme/shop/web/tomcat');

/** Check sees the component: as known to the engine, or as new. */
const declare = (session: Session, isNew: boolean, urn = URN): unknown =>
  lifecycle(component, () => Promise.reject(new Error('no request')), session).check(
    { assembly: 'shop', platform: 'web', name: 'tomcat', type: 'tomcat' },
    !isNew,
    urn,
  );

interface Case {
  readonly when: string;
  readonly happened: (session: Session) => unknown;
  readonly means: ReturnType<typeof deletionOf>;
  /** What the state knows, when it is more than nothing. */
  readonly known?: Values;
  readonly urn?: string | undefined;
}

const CASES: readonly Case[] = [
  { when: 'nothing declares it', happened: () => undefined, means: 'delete' },
  {
    when: 'another resource declares it, as the engine knew it',
    happened: (session) => declare(session, false),
    means: 'given to another name',
  },
  {
    when: 'another resource declares it as new',
    happened: (session) => declare(session, true, `${URN}2`),
    means: 'given to another name',
  },
  {
    when: 'this run made it under another name',
    happened: ({ memory }) => memory.note(key, { isMade: true }),
    means: 'given to another name',
  },
  {
    when: 'its diff replaces it',
    happened: (session) => [declare(session, false), session.memory.note(key, { replaced: 'deletes' })],
    means: 'delete amid the run',
  },
  {
    when: 'its replacement was made first and took it over',
    happened: (session) => [declare(session, true), session.memory.note(key, { isMade: true })],
    means: 'created again',
  },
  {
    when: 'its replacement was made first, and nothing names its URN',
    happened: (session) => [declare(session, true), session.memory.note(key, { isMade: true })],
    urn: undefined,
    means: 'given to another name',
  },
  {
    when: 'a sweep deleted it',
    happened: ({ memory }) => memory.note(key, { swept: 1233 }),
    known: { ciId: 1233 },
    means: 'swept',
  },
  {
    when: 'a sweep deleted another one of its name',
    happened: ({ memory }) => memory.note(key, { swept: 1240 }),
    known: { ciId: 1233 },
    means: 'delete',
  },
  {
    when: 'its platform is replaced and stays, since another stack owns it',
    happened: ({ memory }) => memory.note(platform, { replaced: 'keeps' }),
    means: 'delete',
  },
  {
    when: 'its platform is replaced, and another resource declares it',
    happened: (session) => [declare(session, false), session.memory.note(platform, { replaced: 'deletes' })],
    means: 'given to another name',
  },
];

test.each(CASES)('a delete when $when: $means', ({ happened, means, known = {}, ...rest }) => {
  const session = newSession(kinds);
  happened(session);
  const urn = 'urn' in rest ? rest.urn : URN;
  expect(deletionOf({ of: component, session }, { id: 'acme/shop/web/tomcat', known, urn })).toBe(means);
});

// A record that two resources of one run declare: one error, which names both.

const WEB = { assembly: 'shop', name: 'web', source: 'oneops', pack: 'custom', version: '1' };
const urnOf = (token: string, name: string): string =>
  `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/oneops:${token}::${name}`;

/** What check says of a resource, as it does in every preview; it sends nothing. */
function says(session: Session, token: string, name: string, inputs: Inputs, known = false): readonly string[] {
  const of = kinds.find((kind) => kind.token === token);
  if (of === undefined) throw new Error(`no kind ${token}`);
  const life = lifecycle(of, () => Promise.reject(new Error('no request')), session);
  return life.check(inputs, known, urnOf(token, name)).findings.map(({ code, message }) => `${code}: ${message}`);
}

test('both are named, whichever comes first and however often each is checked', () => {
  const session = newSession(kinds);
  expect(says(session, 'Platform', 'web', WEB)).toEqual([]);
  expect(says(session, 'Platform', 'web', WEB, true)).toEqual([]);
  const twice = 'declared-twice: "web" and "web2" both declare the record Platform shop/web';
  expect(says(session, 'Platform', 'web2', WEB)).toEqual([twice]);
  expect(says(session, 'Platform', 'web2', WEB, true)).toEqual([twice]);
  expect(says(session, 'Platform', 'web', WEB, true)).toEqual([]);
});

test.each([
  ['Component web/app', 'created', 'Attachment shop/web/app/motd in shop/web/app'],
  [
    'Platform web',
    'created',
    'Attachment shop/web/app/motd in shop/web',
    'EnvironmentPlatform shop/prod/web in shop/web',
    'Monitor shop/prod/web/components/os/monitors/m in shop/web',
  ],
  ['Component web/app', 'pack'],
  ['Component web/ap', 'created'],
  ['Attachment web/os/m', 'created'],
  ['Monitor web/os/monitors/m', 'created', 'Monitor shop/prod/web/components/os/monitors/m in shop/web/os/monitors/m'],
])('what is declared in %s, %s, which left the file, is refused: %p', (left, origin, ...expected) => {
  const session = newSession(kinds);
  const inProd = { assembly: 'shop', environment: 'prod', platform: 'web' };
  const leaving = { [left.replace(' ', ' shop/')]: { origin } };
  const all = [
    says(session, 'Attachment', 'motd', { assembly: 'shop', platform: 'web', component: 'app', name: 'motd' }),
    says(session, 'DesignRelease', 'shop', { assembly: 'shop', stamps: '', leaving }),
    says(session, 'EnvironmentPlatform', 'prod/web', inProd),
    says(session, 'Monitor', 'prod/m', { ...inProd, component: 'os', name: 'm' }),
  ];
  const found = all.flat().map((text) => text.replace(/^left-around: (.*) would be deleted with (.*),.*/, '$1 in $2'));
  expect(found).toEqual(expected);
});

test('components of one name are one record, whatever their type: ids contain names only', () => {
  const session = newSession(kinds);
  const component = { assembly: 'shop', platform: 'web', name: 'tomcat' };
  expect(says(session, 'Component', 'server', { ...component, type: 'tomcat' })).toEqual([]);
  expect(
    says(session, 'Component', 'user', { ...component, type: 'user', attributes: { username: 'tomcat' } }),
  ).toEqual(['declared-twice: "server" and "user" both declare the record Component shop/web/tomcat']);
});

test('what is another record, is referred to, or only acts, is declared as often as it is', () => {
  const session = newSession(kinds);
  const all = [
    says(session, 'Platform', 'web', WEB),
    says(session, 'Platform', 'other', { ...WEB, assembly: 'store' }),
    says(session, 'Platform', 'db', { ...WEB, name: 'db' }),
    says(session, 'Platform', 'seen', { assembly: 'shop', name: 'web', existing: true }),
    ...['one', 'two'].map((name) => says(session, 'Assembly', name, { name: 'shop', existing: true })),
    ...['one', 'two'].map((name) => says(session, 'DesignRelease', name, { assembly: 'shop', stamps: '' })),
  ];
  expect(all.flat()).toEqual([]);
});

// Laws of what an interrupted change leaves.

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const set: Shape = { type: 'list', items: { type: 'text' }, encoding: 'json', unordered: true };
const sets = fc.uniqueArray(word, { maxLength: 4 });

test('of a set, each item is there or not as it is before or after; anything else is no mixture', () => {
  fc.assert(
    fc.property(sets, sets, word, (before, after, other) => {
      for (const left of [before, after, [...before, ...after], before.filter((item) => after.includes(item))])
        expect(isMixture(set, before, after, JSON.stringify([...left].reverse()))).toBe(true);
      for (const name of [...before, ...after, other]) {
        const [isBefore, isAfter] = [before.includes(name), after.includes(name)];
        const live = [...before.filter((item) => item !== name), name];
        expect(isMixture(set, before, after, JSON.stringify(live))).toBe(isBefore || isAfter);
        const without = before.filter((item) => item !== name);
        expect(isMixture(set, before, after, JSON.stringify(without))).toBe(!(isBefore && isAfter));
      }
    }),
  );
});

test('a list whose order counts changes as a whole', () => {
  expect(isMixture({ ...set, unordered: false }, ['a'], ['b'], '[]')).toBe(false);
});

test('the digest of a part says nothing about the same part of another record', () => {
  const of = (id: string, pin: string) => partDigest(id, { type: 'text' }, { pin }, 'pin');
  expect(of('acme/shop/prod', '1234')).toBe(of('acme/shop/prod', '1234'));
  expect(of('acme/shop/prod', '1234')).not.toBe(of('acme/shop/qa', '1234'));
});
