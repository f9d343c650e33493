// Commands for operators, over the wire: what they show, what they send, and what they refuse. On a terminal of 80 columns,
// no line is wider; every JSON is what operate.schema.json says.
import { rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import timers from 'node:timers/promises';
import { type Release } from '../../../api/contract';
import { NotFound, ServerError } from '../../../api/errors';
import { columnsOf } from '../../../stack';
import { listen, type Listening } from '../../../service';
import { dialectsInTurn } from '../../../test/dialects-in-turn';
import { eachFolder } from '../../../test/folder';
import { runCommand, runToEnd, type Outcome } from '../../../test/run-command';
import { jsonFile, validatorOf } from '../../../test/sarif-schema';
import { ADMIN_TOKEN, basic } from '../../../test/service-caller';
import { ofTemplate, shopOf, type Shop } from '../../../test/shop';
import type { Command } from '../../command';
import { command as discardCommand } from '../records/discard';
import { command as deploymentCommand } from './deployment';
import { command as historyCommand } from './history';
import { command as instancesCommand } from './instances';
import { command as logsCommand } from './logs';
import type { Outputs } from './outputs';
import { command as run } from './run';
import { command as statusCommand } from './status';
import { follow } from '../../here/terminal';

const MARIA = 'maria-token-5501';
const READER = 'reader-token-5502';
const SHOP = '/acme/assemblies/shop/design';

const { definitions } = jsonFile(join(__dirname, '..', '..', '..', 'schemas', 'operate.schema.json')) as {
  readonly definitions: object;
};
const fits = (name: string, result: unknown): boolean =>
  validatorOf({ $ref: `#/definitions/${encodeURIComponent(name)}`, definitions })(result);

const STACK = `assembly: { name: shop, owner: team@acme.io }
platforms: { web: { pack: oneops/tomcat:1, components: { compute: { size: SIZE } } } }
environments: { prod: { clouds: { east: { priority: 1 } } } }
`;

/** The name of what a call prints. */
function resultOf(command: Command, [first = '', ...words]: readonly string[]): string {
  if (command === deploymentCommand)
    return `deployment ${['list', 'show'].includes(first) ? first : words.includes('--follow') ? 'follow' : 'MOVE'}`;
  if (command === run) return words.some((word) => !word.startsWith('-')) ? 'run' : 'run, without ACTION';
  if (command === instancesCommand) return words.includes('--addresses') ? 'instances --addresses' : 'instances';
  if (command === historyCommand) return words.includes('--release') ? 'history --release' : 'history';
  return command === statusCommand ? 'status' : 'logs';
}

const declare = (changed: (text: string) => string): void =>
  writeFileSync('oneops.yaml', changed(STACK.replace('SIZE', 'S')));

const terminal = { isTTY: process.stdout.isTTY, columns: process.stdout.columns };
beforeAll(() => void Object.assign(process.stdout, { isTTY: true, columns: 80 }));
// Between two looks nothing is waited for: the service's time passes with each of them.
beforeAll(() => void jest.spyOn(timers, 'setTimeout').mockResolvedValue(undefined));
afterAll(() => void Object.assign(process.stdout, terminal));

test('no connection: one message', async () => {
  const settings = { ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: ADMIN_TOKEN, ONEOPS_URL: 'http://127.0.0.1:1' };
  expect(await runToEnd(statusCommand, settings, 'acme/shop')).toExitWith(1, {
    stderr: /^pulumi-oneops: .*127.0.0.1:1 cannot be reached.*\n.*, or ONEOPS_URL\n$/,
  });
});

describe.each(dialectsInTurn(1))('%s', (dialect) => {
  const folder = eachFolder({ isHere: true });
  let shop: Shop;
  let listening: Listening;
  /** Whether the service logs each entry twice in the same moment. */
  let isLoggedTwice = false;
  let approvalToken = '';

  const as =
    (token: string) =>
    async (command: Command, ...words: readonly string[]): Promise<Outcome> => {
      const settings = {
        ONEOPS_URL: listening.url,
        ONEOPS_ORGANIZATION: 'acme',
        ONEOPS_TOKEN: token,
        ONEOPS_APPROVAL_TOKEN: approvalToken,
        PATH: [folder.path, process.env['PATH']].join(delimiter),
      };
      const ended = await (token === READER ? runToEnd : runCommand)(command, settings, ...words);
      const lines = ended.stdout.split('\n');
      if (!words.includes('--json')) expect(lines.filter((line) => columnsOf(line) > 80)).toEqual([]);
      else {
        const results = (command === logsCommand ? lines : [ended.stdout]).filter(Boolean);
        const name = resultOf(command, words);
        for (const result of results)
          expect([name, result, fits(name, JSON.parse(result))]).toEqual([name, result, true]);
      }
      return ended;
    };
  const operator = as(ADMIN_TOKEN);
  const writes = (): number => shop.service.journal().filter(({ method }) => method !== 'GET').length;
  const size = (value: string): Promise<unknown> =>
    shop.ok(
      shop.send('PUT', shop.at('prod', '/platforms/web/components/compute'), {
        cms_dj_ci: { ciAttributes: { size: value } },
      }),
    );
  /** Starts a deployment of machines of another size. */
  const start = async (value: string, about?: object): Promise<number> => {
    await size(value);
    await shop.commit('prod');
    return shop.start('prod', about);
  };
  const printed = async (...call: Parameters<typeof operator>): Promise<string> => (await operator(...call)).stdout;
  const moved = (move: string, ...more: string[]) =>
    operator(deploymentCommand, move, 'acme/shop/prod', '--yes', ...more);

  /** Writes to the design, and commits it. */
  const redesign = async (...write: Parameters<Shop['design']>): Promise<unknown> => {
    await shop.ok(shop.design(...write));
    return shop.commitDesign();
  };

  /** A program that declares `prod` of two assemblies. `outputs`: those of its state. */
  function program(outputs: object, ...more: readonly string[]): void {
    const resources = ['blog/prod', 'shop/prod', ...more].map((address) => {
      const [assembly, name] = address.replace('variables/', '').split('/');
      const type = `oneops:index:${name === 'prod' ? 'Environment' : 'Variable'}`;
      const urn = `urn:pulumi:dev::both::${type}::${address}`;
      const inputs = name === 'prod' ? { clouds: { east: { priority: 1 } } } : { value: 'east' };
      return { urn, type, id: `acme/${address}`, inputs: { assembly, name, ...inputs }, outputs };
    });
    folder.pulumi(`[ "$2" = export ] || exit 1\necho '${JSON.stringify({ version: 3, deployment: { resources } })}'`);
    writeFileSync('Pulumi.yaml', 'name: both\nruntime: nodejs\n');
  }

  beforeAll(async () => {
    shop = shopOf(dialect, {
      users: [
        { name: 'maria', token: MARIA },
        { name: 'reader', token: READER, rights: 'read', organizations: ['acme'] },
      ],
    });
    const { handle } = shop.service;
    const passing: typeof handle = async (request) => {
      // Time passes with each question about the progress of a deployment or a procedure.
      if (/\/status$|\/procedures\/\d+$/.test(request.path)) shop.clock.advance(60_000);
      const answer = await handle(request);
      if (!isLoggedTwice || !request.path.endsWith('/log_data')) return answer;
      const logs = JSON.parse(answer.body ?? '[]') as readonly unknown[];
      return { ...answer, body: JSON.stringify([...logs, ...logs]) };
    };
    listening = await listen({ ...shop.service, handle: passing }, { port: 0 });
    await shop.assembly();
    const bare = { ciName: 'bare', ciAttributes: { owner: 'team@acme.io' } };
    await shop.ok(shop.send('POST', '/acme/assemblies', { cms_ci: bare }));
    await shop.platform('web', { pack: 'tomcat' });
    await shop.commitDesign();
    const attributes = { subdomain: 'prod.shop.acme' };
    await shop.ok(shop.createEnvironment('prod', { east: '1' }, { attributes }));
    await shop.settled('prod');
  }, 60_000);

  afterAll(async () => {
    await listening.close();
    shop.close();
  });

  test('before the first deployment: not deployed, nothing runs', async () => {
    expect(await operator(statusCommand, 'acme/shop')).toExitWith(0, {
      stdout: /^prod: NOT DEPLOYED, drift unknown\n {2}nothing was ever deployed\n/,
    });
    expect(await printed(instancesCommand, 'acme/shop/prod')).toBe('nothing runs\n');
    await expect(operator(deploymentCommand, 'show', 'acme/shop/prod')).rejects.toThrow(
      'nothing was ever deployed in prod',
    );
  });

  test('what runs, with addresses; --json says the same; nothing is written', async () => {
    expect(await shop.deploy('prod')).toBe('complete');
    const before = writes();
    const status = await operator(statusCommand, 'acme/shop/prod');
    expect(status.stdout).toMatch(
      /^prod: DEPLOYED, drift unknown\n {2}deployment \d+ by admin at .*\d+\/\d+ complete\n {2}PLATFORM +CLOUD +RUNNING.*\n {2}web +east +(\d+) of \1 +good/,
    );
    const all = JSON.parse(await printed(instancesCommand, 'acme/shop/prod/web', '--json')) as readonly object[];
    expect(all).toHaveLength((await shop.instances('prod')).length);
    const machine = await operator(instancesCommand, 'acme/shop/prod/web/compute', '--addresses');
    expect(machine.stdout).toMatch(/^(\d+\.){3}\d+\n$/);
    const none = await operator(instancesCommand, 'acme/shop/prod/web/tomcat', '--addresses');
    expect(none).toExitWith(0, { stdout: /^$/, stderr: /^no machine with an address/ });
    const { stdout: wide } = await operator(instancesCommand, 'acme/shop/prod', '--wide');
    const words = (await shop.instances('prod')).flatMap(({ ciName, ciClassName, ciAttributes }) => [
      `web/${ciName}`,
      ciClassName,
      ciAttributes['private_ip'] ?? '',
    ]);
    expect(words.filter((word) => !wide.split(/\s+/).includes(word) && word !== '')).toEqual([]);
    expect(await printed(deploymentCommand, 'list', 'acme/shop/prod')).toMatch(/^DEPLOYMENT .*\n\d+ +complete +admin/);
    expect(writes()).toBe(before);
    shop.service.faults.set([{ effect: 'status', status: 422, route: 'deployments.preview' }]);
    expect(await printed(statusCommand, 'acme/shop/prod')).toMatch(/ web +east +\d+ +good/);
    shop.service.faults.set([]);
  });

  test('--drift compares with the file of the folder', async () => {
    declare((text) => text);
    expect(await operator(statusCommand, '--drift')).toExitWith(0, { stdout: /^prod: IN SYNC\n/ });
    declare((text) => text.replace('size: S', 'size: L'));
    expect(await operator(statusCommand, 'prod', '--drift')).toExitWith(2, { stdout: /^prod: DRIFT, 1 difference: / });
    await expect(operator(statusCommand, '--drift', '--watch')).rejects.toThrow('--watch');
    // A program has another assembly beside it, which is not there at all.
    program({});
    expect(await operator(statusCommand, 'acme/shop', '--drift')).toExitWith(0, { stdout: /^prod: IN SYNC\n/ });
    rmSync('Pulumi.yaml');
    declare((text) => text.replace('name: shop', 'name: other'));
    await expect(operator(statusCommand, 'acme/shop', '--drift')).rejects.toThrow('not of assembly "shop"');
  });

  test('a release of the design that an environment has not pulled is not deployed, unless it was taken back', async () => {
    for (const [value, said, token] of [
      ['L', 'prod: NOT DEPLOYED, drift unknown\n[^]*\n  1 design release is not in prod, by admin\n', ADMIN_TOKEN],
      ['S', 'prod: DEPLOYED, drift unknown\n(?![^]*design)', MARIA],
    ] as const) {
      const body = { cms_dj_ci: { ciAttributes: { size: value } } };
      const headers = { authorization: basic(token) };
      await shop.ok(shop.send('PUT', `${SHOP}/platforms/web/components/compute`, body, headers));
      const { releaseId, releaseState } = await shop.ok<Release>(shop.design('GET', '/releases/latest'));
      if (releaseState === 'open')
        await shop.ok(shop.send('POST', `${SHOP}/releases/${releaseId}/commit`, {}, headers));
      expect(await printed(statusCommand, 'acme/shop')).toMatch(new RegExp(`^${said}`));
    }
  });

  test('a pull that changes nothing is in no list, but in the state of the stack', async () => {
    const region = { cms_dj_ci: { ciName: 'region', ciAttributes: { value: 'east' } } };
    await redesign('POST', '/variables', region);
    await shop.pull('prod');
    expect(await shop.deploy('prod')).toBe('nothing');
    await redesign('DELETE', '/variables/region');
    await redesign('POST', '/variables', region);
    await shop.pull('prod');
    program({}, 'shop/variables/region');
    const behind = /^prod: NOT DEPLOYED[^]*\n {2}2 design releases are not in prod/;
    expect(await operator(statusCommand, 'acme/shop/prod', '--drift')).toExitWith(2, { stdout: behind });
    const { releaseId } = await shop.ok<Release>(shop.design('GET', '/releases/latest'));
    program({ pulled: String(releaseId) }, 'shop/variables/region');
    expect(await operator(statusCommand, 'acme/shop/prod', '--drift')).toExitWith(0, { stdout: /^prod: IN SYNC\n/ });
    rmSync('Pulumi.yaml');
    // The next change that is pulled is in a list.
    const moved = { cms_dj_ci: { ciName: 'region', ciAttributes: { value: 'west' } } };
    await redesign('PUT', '/variables/region', moved);
    await shop.pull('prod');
    expect(await shop.deploy('prod')).toBe('nothing');
    expect(await printed(statusCommand, 'acme/shop/prod')).toMatch(/^prod: DEPLOYED/);
  });

  test('--drift: the verdict of the review, and none of it on what the stack does not declare', async () => {
    await shop.ok(shop.createEnvironment('dev', { east: '1' }, { attributes: { subdomain: 'dev.shop.acme' } }));
    await shop.settled('dev');
    writeFileSync(
      'oneops.yaml',
      'assembly: { name: shop, existing: true }\nenvironments: { dev: { clouds: { east: { priority: 1 } } }, qa: { clouds: { east: { priority: 1 } } } }\n',
    );
    const status = await operator(statusCommand, '--drift');
    expect(status).toExitWith(2, { stdout: /^dev: NOT DEPLOYED\n[^]*^prod: DEPLOYED, not declared by this stack\n/m });
    expect(status.stdout).toMatch(/^qa: NOT DEPLOYED\n {2}the service does not have it$/m);
    expect(JSON.parse(await printed(statusCommand, '--drift', '--json'))).toMatchObject({
      environments: [{ environment: 'dev' }, { environment: 'prod', undeclared: true }, { missing: true }],
    });
    expect(await shop.deploy('dev')).toBe('complete');
    expect(await printed(statusCommand, 'acme/shop/dev')).toMatch(/^dev: DEPLOYED/);
    // A guest's file says nothing of what the owner commits; its review and its status say the same.
    await redesign('PUT', '/variables/region', { cms_dj_ci: { ciAttributes: { value: 'north' } } });
    const guest = /^dev: IN SYNC\n[^]* {2}1 design release is not in dev/;
    expect(await operator(statusCommand, 'acme/shop/dev', '--drift')).toExitWith(0, { stdout: guest });
    await shop.pull('prod');
    expect(await shop.deploy('prod')).toBe('nothing');
    // One component in place of another: as many come as go.
    for (const name of ['one', 'other']) {
      await shop.deploy('dev');
      if (name === 'other') await shop.ok(shop.design('DELETE', '/platforms/web/components/one'));
      await redesign('POST', '/platforms/web/components', ofTemplate('user', name, { username: name }));
      await shop.pull('dev');
      await shop.commit('dev');
    }
    expect(await printed(statusCommand, 'acme/shop/dev')).toMatch(/ web +east +8, 1 leaving /);
    await redesign('DELETE', '/platforms/web/components/other');
    await shop.pull('dev');
    expect(await shop.deploy('dev')).toBe('complete');
    // What a deployment left out, as a destroy leaves it that was killed: all of it is taken down.
    const [web] = await shop.ok<readonly Record<'ciId', number>[]>(shop.send('GET', shop.at('dev', '/platforms')));
    await shop.ok(shop.send('PUT', shop.at('dev', '/disable'), { platformCiIds: [web?.ciId] }));
    await shop.ok(shop.send('POST', shop.at('dev', '/commit'), { exclude_platforms: String(web?.ciId) }));
    expect(await printed(statusCommand, 'acme/shop/dev')).toMatch(/^dev: NOT DEPLOYED[^]* web +east +7, 7 leaving /);
    expect(await shop.deploy('dev')).toBe('complete');
    expect(await printed(statusCommand, 'acme/shop/dev')).toMatch(/^dev: NOT DEPLOYED[^]* {2}nothing runs\n$/);
    await shop.ok(shop.send('DELETE', shop.at('dev', '')));
  });

  test('an ended release names its users alone, and none who wrote since', async () => {
    const { stdout } = await operator(historyCommand, 'acme/shop', '--json');
    const releases = JSON.parse(stdout) as Outputs['history'];
    const changes = releases.flatMap((each) => each.changes);
    const of = (wanted: string): Set<string> =>
      new Set(changes.flatMap(({ action, by }) => (action === wanted ? by : [])));
    expect([of('add'), of('update')]).toEqual([new Set(['admin']), new Set(['admin', 'maria'])]);
  });

  test.each<[Command, ...string[]]>([
    [statusCommand, 'acme/shop'],
    [instancesCommand, 'acme/shop'],
    [instancesCommand, 'acme/shop/prod', '--addresses'],
    [deploymentCommand, 'list', 'acme/shop/prod'],
    [deploymentCommand, 'show', 'acme/shop/prod'],
    [deploymentCommand, 'follow', 'acme/shop/prod'],
    [logsCommand, 'acme/shop/prod'],
    [run, 'acme/shop/prod/web/tomcat'],
    [run, 'acme/shop/prod/web/tomcat', 'restart', '--yes', '--follow'],
    [historyCommand, 'acme/shop/prod'],
    [historyCommand, 'acme/shop'],
  ])('JSON, and a refused token: %#', async (command, ...words) => {
    const { code, stderr } = await as(READER)(command, ...words, '--json');
    expect([code, stderr]).toEqual(
      words.includes('--yes') ? [4, expect.stringMatching(/right to read only/)] : [0, ''],
    );
    const settings = { ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: 'refused-token' };
    const refused = await runToEnd(command, { ...settings, ONEOPS_URL: listening.url }, ...words);
    const said = /^pulumi-oneops: .*401[^]* that of ONEOPS_TOKEN, which wins over oneops:token\n/;
    expect(refused).toExitWith(4, { stderr: said });
  });

  test.each<[Command, readonly string[], string]>([
    [statusCommand, ['acme/shpo'], 'no assembly called "shpo": did you mean "shop"?'],
    [statusCommand, ['acme/shop/pord'], 'no environment of assembly "shop" called "pord": did you mean "prod"?'],
    [
      statusCommand,
      ['acme/bare/prod'],
      'of assembly "bare" called "prod": there is none yet, and pulumi up makes what is',
    ],
    [statusCommand, ['acme/shop/prod/web'], '"prod/web" has too many names'],
    [statusCommand, ['acme/shop//web'], 'empty name'],
    [statusCommand, ['prod'], 'no stack file here names an assembly'],
    [statusCommand, ['acme/shop', 'prod'], '"prod" is one argument too many'],
    [historyCommand, ['acme/shop/prod/web'], '"prod/web" has too many names'],
    [historyCommand, ['acme/shop/pord'], '"prod"?'],
    [historyCommand, ['acme/shop', '--release', '1'], 'shop has no release 1'],
    [historyCommand, ['acme/shop', '--size', 'x'], '--size takes a number'],
    [instancesCommand, ['acme/shop/prod/wbe'], 'no platform of environment "prod" called "wbe": did you mean "web"?'],
    [instancesCommand, ['acme/shop/prod/web/compote'], 'no component of platform "web" called "compote"'],
    [instancesCommand, ['acme/shop/prod/web/compute/1'], 'too many names'],
    ...['list', 'show', 'follow', 'retry', 'resume', 'pause', 'approve', 'reject', 'cancel'].flatMap(
      (name): [Command, string[], string][] => [
        [deploymentCommand, [name, 'acme/shop/pord'], '"prod"?'],
        [deploymentCommand, [name, 'acme/shop'], 'name an environment of assembly "shop": acme/shop/prod'],
        [deploymentCommand, [name, 'acme/shop/prod/web'], 'too many names'],
        [deploymentCommand, [name, 'acme/shop/prod', 'x'], '"x" is '],
      ],
    ),
    [deploymentCommand, ['show', 'acme/shop/prod', '1'], 'prod has no deployment 1'],
    [deploymentCommand, ['shwo'], 'no command "deployment shwo"'],
    [logsCommand, ['acme/shop/pord'], '"prod"?'],
    [logsCommand, ['acme/shop/prod', '1'], 'prod has no deployment 1'],
    [logsCommand, ['acme/shop/prod', '--procedure', '1'], 'no procedure 1 in prod'],
    [run, ['acme/shop/pord/web/tomcat'], '"prod"?'],
    [run, ['acme/shop/prod/wbe/tomcat'], '"web"?'],
    [run, ['acme/shop/prod/web/tomact', 'restart'], '"tomcat"?'],
    [run, [], 'no stack file here'],
    [run, ['acme/shop/prod/web'], 'name a component'],
    [run, ['acme/shop/prod/web/tomcat', 'restrat'], 'did you mean "restart"?'],
    [run, ['acme/shop/prod/web/tomcat', 'restart', '--instances', 'x'], 'there is no instance "x"'],
    [run, ['acme/shop/prod/web/tomcat', 'restart', '--step', '100'], '--step takes'],
    [discardCommand, ['acme/shop/pord'], '"prod"?'],
    [discardCommand, ['acme/shop/prod/web'], 'too many names'],
  ])('a wrong word ends with 3: %#', async (command, words, reason) => {
    const settings = { ONEOPS_URL: listening.url, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: ADMIN_TOKEN };
    expect(await runToEnd(command, settings, ...words)).toExitWith(3, { stdout: '', stderr: reason });
  });

  test('without an environment: the only one of the stack in the folder, or the names of all', async () => {
    declare((text) => text);
    const { stdout } = await operator(deploymentCommand, 'list');
    const number = /^\d+/m.exec(stdout)?.[0] ?? '';
    expect(await printed(deploymentCommand, 'show', number)).toContain(`deployment ${number} of prod`);
    expect(await printed(logsCommand, number)).toContain('web/compute');
    expect(await printed(run, 'web/tomcat')).toContain('restart\n');
    await expect(operator(run, 'prod/web')).rejects.toThrow('name a component');
    const other = operator(statusCommand, 'acme/shop', '--organization', 'nope');
    await expect(other).rejects.toThrow('with organization and assembly: nope/shop/prod');
    declare((text) => text.replace('prod: {', 'dev: { clouds: { east: { priority: 1 } } }, prod: {'));
    const several = 'name an environment: the stack has dev, prod';
    await expect(operator(deploymentCommand, 'list')).rejects.toThrow(several);
    await expect(operator(run, 'web/tomcat')).rejects.toThrow(several);
    declare((text) => text.replace('name: shop', 'name: "${pulumi.stack}op"'));
    writeFileSync('Pulumi.yaml', 'name: each\nruntime: oneops\n');
    folder.pulumi('[ "$1" = stack ] && echo sh || echo "{}"');
    expect(await printed(deploymentCommand, 'list')).toBe(stdout);
  });

  test('a deployment that fails: shown with the reason, retried by its user only, and followed to its end', async () => {
    shop.service.faults.set([
      { effect: 'fail-deployment', record: 'web/compute', message: `no capacity for ${ADMIN_TOKEN}` },
    ]);
    await size('L');
    expect(await shop.deploy('prod')).toBe('failed');
    expect(await printed(statusCommand, 'acme/shop/prod')).toMatch(/^prod: FAILED, drift unknown\n[^]*no capacity/);
    const shown = await operator(deploymentCommand, 'show', 'acme/shop/prod');
    expect(shown).toExitWith(1, { stdout: 'no capacity' });
    expect(shown.stdout).toMatch(/:\d\d:\d\d UTC {2}failed/);
    const asJson = await operator(deploymentCommand, 'show', 'acme/shop/prod', '--json');
    const logged = await operator(logsCommand, 'acme/shop/prod');
    expect(shown.stdout + asJson.stdout + logged.stdout).not.toContain(ADMIN_TOKEN);
    const before = writes();
    await expect(as(MARIA)(deploymentCommand, 'retry', 'acme/shop/prod', '--yes')).rejects.toThrow(
      'admin started deployment',
    );
    await expect(moved('resume')).rejects.toThrow('it is failed; resume needs one that is paused');
    expect(await operator(deploymentCommand, 'retry', 'acme/shop/prod')).toExitWith(1);
    expect(writes()).toBe(before);
    expect(await moved('retry', '--follow')).toExitWith(1, {
      stdout: 'no capacity for [secret]',
    });
    shop.service.faults.set([]);
    expect(await moved('retry', '--follow')).toExitWith(0, {
      stdout: 'complete',
    });
  }, 60_000);

  test('logs of a deployment name each work order, and what failed; releases have their users and changes', async () => {
    const { stdout } = await operator(logsCommand, 'acme/shop/prod');
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}INFO +web\/compute-\d+-1 /m);
    isLoggedTwice = true;
    for (const words of [[], ['--follow']]) {
      const twice = (await operator(logsCommand, 'acme/shop/prod', ...words)).stdout;
      expect(twice.split('\n').sort()).toEqual(`${stdout}${stdout}`.split('\n').sort());
    }
    isLoggedTwice = false;
    const listed = await operator(historyCommand, 'acme/shop/prod');
    expect(listed.stdout).toMatch(/^RELEASE +STATE +BY +OPENED/);
    expect(listed.stdout).not.toContain('{');
    const number = /^(\d+) +closed/m.exec(listed.stdout)?.[1] ?? '';
    expect(await printed(historyCommand, 'acme/shop/prod', '--release', number)).toMatch(
      /^release \d+, closed, by admin/,
    );
    expect(await printed(historyCommand, 'acme/shop')).toMatch(/\d+ +closed +admin/);
  });

  test('an action runs on the instances of a component; one that fails says why; an unknown one is refused', async () => {
    const tomcat = 'acme/shop/prod/web/tomcat';
    expect(await printed(run, tomcat)).toContain('restart\n');
    const before = writes();
    expect(await operator(run, tomcat, 'restart')).toExitWith(1);
    expect(writes()).toBe(before);
    const [{ ciName = '' } = {}] = (await shop.instances('prod')).filter((each) => each.ciName.startsWith('tomcat'));
    const chosen = ['--instances', `web/${ciName}`, '--arguments', 'slowly', '--step', '50'];
    expect(await operator(run, tomcat, 'restart', '--yes', '--follow', ...chosen)).toExitWith(0, {
      stdout: /^procedure (\d+): .*1\/1 complete\n$/s,
    });
    shop.service.faults.set([
      { effect: 'fail-deployment', record: 'web/tomcat#restart', message: `no power for ${ADMIN_TOKEN}` },
    ]);
    const failed = await operator(run, tomcat, 'restart', '--yes', '--follow');
    expect(failed).toExitWith(1, { stdout: 'no power for [secret]' });
    const asJson = await operator(run, tomcat, 'restart', '--yes', '--follow', '--json');
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      instances: expect.arrayContaining([ciName]) as string[],
      failures: expect.arrayContaining([expect.stringContaining('no power for [secret]')]) as string[],
    });
    shop.service.faults.set([]);
    const number = /procedure (\d+)/.exec(failed.stdout)?.[1] ?? '';
    expect(await operator(logsCommand, 'acme/shop/prod', '--procedure', number, '--follow')).toExitWith(1, {
      stdout: `ERROR  restart on ${ciName}  `,
    });
  });

  test('a deployment that waits for an approval: approved by another user with --others', async () => {
    const ciAttributes = { approval: 'true', approval_auth_type: 'token', approval_token: 'canary-token' };
    const gate = { cms_ci: { ciName: 'gate', ciAttributes } };
    await shop.ok(shop.send('POST', '/acme/clouds/east/supports', gate));
    const id = await start('M');
    expect(await printed(statusCommand, 'acme/shop/prod')).toMatch(
      /^prod: WAITS FOR APPROVAL, drift unknown\n[^]* waits for the approval of east\/gate\n/,
    );
    const approve = ['approve', 'acme/shop/prod', String(id), '--yes', '--follow'];
    await expect(as(MARIA)(deploymentCommand, ...approve)).rejects.toThrow('admin started deployment');
    const settling = () => as(MARIA)(deploymentCommand, ...approve, '--others');
    await expect(settling()).rejects.toThrow(/token of support gate[^]*, set ONEOPS_APPROVAL_TOKEN/);
    approvalToken = 'canary-token';
    expect(await settling()).toExitWith(0, { stdout: 'complete' });
    await start('S');
    const [begun] = (await operator(deploymentCommand, 'show', 'acme/shop/prod')).stdout.split('\n');
    expect(await moved('reject')).toExitWith(0, { stdout: 'is canceled' });
    expect(await printed(statusCommand, 'acme/shop/prod')).toMatch(
      new RegExp(`^prod: NOT DEPLOYED.*\n  ${begun?.replace(' of prod,', '')}, `),
    );
    await size('M');
    await shop.commit('prod');
    expect(await printed(statusCommand, 'acme/shop/prod')).toMatch(/^prod: DEPLOYED/);
  }, 60_000);

  test('a running deployment is paused, resumed, and paused before it is canceled', async () => {
    await shop.ok(shop.send('DELETE', '/acme/clouds/east/supports/gate'));
    await size('XL');
    expect(await printed(statusCommand, 'acme/shop/prod')).toContain('  1 change is not committed, by admin\n');
    await shop.commit('prod');
    await shop.start('prod');
    expect(await moved('pause', '--follow')).toExitWith(1, {
      stdout: 'is paused',
    });
    expect(await moved('resume', '--follow')).toExitWith(0, {
      stdout: 'complete',
    });
    await start('M');
    // 500 means a wrong number of what is not known to exist only.
    shop.service.faults.set([{ effect: 'status', status: 500, route: 'deployments.status' }]);
    await expect(moved('cancel')).rejects.toThrow('answered 500');
    shop.service.faults.set([{ effect: 'status', status: 500, route: 'environmentReleases.read' }]);
    await expect(operator(historyCommand, 'acme/shop/prod')).rejects.toThrow('answered 500');
    shop.service.faults.set([]);
    expect(await moved('cancel')).toExitWith(0, { stdout: 'is canceled' });
    await start('L');
    expect(await moved('cancel')).toExitWith(0, { stdout: /^deployment \d+ is paused first: .*\n.* is canceled\n$/ });
  });

  test('wide characters go on below their own column', async () => {
    await shop.until('prod', await start('S', { comments: '昨日の変更を元に戻す。'.repeat(4) }), 'complete');
    const lines = (await operator(deploymentCommand, 'list', 'acme/shop/prod')).stdout.split('\n');
    const at = columnsOf(lines[0]?.replace(/COMMENT$/, '') ?? '');
    const below = lines.filter((line) => line.startsWith(' ')).map((line) => columnsOf(/^ */.exec(line)?.[0] ?? ''));
    expect([...new Set(below)]).toEqual([at]);
    await start('L');
    expect(await operator(statusCommand, 'acme/shop/prod', '--watch')).toExitWith(0, { stdout: /^\S+prod: DEPLOYED/ });
  }, 60_000);
});

test('following outlives an outage and says it once; what cannot pass ends it, and so does a failed first look', async () => {
  const refusal = { method: 'GET', path: '/', status: 503, messages: ['down'] };
  const [down, refused] = [new ServerError(refusal), new NotFound({ ...refusal, status: 404 })];
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const following = (...answers: readonly (number | Error)[]): Promise<number> => {
    const left = [...answers];
    const look = (): Promise<number> => {
      const next = left.shift() ?? 0;
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    };
    return follow(
      look,
      (now) => now === 2,
      () => undefined,
    );
  };
  const outcomes = [following(1, down, down, 2), following(1, refused), following(down)];
  expect((await Promise.allSettled(outcomes)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  const [words, ...others] = said.mock.calls.map(([text]) => text);
  expect([words, others]).toEqual([expect.stringContaining('is asked again: the service answered 503: down'), []]);
  said.mockRestore();
});
