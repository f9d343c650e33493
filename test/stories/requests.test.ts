// What a stack asks of its service on the real engine, from preview to destroy, counted in the service's journal; and ONEOPS_LOG=debug, which
// shows each of those requests.
import { DIALECTS, type Dialect } from '../../api/contract';
import { findEngine, newProject, type Engine, type Project } from '../engine';
import { startService, TOKEN, type LiveService } from './live-service';

const CANARY = 'canary-password-51fe';

const FILE = `config:
  password: { type: string, secret: true }
assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/custom:1
    components:
      user:
        one: { username: one, attachments: { a: { path: /tmp/a, content: a }, b: { path: /tmp/b, content: b } } }
        two:
          username: two
          attachments:
            c: { path: /tmp/c, source: "http://files.acme.io/c", basic_auth_user: reader, basic_auth_password: "\${config.password}" }
            d: { path: /tmp/d, content: d }
environments:
  prod:
    clouds: { east: { priority: 1 }, west: { priority: 2 } }
    platforms: { web: { clouds: { west: { pct_scale: 50 } } } }
`;

let engine: Engine;

beforeAll(async () => {
  engine = await findEngine();
});

const counted = (requests: readonly string[]): { readonly [request: string]: number } => {
  const counts: { [request: string]: number } = {};
  for (const request of requests) counts[request] = (counts[request] ?? 0) + 1;
  return counts;
};

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  let live: LiveService;
  let project: Project;

  beforeAll(async () => {
    live = await startService(dialect);
    project = await newProject({
      engine,
      files: { 'oneops.yaml': FILE },
      config: { 'oneops:url': live.url, 'oneops:organization': 'acme' },
      secrets: { 'oneops:token': TOKEN, password: CANARY },
      environment: { ONEOPS_LOG: 'debug' },
    });
  });

  afterAll(async () => {
    await live.stop();
    await project.remove();
  });

  test('a preview asks who the service is, and which assemblies and clouds there are; an up is traced request by request, with nothing secret in it', async () => {
    await project.run('preview');
    expect(live.requests()).toEqual(['GET organizations.read', 'GET assemblies.list', 'GET clouds.list']);
    const up = await project.run('up', '--skip-preview');
    expect([up.code, up.output]).toEqual([0, expect.any(String)]);
    const sent = live.service.journal().filter(({ user }) => user === 'admin');
    // The journal keeps no values of queries.
    for (const { method, path, status } of sent) {
      const [before = '', query] = path.split('?');
      const traced = query === undefined ? `${before} ${status} in ` : `${before}?`;
      expect(up.output).toContain(`oneops: ${method} ${traced}`);
    }
    expect(up.output).toMatch(/oneops: POST \/acme\/assemblies 200 in \d+ ms, attempt 1/);
    expect(up.output).not.toContain(CANARY);
    expect(up.output).not.toContain(TOKEN);
    expect(up.output).not.toContain(Buffer.from(`${TOKEN}:`).toString('base64'));
  });

  test('an unchanged up asks who the service is, and nothing else', async () => {
    live.requests();
    const up = await project.run('up', '--skip-preview', '--expect-no-changes');
    expect([up.code, live.requests()]).toEqual([0, ['GET organizations.read']]);
  });

  test('a refresh reads each list once', async () => {
    const refresh = await project.run('refresh', '--skip-preview', '--expect-no-changes');
    expect([refresh.code, refresh.output]).toEqual([0, expect.any(String)]);
    expect(counted(live.requests())).toEqual({
      'GET assemblies.list': 1,
      'GET platforms.list': 1,
      'GET components.list': 1,
      'GET attachments.list': 2,
      'GET assemblies.read': 1,
      'GET platforms.read': 1,
      'GET components.read': 1,
      'GET attachments.read': 1,
      'GET environments.read': 1,
      'GET environmentPlatforms.read': 1,
      'GET deployments.latest': 1,
      'GET environmentPlatforms.list': 1,
      'GET environmentReleases.bom': 1,
      'GET operations.environmentInstances': 1,
      'GET clouds.list': 1,
    });
  });

  test('with oneops:readCache off, once an up has seen the setting, it reads each record by itself', async () => {
    await project.run('config', 'set', 'oneops:readCache', 'off');
    await project.run('up', '--skip-preview', '--expect-no-changes');
    live.requests();
    const refresh = await project.run('refresh', '--skip-preview', '--expect-no-changes');
    expect([refresh.code, refresh.output]).toEqual([0, expect.any(String)]);
    expect(counted(live.requests())).toEqual({
      // The assembly and its design release.
      'GET assemblies.read': 2,
      'GET platforms.read': 1,
      'GET components.read': 2,
      // By name the live service finds an attachment under any component: its own component's list shows, asked for each.
      'GET attachments.list': 4,
      // The environment and its deployment.
      'GET environments.read': 2,
      'GET environmentPlatforms.read': 1,
      'GET deployments.latest': 1,
      'GET environmentPlatforms.list': 1,
      'GET environmentReleases.bom': 1,
      'GET operations.environmentInstances': 1,
      'GET clouds.list': 1,
    });
  });
});
