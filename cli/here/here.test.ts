// check against the catalogue of a service: what it knows of packs and classes that this package does not hold, at once and from a saved file.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Review } from '../../drift';
import { createApi } from '../../api/client';
import type { Inputs } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle } from '../../provider/lifecycle';
import { newSession } from '../../provider/session';
import { createService, listen, type Listening, manualClock, type Service } from '../../service';
import { type Outcome, runCommand } from '../../test/run-command';
import type { Command } from '../command';
import { command as checkCommand } from '../commands/files/check';
import { command as driftCommand } from '../commands/drift/drift';
import { command as fmtCommand } from '../commands/files/fmt';
import { command as graphCommand } from '../commands/files/graph';
import { command as importFileCommand } from '../commands/records/import-file';
import { command as packsCommand } from '../commands/records/packs';
import { command as renderCommand } from '../commands/files/render';
import { openStack } from '../lsp/server';
import { commandSettings } from './settings';
import { eachFolder } from '../../test/folder';

describe('catalogue', () => {
  const TOKEN = 'canary-catalogue-91b2';
  const home = process.cwd();
  let folder: string;
  let service: Service;
  let listening: Listening;

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

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oneops-known-'));
    mkdirSync(join(folder, 'packs'));
    writeFileSync(join(folder, 'packs', 'worker.json'), JSON.stringify(PACK));
    writeFileSync(join(folder, 'packs', 'office.json'), JSON.stringify(OTHER));
    writeFileSync(join(folder, 'packs', 'classes.json'), JSON.stringify(CLASSES));
    service = createService({
      database: ':memory:',
      dialect: 'classic',
      clock: manualClock(Date.UTC(2026, 0, 5)),
      users: [{ name: 'admin', token: TOKEN }],
      packs: [join(folder, 'packs')],
    });
    listening = await listen(service, { port: 0 });
    process.chdir(folder);
  });

  afterAll(async () => {
    process.chdir(home);
    await listening.close();
    service.close();
    rmSync(folder, { recursive: true });
  });

  /** Runs a command with the settings of the service, and without Pulumi's CLI; nothing but GETs may be sent. */
  async function run(command: Command, ...words: readonly string[]): Promise<Outcome> {
    const sent = service.journal().length;
    const settings = { ONEOPS_URL: listening.url, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: TOKEN, PATH: folder };
    const outcome = await runCommand(command, settings, ...words);
    expect(
      service
        .journal()
        .slice(sent)
        .filter(({ method }) => method !== 'GET'),
    ).toEqual([]);
    expect(outcome.stdout + outcome.stderr).not.toContain(TOKEN);
    return outcome;
  }

  const stackOf = (attributes: string, pack = 'worker:1'): string =>
    `assembly: { name: shop, owner: team@acme.io }\nplatforms:\n  jobs: { pack: "oneops/${pack}", components: { queue: { ${attributes} } } }\n`;

  /** Creates records in the service, as a run does. */
  async function make(...records: readonly (readonly [token: string, inputs: Inputs])[]): Promise<void> {
    const api = createApi({ url: listening.url, organization: 'acme', token: TOKEN });
    const session = newSession(kinds);
    for (const [token, inputs] of records) {
      const of = kinds.find((each) => each.token === token);
      if (of === undefined) throw new Error(`no kind ${token}`);
      const row = { progress: () => undefined, notice: () => undefined };
      await lifecycle(of, () => Promise.resolve(api), session).create(inputs, row);
    }
    api.close();
  }

  /** A Pulumi.yaml whose options name a catalogue. */
  const manifest = (catalogue: string, main = ''): string =>
    `name: shop\n${main}runtime: { name: oneops, options: { catalogue: ${catalogue} } }\n`;

  const codes = (stdout: string): readonly string[] =>
    (JSON.parse(stdout) as readonly { code: string; severity: string; message: string }[]).map(
      ({ code, severity, message }) => `${severity} ${code}: ${message}`,
    );

  test.each([
    ['depth: 12', []],
    ['dept: 12', ['error unknown-attribute: Queue has no attribute "dept"']],
    ['depth: deep', ['error bad-format: "depth" must be of the form [0-9]+']],
    ['colour: red', [expect.stringMatching(/^warning unknown-attribute: Queue .* the catalogue of http.* knows/)]],
  ])('%s, checked against the service and its saved catalogue', async (attributes, expected) => {
    writeFileSync('oneops.yaml', stackOf(attributes));
    const saved = await run(packsCommand, '--save', 'catalogue.json');
    expect([saved.code, saved.stdout]).toEqual([
      0,
      expect.stringMatching(/^catalogue\.json: \d+ packs, \d+ classes of /),
    ]);
    for (const words of [['--online'], ['--catalogue-file', 'catalogue.json']]) {
      const { stdout } = await run(checkCommand, '--json', ...words);
      expect([words, codes(stdout)]).toEqual([words, expected]);
    }
  });

  test('the catalogue that Pulumi.yaml names counts for check and for editors, and an option counts before it', async () => {
    writeFileSync('oneops.yaml', stackOf('dept: 12'));
    await run(packsCommand, '--save', 'saved.json');
    try {
      writeFileSync('Pulumi.yaml', manifest('saved.json'));
      const expected = ['error unknown-attribute: Queue has no attribute "dept"'];
      expect(codes((await run(checkCommand, '--json')).stdout)).toEqual(expected);
      const opened = openStack({ folder: process.cwd(), files: ['oneops.yaml'] }, {}, () => undefined);
      expect(opened.reading.findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)).toEqual(
        expected,
      );
      writeFileSync('Pulumi.yaml', manifest('nowhere.json'));
      await expect(run(checkCommand)).rejects.toThrow(
        /^Pulumi\.yaml: cannot read the catalogue in nowhere\.json: there is/,
      );
      for (const words of [['--catalogue-file', 'saved.json'], ['--online']]) {
        const { stdout } = await run(checkCommand, '--json', ...words);
        expect([words, codes(stdout)]).toEqual([words, expected]);
      }
    } finally {
      rmSync('Pulumi.yaml');
    }
  });

  test.each(['[saved.json]', '{ name: saved.json }', "''", '7', ''])(
    'a catalogue that Pulumi.yaml names as %j is refused as by a preview, unless an option names another',
    async (named) => {
      writeFileSync('oneops.yaml', stackOf('depth: 12'));
      await run(packsCommand, '--save', 'saved.json');
      writeFileSync('Pulumi.yaml', manifest(named));
      try {
        await expect(run(checkCommand)).rejects.toThrow(
          /^Pulumi\.yaml: runtime\.options\.catalogue must be the name of a file/,
        );
        expect(await run(checkCommand, '--catalogue-file', 'saved.json')).toExitWith(0);
      } finally {
        rmSync('Pulumi.yaml');
      }
    },
  );

  test('an editor finds the names of components by the catalogue that Pulumi.yaml names', async () => {
    writeFileSync(
      'oneops.yaml',
      `${stackOf('one: { depth: 1 }, two: { depends: [one] }')}outputs: { one: '\${platforms.jobs.components.one.ciId}' }\n`,
    );
    await run(packsCommand, '--save', 'saved.json');
    writeFileSync('Pulumi.yaml', manifest('saved.json'));
    try {
      const stack = { folder: process.cwd(), files: ['oneops.yaml'] };
      const opened = openStack(stack, {}, () => undefined);
      expect(opened.reading.findings).toEqual([]);
      const one = opened.sites.names.filter(({ name }) => name.join('.') === 'platforms.jobs.components.one');
      expect(one.map(({ role, at }) => `${role} ${at.start.line}:${at.start.column}`)).toEqual([
        'declaration 3:59',
        'mention 3:95',
        'mention 4:46',
        'mention 4:50',
      ]);
    } finally {
      rmSync('Pulumi.yaml');
    }
  });

  test('an editor and --online find the packs of every file while the files do not compose', async () => {
    const jobs = 'platforms: { jobs: { components: { queue: { one: { depth: 2 } } } } }';
    writeFileSync('oneops.yaml', `assembly: { name: shop, owner: team@acme.io }\nenvironments:\n  prod: { ${jobs} }\n`);
    writeFileSync('jobs.yaml', `${stackOf('one: { depth: 1 }').replace(/^.*\n/, '')}  include: [missing.yaml]\n`);
    await run(packsCommand, '--save', 'saved.json');
    writeFileSync('Pulumi.yaml', manifest('saved.json'));
    try {
      const opened = openStack({ folder: process.cwd(), files: ['oneops.yaml', 'jobs.yaml'] }, {}, () => undefined);
      expect(opened.reading.trees?.composed).toBe(undefined);
      const one = opened.sites.names.filter(({ name }) => name.at(-1) === 'one');
      expect(one.map(({ role, name, at }) => `${role} ${name.join('.')} ${at.file}`)).toEqual([
        'key platforms.jobs.components.one oneops.yaml',
        'declaration platforms.jobs.components.one jobs.yaml',
      ]);
      const sent = service.journal().length;
      await run(checkCommand, '--online', 'oneops.yaml', 'jobs.yaml');
      const paths = service
        .journal()
        .slice(sent)
        .map(({ path }) => path);
      expect(paths).toContain('/acme/catalog/packs/oneops/worker/1/platforms/worker/components');
    } finally {
      ['Pulumi.yaml', 'jobs.yaml'].forEach((name) => rmSync(name));
    }
  });

  test('the name of a catalogue is relative to the folder of the program, and an absolute one stays', async () => {
    mkdirSync('sub');
    writeFileSync('sub/oneops.yaml', stackOf('dept: 12'));
    await run(packsCommand, '--save', 'sub/saved.json');
    try {
      for (const name of ['saved.json', join(folder, 'sub', 'saved.json')]) {
        writeFileSync('Pulumi.yaml', manifest(name, 'main: sub\n'));
        expect(codes((await run(checkCommand, '--json')).stdout)).toEqual([
          'error unknown-attribute: Queue has no attribute "dept"',
        ]);
      }
    } finally {
      rmSync('Pulumi.yaml');
      rmSync('sub', { recursive: true });
    }
  });

  test('every command reads the components of a class that the saved catalogue alone knows', async () => {
    writeFileSync('oneops.yaml', stackOf('one: { depth: 1 }, two: { depth: 2 }'));
    await run(packsCommand, '--save', 'saved.json');
    writeFileSync('Pulumi.yaml', manifest('saved.json'));
    const jobs = { assembly: 'shop', platform: 'jobs' };
    await make(
      ['Assembly', { name: 'shop', owner: 'team@acme.io' }],
      ['Platform', { assembly: 'shop', name: 'jobs', source: 'oneops', pack: 'worker', version: '1' }],
      ['Component', { ...jobs, name: 'one', type: 'queue', attributes: { depth: '1' } }],
      ['Component', { ...jobs, name: 'two', type: 'queue', attributes: { depth: '3' } }],
    );
    try {
      expect(await run(checkCommand)).toExitWith(0);
      expect(await run(graphCommand)).toMatchObject({ code: 0, stderr: '' });
      expect(await run(renderCommand)).toMatchObject({ code: 0, stderr: '' });
      expect(await run(fmtCommand)).toMatchObject({ code: 0, stderr: '' });
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
      expect(await run(driftCommand, ...words)).toMatchObject({ code: 0, stderr: '' });
      expect(readFileSync('oneops.yaml', 'utf8')).toContain('two: { depth: 3 }');
      // What the configuration says of the catalogue counts, as in a preview.
      writeFileSync('oneops.yaml', stackOf('one: { depth: 1, dept: 1 }, two: { depth: 2 }'));
      await expect(run(driftCommand, ...words)).rejects.toThrow(/Queue has no attribute "dept"/);
      writeFileSync('Pulumi.yaml', `${manifest('saved.json')}config: { oneops:catalogue: off }\n`);
      expect(await run(driftCommand, ...words)).toMatchObject({ code: 0, stderr: '' });
      const imported = await run(importFileCommand, '--declared');
      expect(imported.stdout).toContain('"acme/shop/jobs/one"');
      expect(imported.stdout).toContain('"acme/shop/jobs/two"');
    } finally {
      ['Pulumi.yaml', 'review.json'].forEach((name) => rmSync(name, { force: true }));
    }
  });

  test('without a catalogue of the service, the pack is not known', async () => {
    writeFileSync('oneops.yaml', stackOf('dept: 12'));
    const sent = service.journal().length;
    const { stdout } = await run(checkCommand, '--json');
    expect(codes(stdout)).toEqual(['warning unknown-pack: pack "oneops/worker" is not in the packaged catalogue']);
    expect(service.journal()).toHaveLength(sent);
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
    expect((await run(checkCommand, '--online')).stderr).toMatch(/oneops\.yaml:3:\d+: error/);
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
        codes((await run(checkCommand, '--json', ...words)).stdout).map((each) =>
          each
            .replace(/the catalogue of \S+/, 'the packaged catalogue')
            .replace(/^\w+ (unknown-(?:pack|template))/, '$1'),
        );
      expect([text, await said('--online')]).toEqual([text, await said()]);
    }
  });

  test('a saved catalogue contains no secret and no token', async () => {
    await run(packsCommand, '--save', 'catalogue.json');
    expect(readFileSync('catalogue.json', 'utf8')).not.toContain(TOKEN);
  });

  test.each([
    ['--catalogue-file nowhere.json', /cannot read the catalogue in nowhere\.json: there is no such file/],
    ['--catalogue-file oneops.yaml', /cannot read the catalogue in oneops\.yaml: it is not JSON; .*packs --save/],
    ['--catalogue-file packs/classes.json', /it is no catalogue of version 1: version: /],
    ['--online --catalogue-file a.json', /exclude each other/],
    ['--online --organization nobody', /cannot read the catalogue of http:\/\/127\.0\.0\.1:\d+: /],
    ['--online --url http://127.0.0.1:1', /the service to speak to is not configured/],
  ])('check %s is refused with the reason', async (words, reason) => {
    writeFileSync('oneops.yaml', stackOf('depth: 1'));
    await expect(run(checkCommand, ...words.split(' '))).rejects.toThrow(reason);
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
    writeFileSync(join(folder.path, 'Pulumi.yaml'), 'name: shop\nruntime: oneops\n');
    const answer = JSON.stringify(CONFIGURATION);
    writeFileSync(join(folder.path, 'pulumi'), `#!/bin/sh\ncat <<'END'\n${answer}\nEND\n`, { mode: 0o755 });
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
});
