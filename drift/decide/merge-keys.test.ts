// A value that a merge key brings is never written over where it is: others have it, too.
import { entryOf, readYaml, sourceFile, type MapNode } from '../../stack';
import { addEntry, obstacleIn, spliced } from './splice';

const text = `x-user: &user
  ulimit: 20000
  sudoer: true
deployer:
  username: deployer
  <<: *user
`;
const { root } = readYaml(sourceFile('oneops.yaml', text));
const deployer = entryOf(root as MapNode, 'deployer');

test.each(['ulimit', 'sudoer'])('%s is not replaced', (key) => {
  const entry = entryOf(deployer?.value as MapNode, key);
  expect(entry && obstacleIn(text, entry)?.reason).toMatch(
    /^it is an alias: its value is in line [23], which others use too$/,
  );
});

test('what the map itself says is replaced, and what is new is added to it', () => {
  const own = entryOf(deployer?.value as MapNode, 'username');
  expect(own && obstacleIn(text, own)).toBeUndefined();
  const splice =
    deployer && addEntry(text, deployer, { key: 'description', value: 'deploys' }, { last: [], inFlow: false });
  expect(splice && spliced(text, splice, splice.texts[0] ?? '')).toBe(`${text}  description: deploys\n`);
});
