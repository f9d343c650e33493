// Laws of what leaves: of a branch only the top goes, and what is below a record of a pack goes one by one.
import type { Kind } from '..';
import { kindOf } from '../kinds';
import { addressIn } from '../lifecycle/leaving';
import { topmost } from './sweep';

const left = (key: string, origin = 'created') => {
  const [token = '', id = ''] = key.split(' ');
  const of = kindOf(token) as Kind;
  const address = addressIn(of, id);
  return { of, address, record: { of, id, address, ciId: 1, revision: '1', origin, service: '', names: {} } };
};

const swept = (keys: readonly string[]): readonly string[] =>
  topmost(keys.map((key) => left(key.replace(' pack', ''), key.endsWith(' pack') ? 'pack' : 'created'))).map(
    ({ record }) => record.id,
  );

const PLATFORM = 'Platform acme/shop/web';
const COMPONENT = 'Component acme/shop/web/deployer';
const MOTD = 'Attachment acme/shop/web/deployer/motd';
const CRON = 'Attachment acme/shop/web/deployer/cron';

test.each<[string, readonly string[], readonly string[]]>([
  ['a whole branch goes by its top', [PLATFORM, COMPONENT, MOTD], ['acme/shop/web']],
  ['siblings go one by one', [MOTD, CRON], ['acme/shop/web/deployer/motd', 'acme/shop/web/deployer/cron']],
  [
    'a component of a pack is given back and its attachments go one by one',
    [`${COMPONENT} pack`, MOTD],
    ['acme/shop/web/deployer', 'acme/shop/web/deployer/motd'],
  ],
  [
    'a name that only begins alike is no child',
    [PLATFORM, 'Component acme/shop/web2/deployer'],
    ['acme/shop/web', 'acme/shop/web2/deployer'],
  ],
])('%s', (_, keys, expected) => {
  expect(swept(keys)).toEqual(expected);
});
