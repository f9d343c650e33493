// `pulumi-oneops rehearse` on the real engine: what it says is what then happens, and the live
// service is only read.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Rehearsal } from '../../cli/commands/operate/outputs';
import { routes } from '../../api/contract';
import { dialectsInTurn } from '../dialects-in-turn';
import { jsonFile, validatorOf } from '../sarif-schema';
import { REPOSITORY } from '../world/engine';
import { openStory } from './story';

const PASSWORD = 'canary-password-17';
const FILE = `config: { password: { type: string, secret: true } }
assembly: { name: shop, owner: team@acme.io }
variables: { PASSWORD: '\${config.password}' }
platforms:
  web: { pack: oneops/tomcat:1, components: { compute: { size: S }, tomcat: { max_threads: 100 } } }
  db: { pack: oneops/mysql:1, components: { mysql: { password: '$OO_GLOBAL{PASSWORD}' } } }
environments:
  prod: { clouds: { east: { priority: 1 } }, deploy: {} }
`;

const isRehearsal = validatorOf(jsonFile(join(REPOSITORY, 'schemas', 'rehearsal.schema.json')));

/** Numbers of records, releases and times differ between a service and its copy. */
const unnumbered = (text: string): string => text.replace(/\d+/g, 'N');

describe.each(dialectsInTurn(0))('%s', (dialect) => {
  const secrets = { 'story:password': PASSWORD };
  const { live, project } = openStory({ dialect, files: { 'oneops.yaml': FILE }, secrets });
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oneops-rehearsals-'));
    expect(await project.run('up', '--skip-preview')).toExitWith(0);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const rehearse = (...words: readonly string[]) =>
    project.oneops(['rehearse', '--stack', 'dev', ...words], { TMPDIR: folder });

  /** `update web/compute-N-N` for each work order of the newest deployment. */
  const orders = async (): Promise<readonly string[]> => {
    const address = { assembly: 'shop', environment: 'prod' };
    const { releaseId } = await live.other.call(routes.deployments.latest, { address });
    const at = { address: { ...address, release: String(releaseId) }, query: { include_rfcs: 'true' } };
    const { rfc_cis: changes = [] } = await live.other.call(routes.environmentReleases.read, at);
    return changes.map(({ rfcAction, nsPath, ciName }) => unnumbered(`${rfcAction} ${nsPath.split('/')[5]}/${ciName}`));
  };

  const deleteDb = async (): Promise<void> => {
    await project.write('oneops.yaml', FILE.replace('size: S', 'size: L'));
    await live.maria.delete('db');
    await live.maria.commit();
  };

  /** A platform of maria that runs, and a change of it that was not pulled. */
  const broughtAlong = async (): Promise<void> => {
    await live.maria.create('front', { source: 'oneops', pack: 'tomcat', version: '1' });
    await live.maria.set('web/compute', { require_public_ip: 'true' });
    await live.maria.commit();
    await project.write('oneops.yaml', FILE.replace('size: S', 'size: XL'));
    expect(await project.run('up', '--skip-preview')).toExitWith(0);
    await live.maria.set('front/tomcat', { max_threads: '7' });
    await live.maria.commit();
    await project.write('oneops.yaml', FILE.replace('size: S', 'size: M'));
  };

  /** Another user creates a platform, pulls it and deploys it. */
  const deploysSide = async (): Promise<void> => {
    await live.maria.create('side', { source: 'oneops', pack: 'tomcat', version: '1' });
    await live.maria.commit();
    const body = { platform_availability: { side: 'single' } };
    const address = { assembly: 'shop', environment: 'prod' };
    await live.other.call(routes.environments.pull, { address, body });
    const ended = async (): Promise<void> => {
      while ((await live.other.call(routes.environments.read, { address })).ciState !== 'default');
    };
    await ended();
    await live.maria.commitEnvironment().catch(() => undefined);
    await ended();
    expect(await live.maria.rollOut()).toBe(true);
    await project.write('oneops.yaml', FILE.replace('size: S', 'size: XL'));
  };

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['a file that did not change', () => Promise.resolve(), /^\[\]$/],
    ['a larger machine', () => project.write('oneops.yaml', FILE.replace('size: S', 'size: M')), /^\[\]$/],
    [
      'a change of another user that is not committed where a write commits nothing',
      () => live.maria.set('web/tomcat', { max_threads: '5' }),
      /maria changed Comp/,
    ],
    [
      'a change of another user that is committed',
      () => live.maria.commit(),
      /maria changed Component acme\/shop\/web\/tomcat"/,
    ],
    [
      'a platform of another user that an earlier run deployed',
      broughtAlong,
      /^\["maria changed Component acme\/shop\/front\/tomcat"\]$/,
    ],
    ['a platform of another user that this user deployed', deploysSide, /maria created Platform acme\/shop\/side/],
    ['a platform that another user deleted', deleteDb, /maria deleted Platform acme\/shop\/db/],
  ])('%s: the run does what its rehearsal says', async (_, happens, since) => {
    await happens();
    const [state, before] = [await project.state(), await orders()];
    live.requests();
    const { output, code } = await rehearse('--json');
    expect(live.writes()).toEqual([]);
    expect(output).toMatch(/^\{/);
    expect(output).not.toMatch(/canary/);
    expect(readdirSync(folder)).toEqual([]);
    expect(await project.state()).toBe(state);
    const said = JSON.parse(output) as Rehearsal;
    expect([isRehearsal(said), isRehearsal.errors]).toEqual([true, null]);
    expect(JSON.stringify(said.since)).toMatch(since);
    expect(said.notCopied).toEqual([]);
    expect(said.plan.diagnostics.map(({ message }) => message).filter((each) => each.includes('secret'))).toEqual([]);
    // A refusal is the preview's, if it foresees it.
    const previewed = said.refused === undefined ? undefined : await project.run('preview');
    const up = await project.run('up', '--skip-preview');
    expect(code).toBe(up.code === 0 ? 0 : 2);
    for (const line of (said.refused ?? '').split('\n'))
      expect(unnumbered(`${previewed?.output}${up.output}`)).toContain(unnumbered(line.trim()));
    const after = await orders();
    const rehearsed = said.deployments.flatMap((each) => each.orders.map(({ name, action }) => `${action} ${name}`));
    expect(rehearsed.map(unnumbered).sort()).toEqual(after.join() === before.join() ? [] : [...after].sort());
  });

  test('the text says what a copy cannot know', async () => {
    const checks = "{ checks: { home: { url: 'http://127.0.0.1:1/' } } }";
    await project.write('oneops.yaml', FILE.replace('size: S', 'size: L').replace('deploy: {}', `deploy: ${checks}`));
    const { output, code } = await rehearse();
    expect(code).toBe(2);
    expect(output).toMatch(/refused, or fails; releases have the numbers of the copy:\n.*instances of db/);
    expect(output).toMatch(/not copied:\n.*web\/compute: the last run wrote it/);
    expect(output).toMatch(/a copy does not know:\n {2}secrets[^]*: 1 check was not run: the machines are simulated\n/);
  });
});
