// check against the catalogue of a service: what it knows of packs and classes that this package does not hold, at once and from a saved file.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { routes, type Send } from '../../api/contract';
import type { Review } from '../../drift';
import { commandService } from '../../test/command-service';
import type { Outcome } from '../../test/run-command';
import type { Command } from '../command';
import { command as checkCommand } from '../commands/files/check';
import { command as driftCommand } from '../commands/drift/drift';
import { command as fmtCommand } from '../commands/files/fmt';
import { command as graphCommand } from '../commands/files/graph';
import { command as importFileCommand } from '../commands/records/import-file';
import { command as packsCommand } from '../commands/records/packs';
import { command as renderCommand } from '../commands/files/render';
import { openStack } from '../commands/files/lsp';
import { apiOf, commandSettings, usable } from './settings';
import { eachFolder } from '../../test/folder';

describe('catalogue', () => {
  const CLASSES = {
    Queue: {
      description: 'A queue',
      attributes: {
        depth: { description: 'How many jobs it holds', required: true, default: '10', pattern: '[0-9]+' },
        password: { description: 'Its password', encrypted: true },
      },
    },
    Printer: { description: 'A printer', attributes: { colour: { description: 'Of its ink' } } },
  };
  const PACK = {
    name: 'worker',
    description: 'Machines that work through a queue',
    extends: ['custom'],
    templates: [{ name: 'queue', class: 'Queue', constraint: '0..*' }],
  };
  /** What a template makes depends on the pack. */
  const OTHER = { ...PACK, name: 'office', templates: [{ name: 'queue', class: 'Printer', constraint: '0..*' }] };

  const PACKS = {
    'packs/worker.json': JSON.stringify(PACK),
    'packs/office.json': JSON.stringify(OTHER),
    'packs/classes.json': JSON.stringify(CLASSES),
  };
  const folder = eachFolder({ isHere: true, files: PACKS });
  const served = mkdtempSync(join(tmpdir(), 'oneops-known-'));
  mkdirSync(join(served, 'packs'));
  for (const [name, text] of Object.entries(PACKS)) writeFileSync(join(served, name), text);
  afterAll(() => rmSync(served, { recursive: true }));
  const at = commandService('classic', undefined, { packs: [join(served, 'packs')] });
  const run = (command: Command, ...words: readonly string[]): Promise<Outcome> => at.read(command, ...words);
  const save = (name = 'saved.json'): Promise<Outcome> => run(packsCommand, '--save', name);

  const stackOf = (attributes: string, pack = 'worker:1'): string =>
    `assembly: { name: shop, owner: team@acme.io }\nplatforms:\n  jobs: { pack: "oneops/${pack}", components: { queue: { ${attributes} } } }\n`;

  /** A Pulumi.yaml whose options name a catalogue. */
  const manifest = (catalogue: string, main = ''): string =>
    `name: shop\n${main}runtime: { name: oneops, options: { catalogue: ${catalogue} } }\n`;

  const codes = (stdout: string): readonly string[] =>
    (JSON.parse(stdout) as readonly { code: string; severity: string; message: string }[]).map(
      ({ code, severity, message }) => `${severity} ${code}: ${message}`,
    );

  /** What check finds. */
  const found = async (...words: readonly string[]): Promise<readonly string[]> =>
    codes((await run(checkCommand, '--json', ...words)).stdout);

  /** The stack as an editor opens it. */
  const opened = (...files: readonly string[]): ReturnType<typeof openStack> =>
    openStack({ folder: folder.path, files }, {}, () => undefined);

  /** Writes a stack, and a project that names the saved catalogue of the service. */
  async function project(stack: string): Promise<void> {
    folder.write({ 'oneops.yaml': stack, 'Pulumi.yaml': manifest('saved.json') });
    await save();
  }

  test.each([
    ['depth: 12', []],
    ['dept: 12', ['error unknown-attribute: Queue has no attribute "dept"']],
    ['depth: deep', ['error bad-format: "depth" must be of the form [0-9]+']],
    ['colour: red', [expect.stringMatching(/^warning unknown-attribute: Queue .* the catalogue of http.* knows/)]],
  ])('%s, checked against the service and its saved catalogue', async (attributes, expected) => {
    writeFileSync('oneops.yaml', stackOf(attributes));
    expect(await save('catalogue.json')).toExitWith(0, { stdout: /^catalogue\.json: \d+ packs, \d+ classes of / });
    for (const words of [['--online'], ['--catalogue-file', 'catalogue.json']]) {
      expect([words, await found(...words)]).toEqual([words, expected]);
    }
  });

  test('the catalogue that Pulumi.yaml names counts for check and for editors, and an option counts before it', async () => {
    await project(stackOf('dept: 12'));
    const expected = ['error unknown-attribute: Queue has no attribute "dept"'];
    expect(await found()).toEqual(expected);
    expect(codes(JSON.stringify(opened('oneops.yaml').reading.findings))).toEqual(expected);
    writeFileSync('Pulumi.yaml', manifest('nowhere.json'));
    const unread = /: Pulumi\.yaml: cannot read the catalogue in nowhere\.json: there is/;
    expect(await run(checkCommand)).toExitWith(3, { stderr: unread });
    for (const words of [['--catalogue-file', 'saved.json'], ['--online']]) {
      expect([words, await found(...words)]).toEqual([words, expected]);
    }
  });

  test.each(['[saved.json]', '{ name: saved.json }', "''", '7', ''])(
    'a catalogue that Pulumi.yaml names as %j is refused as by a preview, unless an option names another',
    async (named) => {
      writeFileSync('oneops.yaml', stackOf('depth: 12'));
      await save();
      writeFileSync('Pulumi.yaml', manifest(named));
      const refused = /: Pulumi\.yaml: runtime\.options\.catalogue must be the name of a file/;
      expect(await run(checkCommand)).toExitWith(3, { stderr: refused });
      expect(await run(checkCommand, '--catalogue-file', 'saved.json')).toExitWith(0);
    },
  );

  test('an editor finds the names of components by the catalogue that Pulumi.yaml names', async () => {
    const outputs = "outputs: { one: '${platforms.jobs.components.one.ciId}' }\n";
    await project(stackOf('one: { depth: 1 }, two: { depends: [one] }') + outputs);
    const { reading, sites } = opened('oneops.yaml');
    expect(reading.findings).toEqual([]);
    const one = sites.filter(({ name }) => name.join('.') === 'platforms.jobs.components.one');
    expect(one.map(({ role, at }) => `${role} ${at.start.line}:${at.start.column}`)).toEqual([
      'declaration 3:59',
      'mention 3:95',
      'mention 4:46',
      'mention 4:50',
    ]);
  });

  test('an editor and --online find the packs of every file while the files do not compose', async () => {
    const jobs = 'platforms: { jobs: { components: { queue: { one: { depth: 2 } } } } }';
    await project(`assembly: { name: shop, owner: team@acme.io }\nenvironments:\n  prod: { ${jobs} }\n`);
    writeFileSync('jobs.yaml', `${stackOf('one: { depth: 1 }').replace(/^.*\n/, '')}  include: [missing.yaml]\n`);
    const { reading, sites } = opened('oneops.yaml', 'jobs.yaml');
    expect(reading.trees?.composed).toBe(undefined);
    const one = sites.filter(({ name }) => name.at(-1) === 'one');
    expect(one.map(({ role, name, at }) => `${role} ${name.join('.')} ${at.file}`)).toEqual([
      'key platforms.jobs.components.one oneops.yaml',
      'declaration platforms.jobs.components.one jobs.yaml',
    ]);
    const sent = at.service.journal().length;
    await run(checkCommand, '--online', 'oneops.yaml', 'jobs.yaml');
    const paths = at.service
      .journal()
      .slice(sent)
      .map(({ path }) => path);
    expect(paths).toContain('/acme/catalog/packs/oneops/worker/1/platforms/worker/components');
  });

  test('the name of a catalogue is relative to the folder of the program, and an absolute one stays', async () => {
    mkdirSync('sub');
    writeFileSync('sub/oneops.yaml', stackOf('dept: 12'));
    await save('sub/saved.json');
    for (const name of ['saved.json', join(folder.path, 'sub', 'saved.json')]) {
      writeFileSync('Pulumi.yaml', manifest(name, 'main: sub\n'));
      expect(await found()).toEqual(['error unknown-attribute: Queue has no attribute "dept"']);
    }
  });

  test('every command reads the components of a class that the saved catalogue alone knows', async () => {
    await project(stackOf('one: { depth: 1 }, two: { depth: 2 }'));
    const jobs = { assembly: 'shop', platform: 'jobs' };
    await at.make('Assembly', { name: 'shop', owner: 'team@acme.io' });
    await at.make('Platform', { assembly: 'shop', name: 'jobs', source: 'oneops', pack: 'worker', version: '1' });
    await at.make('Component', { ...jobs, name: 'one', type: 'queue', attributes: { depth: '1' } });
    await at.make('Component', { ...jobs, name: 'two', type: 'queue', attributes: { depth: '3' } });
    expect(await run(checkCommand)).toExitWith(0);
    expect(await run(graphCommand)).toExitWith(0, { stderr: '' });
    expect(await run(renderCommand)).toExitWith(0, { stderr: '' });
    expect(await run(fmtCommand)).toExitWith(0, { stderr: '' });
    const review = await run(driftCommand, '--json');
    // Nobody committed the design, which is a finding, too.
    const findings = (JSON.parse(review.stdout) as Review).findings.filter(
      ({ classification }) => classification !== 'undeployed',
    );
    expect(findings.map(({ address, attribute }) => `${address} ${attribute}`)).toEqual([
      'acme/shop/jobs/two attributes.depth',
    ]);
    writeFileSync('review.json', review.stdout);
    const words = ['accept', findings[0]?.id ?? '', '--from', 'review.json'];
    expect(await run(driftCommand, ...words)).toExitWith(0, { stderr: '' });
    expect(readFileSync('oneops.yaml', 'utf8')).toContain('two: { depth: 3 }');
    const imported = await run(importFileCommand, '--declared');
    expect(imported.stdout).toContain('"acme/shop/jobs/one"');
    expect(imported.stdout).toContain('"acme/shop/jobs/two"');
    // What the configuration says of the catalogue counts, as in a preview.
    writeFileSync('oneops.yaml', stackOf('one: { depth: 1, dept: 1 }, two: { depth: 2 }'));
    const refused = expect.stringContaining('Queue has no attribute "dept"') as string;
    expect(await run(driftCommand, ...words)).toMatchObject({ code: 3, stderr: refused });
    writeFileSync('Pulumi.yaml', `${manifest('saved.json')}config: { oneops:catalogue: off }\n`);
    expect(await run(driftCommand, ...words)).toExitWith(0, { stderr: '' });
    writeFileSync('Pulumi.yaml', `${manifest('saved.json')}config: { oneops:catalogue: orf }\n`);
    for (const refusing of [await run(driftCommand, ...words), await run(renderCommand), await run(checkCommand)])
      expect(`${refusing.code} ${refusing.stdout}${refusing.stderr}`).toMatch(
        /^3 [^]*Pulumi\.yaml:\d+:\d+: .*oneops:catalogue is "orf".*did you mean "off"\?/,
      );
  });

  test('without a catalogue of the service, the pack is not known', async () => {
    writeFileSync('oneops.yaml', stackOf('dept: 12'));
    const sent = at.service.journal().length;
    expect(await found()).toEqual(['warning unknown-pack: pack "oneops/worker" is not in the packaged catalogue']);
    expect(at.service.journal()).toHaveLength(sent);
  });

  test.each([
    ['a pack beside one', 'worekr:1', 'depth: 12', 'unknown-pack', 'did you mean "worker"?'],
    ['a template', 'worker:1', 'depth: 12 }, qeue: { depth: 1', 'unknown-template', 'did you mean "queue"?'],
    [
      'a template of another pack',
      'worker:1',
      'depth: 12 }, mysql: { port: 1',
      'unknown-template',
      'pack oneops/mysql:1 has it',
    ],
  ])('%s, where the service has none, is an error with its line', async (_, pack, attributes, code, hint) => {
    writeFileSync('oneops.yaml', stackOf(attributes, pack));
    const done = await run(checkCommand, '--online', '--json');
    expect(done.code).not.toBe(0);
    expect(JSON.parse(done.stdout)).toEqual([
      expect.objectContaining({ code, severity: 'error', hint: expect.stringContaining(hint) as string }),
    ]);
    expect((await run(checkCommand, '--online')).stdout).toMatch(/oneops\.yaml:3:\d+: error/);
  });

  test('a cloud that neither the organization nor the file has is an error with --online', async () => {
    const text = 'assembly: { name: shop, owner: team@acme.io }\nclouds: { mine: { location: eu } }\nenvironments:\n';
    const clouds = '{ esat: { priority: 1 }, east: { priority: 1 }, mine: { priority: 1 } }';
    writeFileSync('oneops.yaml', `${text}  prod: { clouds: ${clouds}, deploy: false }\n`);
    const said = (await found('--online')).filter((each) => each.includes('cloud'));
    expect(said).toEqual(['error unknown-cloud: the organization has no cloud "esat"']);
  });

  test('what the packaged catalogue finds in its own packs, that of the service finds too', async () => {
    const platform = (pack: string, components: string): string =>
      `assembly: { name: shop, owner: team@acme.io }\nplatforms:\n  web: { pack: "${pack}", components: { ${components} } }\n`;
    for (const text of [
      platform('oneops/tomcat:1', 'compute: { sise: L }'),
      platform('oneops/tomcat:1', 'compute: { size: XXXXL }, user: { username: A }'),
      platform('oneops/tomcat:7', 'compute: { size: L }'),
      platform('oneops/tomcatt:1', 'compute: { size: L }'),
      platform('oneops/tomcat:1', 'tomcta: { max_threads: 1 }'),
      platform('oneops/mysql:1', 'volume: { fstype: zfs9 }'),
    ]) {
      writeFileSync('oneops.yaml', text);
      const said = async (...words: readonly string[]): Promise<readonly string[]> =>
        (await found(...words)).map((each) =>
          each
            .replace(/the catalogue of \S+/, 'the packaged catalogue')
            .replace(/^\w+ (unknown-(?:pack|template))/, '$1'),
        );
      expect([text, await said('--online')]).toEqual([text, await said()]);
    }
  });

  test('a saved catalogue contains no secret and no token', async () => {
    await save('catalogue.json');
    expect(readFileSync('catalogue.json', 'utf8')).not.toContain('canary');
  });

  test.each([
    ['--catalogue-file nowhere.json', 3, /cannot read the catalogue in nowhere\.json: there is no such file/],
    ['--catalogue-file oneops.yaml', 3, /cannot read the catalogue in oneops\.yaml: it is not JSON; .*packs --save/],
    ['--catalogue-file packs/classes.json', 3, /it is no catalogue of version 1: version: /],
    ['--online --catalogue-file a.json', 3, /exclude each other/],
    ['--online --organization nobody', 1, /cannot read the catalogue of http:\/\/127\.0\.0\.1:\d+: /],
    ['--online --url http://127.0.0.1:1', 4, /the service to speak to is not configured/],
  ])('check %s is refused with code %d and the reason', async (words, code, reason) => {
    writeFileSync('oneops.yaml', stackOf('depth: 1'));
    const stderr = expect.stringMatching(reason) as string;
    expect(await run(checkCommand, ...words.split(' '))).toMatchObject({ code, stderr });
  });
});

// Settings of a command next to those of a stack: what is taken from where, and that a token stays with its address.
describe('settings', () => {
  const HOME = 'https://home.example';
  const CONFIGURATION = {
    'oneops:url': { value: HOME },
    'oneops:organization': { value: 'acme' },
    'oneops:token': { value: 'canary-home-token', secret: true },
  };

  const folder = eachFolder({ isHere: true });

  /** An environment in which `pulumi` answers the stack's configuration. */
  const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    PATH: [folder.path, process.env['PATH']].join(delimiter),
    ...more,
  });

  beforeEach(() => {
    folder.write({ 'Pulumi.yaml': 'name: shop\nruntime: oneops\n' });
    folder.pulumi(`cat <<'END'\n${JSON.stringify(CONFIGURATION)}\nEND`);
  });

  test.each([HOME, `${HOME}/`, undefined])("the stack's token goes to the stack's address: %s", async (url) => {
    const { resolved } = await commandSettings({ url }, environment());
    expect(resolved).toMatchObject({ settings: { url: HOME, organization: 'acme', token: 'canary-home-token' } });
  });

  test('and to no other, which wants one of its own', async () => {
    const url = 'https://elsewhere.example';
    const { resolved, note } = await commandSettings({ url }, environment());
    expect(JSON.stringify(resolved)).toMatch(/oneops:token is missing/);
    expect(JSON.stringify(resolved)).not.toContain('canary');
    expect(note).toMatch(/not sent to https:\/\/elsewhere\.example.*set ONEOPS_TOKEN/);
    const own = await commandSettings({ url }, environment({ ONEOPS_TOKEN: 'own-token' }));
    expect(own.resolved).toMatchObject({ settings: { url, organization: 'acme', token: 'own-token' } });
  });

  test('settings that lack something outside a project name the missing Pulumi.yaml', async () => {
    rmSync('Pulumi.yaml');
    expect((await commandSettings({}, {})).note).toContain('no Pulumi.yaml');
    const complete = { ONEOPS_URL: HOME, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: 'own-token' };
    expect((await commandSettings({}, complete)).note).toBeUndefined();
  });

  test('a terminal says that an answer is late, and at which attempt; a log does not', async () => {
    const settings = usable(await commandSettings({}, environment()));
    const terminal = process.stderr.isTTY;
    let [now, failed, tick] = [0, (): void => undefined, (): void => undefined];
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const every = jest.spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void) => {
      tick = run;
      return { unref: () => undefined };
    }) as never);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
    const said = async (isTTY: boolean): Promise<string> => {
      Object.assign(process.stderr, { isTTY });
      written.mockClear();
      const send: Send = () => new Promise((_, refuse) => (failed = () => void refuse(new Error('no'))));
      const api = apiOf(settings, { send, attempts: 2, pause: () => Promise.resolve(), dialect: 'classic' });
      const ended = expect(api.call(routes.assemblies.list, {})).rejects.toThrow('no answer');
      for (const wait of [4000, 3000, 60_000]) {
        await new Promise(setImmediate);
        if (wait === 60_000) failed();
        await new Promise(setImmediate);
        now += wait;
        tick();
      }
      failed();
      await ended;
      api.close();
      return written.mock.calls.join('|');
    };
    try {
      const late = '\r\u001b[Kwaiting for home.example: ';
      expect(await said(true)).toBe(`${late}7 s, attempt 1 of 2|\r\u001b[K|${late}67 s, attempt 2 of 2|\r\u001b[K`);
      expect(await said(false)).toBe('');
    } finally {
      Object.assign(process.stderr, { isTTY: terminal });
      for (const spy of [written, every, clock]) spy.mockRestore();
    }
  });
});
