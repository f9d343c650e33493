// Other people and another stack on the real engine: open changes of others, a design with an owner and a guest, and what is left to run.
import { routes } from '../../api/contract';
import { programOfSpec } from '../conformance/spec-program';
import { CHANGED, EAST, withProd } from '../conformance/shop-spec';
import type { StackSpec } from '../conformance/stack-spec';
import { findEngine, messagesOfRun, newProject, programFile, programFiles, stateOf, type Project } from '../engine';
import { openStack, type EngineStack } from './engine-stack';
import { TOKEN } from './live-service';

const PROD = { assembly: 'shop', environment: 'prod' };
const KEPT = { onDelete: 'retain' };
const OWNER = withProd({ deploy: KEPT });
const EDITED = withProd({ deploy: KEPT }, CHANGED);
const GUEST: StackSpec = { existing: true, environments: { live: { clouds: EAST } } };

let owner: EngineStack;
let guest: Project;

beforeAll(async () => {
  const engine = await findEngine();
  owner = await openStack(engine, 'classic');
  guest = await newProject({
    engine,
    files: { ...programFiles([]), 'program.json': programFile(programOfSpec(GUEST)) },
    config: { 'oneops:url': owner.live.url, 'oneops:organization': 'acme' },
    secrets: { 'oneops:token': TOKEN },
  });
});

afterAll(async () => {
  await guest.remove();
  await owner.close();
});

/** Maria changes a component in production, and leaves it there. */
async function editProduction(): Promise<void> {
  const { other } = owner.live;
  const address = { ...PROD, platform: 'db', component: 'compute' };
  const { ciId } = await other.call(routes.environmentPlatforms.component, { address });
  const cms_dj_ci = { ciId, ciName: 'compute', ciAttributes: { size: 'XL' } };
  await other.call(routes.environmentPlatforms.updateComponent, { address, body: { cms_dj_ci } });
}

const contentsOfMotd = async (environment: string): Promise<string | null | undefined> => {
  const address = { assembly: 'shop', environment, platform: 'web', component: 'deployer' };
  const [motd] = await owner.live.other.call(routes.environmentAttachments.list, { address });
  return motd?.ciAttributes['content'];
};

test('an owner and a guest: open changes of others, a newer release, and what a destroy leaves', async () => {
  const first = await owner.up(OWNER);
  expect([first.code, first.errors]).toEqual([0, '']);
  const second = await guest.run('up', '--skip-preview');
  expect([second.code, second.output]).toEqual([0, expect.any(String)]);

  // Maria's open change stops the next run; whenBusy of the deployment is that of its environment, too.
  await editProduction();
  const stopped = await owner.up(EDITED);
  expect([stopped.code, stopped.errors]).toEqual([
    1,
    expect.stringMatching(/component db\/compute: update by maria at [^]*whenBusy: wait/),
  ]);
  const taken = await owner.up(withProd({ deploy: { ...KEPT, whenBusy: 'proceed' } }, CHANGED));
  expect([taken.code, taken.errors]).toEqual([0, '']);
  expect(taken.told).toMatch(/committed before the pull[^]*component db\/compute: update by maria/);
  expect(await contentsOfMotd('prod')).toBe('bye');

  // The guest's refresh finds the owner's release; its run pulls and deploys it, and nothing is left to do.
  const shown = await guest.run('preview', '--refresh', '--diff');
  expect(shown.output).toMatch(/newer *: "design release \d+ by admin"/);
  expect(await contentsOfMotd('live')).toBe('hello');
  const followed = await guest.run('up', '--refresh', '--skip-preview');
  expect([followed.code, followed.output]).toEqual([0, expect.any(String)]);
  expect(await contentsOfMotd('live')).toBe('bye');
  const gate = await guest.run('preview', '--refresh', '--expect-no-changes');
  expect([gate.code, gate.output]).toEqual([0, expect.any(String)]);

  // Another environment of the owner changes no row of prod. A destroy stops before it takes anything down, and names the guest's environment alone.
  const plain = withProd({}, CHANGED);
  expect(await owner.up(plain)).toMatchObject({ code: 0, errors: '' });
  const spare = { ...plain.environments, spare: { clouds: EAST, deploy: false as const } };
  const prepared = await owner.up({ ...plain, environments: spare });
  expect([prepared.code, prepared.errors, prepared.steps]).toEqual([0, '', ['create Environment::spare']]);
  const refreshed = await owner.project.run('refresh', '--skip-preview', '--expect-no-changes');
  expect([refreshed.code, refreshed.output]).toEqual([0, expect.any(String)]);
  const early = await owner.destroy();
  expect([early.code, early.writes]).toEqual([1, []]);
  expect(early.errors).toMatch(
    /cannot take down acme\/shop\/prod: [^]*environment live \(\d+ instances\) of another stack/,
  );
  expect(early.errors).not.toContain('spare');
  expect(await owner.live.running('shop')).toEqual(['live/db', 'live/web', 'prod/db', 'prod/web']);
  const kept = await owner.up(withProd({ deploy: KEPT }, CHANGED));
  expect([kept.code, kept.errors]).toEqual([0, '']);

  // The owner goes: its deployment stays as it runs, and the guest's environment keeps the assembly.
  const refused = await owner.destroy();
  expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(/still has the environment live/)]);
  expect(refused.errors).not.toMatch(/prod/);
  expect((await stateOf(owner.project)).map(({ key }) => key)).toEqual([expect.stringMatching(/^Assembly::/)]);
  expect(await owner.live.running('shop')).toEqual(['live/db', 'live/web', 'prod/db', 'prod/web']);
  const gone = await guest.run('destroy', '--skip-preview', '--json');
  expect([gone.code, messagesOfRun(gone.output, 'error')]).toEqual([0, []]);
  expect(await owner.live.running('shop')).toEqual(['prod/db', 'prod/web']);
  expect(owner.outages()).toEqual([]);
});
