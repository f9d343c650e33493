// A run that replaces or renames records is killed at any of its requests: the next one gives back or moves the relations in which others held them, and
// blames nobody for what the first one did.
import { emptyStack, preview, run, type Declared } from './engine-simulation';
import { rowsInTurn } from '../dialects-in-turn';
import { resourcesOf, type StackSpec } from './stack-spec';
import { differences } from './stands-as-declared';
import { makeWorld } from './world';

/** `web` uses a database of a pack and a name. The name of its resource stays. */
const linked = (pack: string, name = 'db'): StackSpec => ({
  platforms: { [name]: { pack, logical: 'db' }, web: { pack: 'tomcat', links: [name] } },
});

/** In `web`, a user comes after another one of this name. */
const dependent = (name: string): StackSpec => ({
  platforms: {
    web: {
      pack: 'tomcat',
      components: {
        [name]: { type: 'user', attributes: { username: 'app' } },
        other: { type: 'user', attributes: { username: 'other' }, depends: [name] },
      },
    },
  },
});

/** Resources of a stack; a user `app` has the alias `user`. */
const declared = (spec: StackSpec): readonly Declared[] =>
  resourcesOf(spec).map((each) =>
    each.key === 'Component::web/app' ? { ...each, alias: 'Component::web/user' } : each,
  );

const rows = rowsInTurn([
  ['a platform with another pack', linked('mysql'), linked('postgresql')],
  ['a platform with another name', linked('mysql'), linked('mysql', 'data')],
  ['a platform with another name and pack', linked('mysql'), linked('postgresql', 'data')],
  ['a component with another name', dependent('user'), dependent('app')],
] as const);

test.each(rows)('%s: %s', async (dialect, _, before, after) => {
  const wrong: string[] = [];
  let isKilled = true;
  for (let request = 1; isKilled; request += 1) {
    const world = makeWorld(dialect);
    const made = await run(world, emptyStack, declared(before));
    const killed = await run(world, made.stack, declared(after), { killAt: { request, when: 'after' } });
    isKilled = killed.killed;
    const done = await run(world, killed.stack, declared(after));
    const next = await preview(world, done.stack, declared(after));
    const found = [made.errors, done.errors, await differences(world, after), next.steps, next.errors].flat();
    wrong.push(...found.map((each) => `request ${request}: ${each}`));
    world.close();
  }
  expect(wrong).toEqual([]);
});
