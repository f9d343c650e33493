// Laws of the sweep: of a removed branch only the top goes, retained records keep what is below them, pack-born ones are given back.
import { formatMember, parseMember, type Member } from '../members';
import { topmost } from './sweep';

const swept = (members: { readonly [path: string]: string }): readonly string[] =>
  topmost(Object.entries(members).map(([path, text]) => ({ path, member: parseMember(text) }))).map(({ path }) => path);

test.each<[string, { readonly [path: string]: string }, readonly string[]]>([
  ['a whole branch goes by its top', { web: '1', 'web/deployer': '2', 'web/deployer/motd': '3' }, ['web']],
  [
    'siblings go one by one',
    { 'web/deployer/motd': '3', 'web/deployer/cron': '4' },
    ['web/deployer/motd', 'web/deployer/cron'],
  ],
  ['a retained top keeps all of it', { web: '1 retain', 'web/deployer': '2', 'web/deployer/motd': '3' }, []],
  [
    'a retained leaf stays, its sibling goes',
    { 'web/deployer/motd': '3 retain', 'web/deployer/cron': '4' },
    ['web/deployer/cron'],
  ],
  [
    'a pack-born component is given back and its attachments go one by one',
    { 'web/tomcat': '2 pack', 'web/tomcat/motd': '3' },
    ['web/tomcat', 'web/tomcat/motd'],
  ],
  ['a name that only begins alike is no child', { web: '1', 'web2/deployer': '2' }, ['web', 'web2/deployer']],
])('%s', (_, members, expected) => {
  expect(swept(members)).toEqual(expected);
});

test.each<[string, Member]>([
  ['1332', { revision: '1332', pack: false }],
  ['1332 protect', { revision: '1332', pack: false, mark: 'protect' }],
  ['1332 pack retain', { revision: '1332', pack: true, mark: 'retain' }],
  ['1332 pack: protect', { revision: '1332', pack: true, declares: [], mark: 'protect' }],
  ['1332 pack:ports,size', { revision: '1332', pack: true, declares: ['ports', 'size'] }],
])("a member's text %j, there and back", (text, member) => {
  expect([formatMember(member), parseMember(text)]).toEqual([text, member]);
});
