// A stack in turns: the same registrations as at once, never more under way than there is room for, and no stack that does not move.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recorded, type Registered } from '../../test/recording-monitor';
import { loadStack } from '..';
import { newPace, register, registerInTurns, type PlanRun } from './register';

let folder: string;
let run: PlanRun;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-pace-'));
  const users = Array.from({ length: 30 }, (_, number) => `        u${number}: { username: user-${number} }`);
  const text = [
    'assembly: { name: shop, owner: team@acme.io }',
    'variables: { LEVEL: info }',
    'platforms:',
    '  db: { pack: oneops/mysql:1 }',
    '  web:',
    '    pack: oneops/tomcat:1',
    '    links: [db]',
    '    components:',
    '      user:',
    ...users,
    'environments:',
    '  qa: { clouds: { east: { priority: 1 } } }',
    '  prod: { clouds: { east: { priority: 1 }, west: { priority: 2 } }, variables: { LEVEL: warn } }',
    '',
  ].join('\n');
  writeFileSync(join(folder, 'oneops.yaml'), text);
  const loaded = loadStack({ files: ['oneops.yaml'], directory: folder, config: {} });
  if ('problem' in loaded) throw new Error(loaded.problem);
  run = { ...loaded, secretConfig: new Set(), pathOf: (file) => join(folder, file) };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sorted = (all: readonly Registered[]): readonly Registered[] =>
  [...all].sort((left, right) => (left.key < right.key ? -1 : 1));

test.each([1, 3, 256])('with room for %d, the same is registered as at once', async (room) => {
  const atOnce = await recorded(() => void register(run));
  const inTurns = await recorded(() => registerInTurns(run, newPace(run.plan, { room, patience: 60_000 })));
  expect(sorted(inTurns)).toEqual(sorted(atOnce));
});

test('room is kept: a resource waits until one before it has its answer', async () => {
  const pace = newPace(run.plan, { room: 2, patience: 60_000 });
  const settle: (() => void)[] = [];
  const resource = (): Parameters<typeof pace.after>[1] =>
    ({ urn: { promise: () => new Promise<void>((resolve) => settle.push(resolve)) } }) as never;
  const passed: number[] = [];
  const keys = run.plan.resources.map(({ key }) => key).filter((key) => key.startsWith('Component::'));
  const all = (async () => {
    for (const [number, key] of keys.slice(0, 4).entries()) {
      await pace.after(key, resource());
      passed.push(number);
    }
  })();
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await turn();
  expect([passed, settle.length]).toEqual([[0], 2]);
  for (let answered = 0; answered < 4; answered += 1) {
    settle[answered]?.();
    await turn();
  }
  await all;
  expect(passed).toEqual([0, 1, 2, 3]);
});

test('a run whose resources get no answer continues without a bound', async () => {
  const pace = newPace(run.plan, { room: 1, patience: 1 });
  const never = { urn: { promise: () => new Promise(() => undefined) } } as never;
  for (const { key } of run.plan.resources) await pace.after(key, never);
  expect(run.plan.resources.length).toBeGreaterThan(30);
});
