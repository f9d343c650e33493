// What the entries of drift.yaml make of a run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIALECTS, routes } from '../../api/contract';
import { IGNORED } from '../../provider';
import { recorded, type Registered } from '../../test/recording-monitor';
import { emptyStack, run, type Declared } from '../../test/world/engine-simulation';
import { makeWorld } from '../../test/world/world';
import { readDriftFile } from '../drift-file';
import { withRules } from './kept-attributes';
import { loadStack, register } from '..';

const stackFile = (threads: string): string => `config:
  tier: { type: string, default: web }
assembly: { name: shop, owner: team@acme.io, tags: { tier: gold, team: one } }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      tomcat: { max_threads: ${threads}, min_spare_threads: 30 }
      user: { deployer: { username: deployer, pulumi: { ignoreChanges: [sudoer] } } }
`;

const RULES = `ignore:
  - { record: shop/none, reason: none, owner: o, attribute: description }
  - { record: shop/web/tomcat, kind: Component, attribute: attributes.max_threads, reason: load test, owner: ann@acme.io, until: 2027-01-31 }
  - { record: shop, kind: Assembly, attribute: tags.*, reason: theirs, owner: bob@acme.io }
  - { record: 'shop/*/deployer', attribute: 'attributes["username"]', reason: theirs, owner: bob@acme.io, stacks: prod }
  - { record: shop/web, classification: deleted, reason: theirs, owner: bob@acme.io }
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-kept-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function loaded(threads = '200') {
  writeFileSync(join(folder, 'oneops.yaml'), stackFile(threads));
  const read = loadStack({ files: ['oneops.yaml'], directory: folder, config: {} });
  if ('problem' in read) throw new Error(read.problem);
  return read;
}

const ruled = (day: string, { stack = 'dev', threads = '200' } = {}) =>
  withRules(loaded(threads), readDriftFile({ name: 'drift.yaml', text: RULES }), { stack, project: 'shop', day });

const ignoredBy = ({ plan }: ReturnType<typeof ruled>): object =>
  Object.fromEntries(
    plan.resources.flatMap(({ key, options: { ignoreChanges } }) => (ignoreChanges ? [[key, ignoreChanges]] : [])),
  );

test('an entry is ignoreChanges of each attribute that it fits, until its last day, in its stacks', () => {
  expect(ignoredBy(ruled('2027-01-31'))).toEqual({
    'Assembly::shop': ['tags.tier', 'tags.team'],
    'Component::web/tomcat': ['attributes.max_threads'],
    'Component::web/deployer': ['attributes.sudoer'],
  });
  expect(ignoredBy(ruled('2027-02-01', { stack: 'prod' }))).toEqual({
    'Assembly::shop': ['tags.tier', 'tags.team'],
    'Component::web/deployer': ['attributes.sudoer', 'attributes.username'],
  });
});

test('a rule that has ended is named, with what follows for a saved plan', () => {
  expect(ruled('2027-01-31').warnings).toEqual([]);
  expect(ruled('2027-02-01').warnings).toEqual([
    expect.stringMatching(
      /^attributes.max_threads of Component shop\/web\/tomcat .*drift.yaml:3, by ann@acme.io, until 2027-01-31: load test.* saved/,
    ),
  ]);
});

/** What the stack registers on a day. */
async function registered(threads: string, day = '2027-01-31'): Promise<readonly Registered[]> {
  const { plan } = ruled(day, { threads });
  const within = { ...loaded(threads), plan, secretConfig: new Set<string>(), pathOf: (file: string) => file };
  return recorded(() => register(within).outputs);
}

test('a registration has the paths as an option and as an input, with the rule and a fingerprint of the declared value', async () => {
  const inputsWith = async (threads: string): Promise<Registered['inputs']> =>
    (await registered(threads)).find(({ key }) => key === 'Component::web/tomcat')?.inputs ?? {};
  const [one, same, other] = [await inputsWith('200'), await inputsWith('200'), await inputsWith('300')];
  expect(one[IGNORED]).toEqual({
    'attributes.max_threads': {
      rule: 'drift.yaml:3, by ann@acme.io, until 2027-01-31: load test',
      until: '2027-01-31',
      declared: expect.stringMatching(/^[0-9a-f]{16}$/),
    },
  });
  expect(same[IGNORED]).toEqual(one[IGNORED]);
  expect(other[IGNORED]).not.toEqual(one[IGNORED]);
});

test.each(DIALECTS)('a run with a refresh leaves what a rule keeps, until its last day: %s', async (dialect) => {
  const world = makeWorld(dialect);
  try {
    const address = { assembly: 'shop', platform: 'web', component: 'tomcat' };
    const threads = async (): Promise<unknown> =>
      (await world.other.call(routes.components.read, { address })).ciAttributes['max_threads'];
    let stack = emptyStack;
    const up = async (declared: string, day?: string): Promise<string> => {
      const resources = (await registered(declared, day)).flatMap(({ key, inputs }): readonly Declared[] => {
        const [token = ''] = key.split('::');
        const ignoreChanges = Object.keys(inputs[IGNORED] ?? {});
        return ['Assembly', 'Platform', 'Component'].includes(token)
          ? [{ key, token, args: inputs, ignoreChanges }]
          : [];
      });
      const done = await run(world, stack, resources, { refresh: true });
      ({ stack } = done);
      expect(done.errors).toEqual([]);
      return done.notices.join('\n');
    };
    await up('200');
    const body = { cms_dj_ci: { ciName: 'tomcat', ciAttributes: { max_threads: '555' } } };
    await world.other.call(routes.components.update, { address, body });
    expect(await up('200')).toMatch(/max_threads stays as it is: drift.yaml:3, by ann@acme.io, until 2027-01-31: load/);
    expect(await up('300')).toMatch(/another value of attributes.max_threads now, and it is not written: .*load test/);
    expect(await threads()).toBe('555');
    await up('300', '2027-02-01');
    expect(await threads()).toBe('300');
  } finally {
    world.close();
  }
});
