// The packs command: everything the catalogue holds, in short, in full and as JSON; and what it says to a wrong name.
import { knownPacks } from '../../../api/contract';
import { runCommand } from '../../../test/run-command';
import { packsCommand } from './packs';

async function packs(...words: readonly string[]): Promise<string> {
  const { code, stdout } = await runCommand(packsCommand, {}, ...words);
  expect(code).toBe(0);
  return stdout;
}

test('without a name, every pack has a line', async () => {
  const text = await packs();
  for (const { source, name, version, description } of knownPacks)
    expect(text).toMatch(new RegExp(`^${source}/${name}:${version} .* ${description}$`, 'm'));
});

test.each(['tomcat', 'oneops/tomcat', 'oneops/tomcat:1', 'tomcat:1'])(
  '%s: templates and attributes in full',
  async (name) => {
    const text = await packs(name);
    expect(text).toMatch(/^ {2}user +0\.\.\* +User +Account$/m);
    expect(text).toMatch(/^user \(User\)$/m);
    expect(text).toMatch(/^ {2}username +text, required .*3 to 15 characters of a-z/m);
    expect(text).toMatch(/^ {2}install_type +text, required += binary .*one of repository, binary$/m);
  },
);

test('as JSON, with the values that are allowed; no default of a secret', async () => {
  const described = JSON.parse(await packs('mysql', '--json')) as readonly [
    { readonly templates: readonly { readonly name: string; readonly attributes: readonly object[] }[] },
  ];
  const attributesOf = (template: string) => described[0].templates.find(({ name }) => name === template)?.attributes;
  expect(attributesOf('volume')).toContainEqual(
    expect.objectContaining({
      name: 'fstype',
      default: 'xfs',
      ofPack: true,
      allowed: expect.arrayContaining(['ext4']) as string[],
    }),
  );
  expect(attributesOf('mysql')).toContainEqual(
    expect.objectContaining({ name: 'password', secret: true, default: '' }),
  );
});

test.each([
  [['tomcatt'], /there is no pack "tomcatt"/],
  [['a', 'b'], /takes one name/],
  [['--packs', '/nowhere/at/all'], /\/nowhere\/at\/all/],
])('%j is refused with the reason', (words, reason) => {
  expect(() => packsCommand.run(words)).toThrow(reason);
});
