import { withCodeNames } from './import-file';

const TOKENS = ['Assembly', 'Platform', 'Component'];
const NAMES = ['web', 'web/os', 'web_os', 'web-os', 'webOs', 'variables/web', '1st', 'ä', '', 'web_Platform'];

test('names for code are identifiers, each there once, and the name in the URN is kept', () => {
  const entries = NAMES.flatMap((name) =>
    TOKENS.map((token) => ({ type: `oneops:index:${token}`, logicalName: name })),
  );
  const named = withCodeNames(entries);
  expect(named.filter(({ name }) => !/^[A-Za-z_][\w-]*$/.test(name))).toEqual([]);
  expect(new Set(named.map(({ name }) => name.replace(/[-_]/g, '').toLowerCase())).size).toBe(entries.length);
  expect(named).toMatchObject(entries);
});

test('a name that can stay, stays; the second of a name gets its kind', () => {
  const named = (...names: readonly string[]) =>
    withCodeNames(names.map((logicalName) => ({ type: 'oneops:index:Platform', logicalName }))).map(({ name }) => name);
  expect(named('web', 'laid-over', 'web/os')).toEqual(['web', 'laid-over', 'web_os']);
  expect(named('web', 'web', 'web')).toEqual(['web', 'web_Platform', 'web_Platform2']);
});
