// A record that two resources of one run declare: one error, which names both, before anything is written.
import type { Inputs, Session } from '..';
import { lifecycle } from './index';
import { newSession } from '../session';
import { kinds } from '../kinds';

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

test('the next run starts with nothing remembered: a resource that was renamed in the program is no second one', () => {
  expect(says(newSession(kinds), 'Platform', 'web', WEB)).toEqual([]);
  expect(says(newSession(kinds), 'Platform', 'renamed', WEB)).toEqual([]);
});
