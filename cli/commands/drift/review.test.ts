// The review as a person or a pipeline calls it: exit codes, sources, reports in files, drift.yaml, history.
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import type { Review } from '../../../drift';
import { CANARY, type CommandWorld, FILE, openCommandWorld } from '../../../test/world/command-world';
import { eachFolder } from '../../../test/folder';
import { codeOf, type CodePlace } from './sources';

const STATE = ['--state', 'state.json'];
const REPORTS = ['text', 'html', 'markdown', 'json', 'sarif', 'junit', 'prometheus'];

let at: CommandWorld;

interface Exported {
  readonly deployment: { readonly resources: readonly { readonly type: string; readonly inputs?: object }[] };
}

const tampered = () => at.tamper({ description: 'somebody was here' });

describe('of a stack that somebody changed', () => {
  beforeEach(async () => {
    at = await openCommandWorld('documented');
  });
  afterEach(() => at.close());

  test('0 in sync, 2 drift', async () => {
    expect(await at.drift(STATE)).toExitWith(0, { stderr: '' });
    await tampered();
    expect(await at.drift(STATE)).toExitWith(2, { stdout: [/maria/, /oneops\.yaml:12:11/] });
    expect(await at.drift([...STATE, '--fail-on', 'medium'])).toExitWith(0);
    expect(at.world.writes()).toEqual([]);
  });

  test('--checks runs the checks of the deployment, and nothing else does: one that fails is drift', async () => {
    const asked: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(500).end(`no database for ${CANARY}`);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const check = (status: number): void => {
      const state = JSON.parse(at.read('state.json')) as Exported;
      const deployment = state.deployment.resources.find(({ type }) => type.endsWith(':Deployment'));
      const home = { url: `http://127.0.0.1:${port}/health`, status, within: '0s' };
      Object.assign(deployment?.inputs ?? {}, { checks: { home } });
      at.write('state.json', JSON.stringify(state));
    };
    check(200);
    expect([await at.drift(STATE), asked]).toEqual([expect.objectContaining({ code: 0 }), []]);
    expect(await at.drift([...STATE, '--checks'])).toExitWith(2, {
      stdout: /checks\.home {2}check does not pass[^]*status 500, not 200/,
      without: ['drift revert ID', CANARY],
    });
    at.write('Pulumi.yaml', 'name: shop\nruntime: oneops\n');
    at.write(
      'bin/pulumi',
      '#!/bin/sh\n[ "$1" = config ] && echo {} && exit\n[ "$2" = ls ] && echo \'[{"name":"dev"}]\' || cat state.json\n',
    );
    chmodSync(join(at.folder, 'bin', 'pulumi'), 0o755);
    const environment = { PATH: [join(at.folder, 'bin'), process.env['PATH']].join(delimiter) };
    for (const fleet of [['--all', '.'], ['--backend']]) {
      expect(await at.drift([...fleet, '--checks'], { environment })).toExitWith(2, {
        stdout: /checks\.home[^]*status 500, not 200/,
        without: CANARY,
      });
    }
    rmSync(join(at.folder, 'Pulumi.yaml'));
    check(500);
    expect(await at.drift([...STATE, '--checks'])).toExitWith(0);
    server.close();
  });

  test('broken policies are below the text, in 80 columns, and one line each next to another report', async () => {
    at.write('policies.yaml', 'policies: { active-clouds: { least: 2 } }\n');
    const { code, stdout } = await at.drift(STATE);
    expect([code, stdout.split('\n').filter((line) => line.length > 80)]).toEqual([0, []]);
    expect(stdout).toMatch(/^policy active-clouds \(advisory\): Environment shop\/prod has 1 active primary\n {2}\S/m);
    const json = await at.drift([...STATE, '--json']);
    expect(json.stderr).toMatch(/^policy active-clouds \(advisory\): .* at least 2 are required$/m);
  });

  test('a broken mandatory policy is the outcome of the review, in every report and with its place', async () => {
    at.write('policies.yaml', 'policies: { active-clouds: { least: 2, level: mandatory } }\n');
    const { code, stdout } = await at.drift([...STATE, '--json', '--report', 'text=report.txt']);
    const { outcome, summary, policies } = JSON.parse(stdout) as Review;
    expect([code, outcome]).toEqual([5, 'drift']);
    expect(summary).toMatch(/; it breaks a mandatory policy$/);
    expect(policies).toMatchObject([{ policy: 'active-clouds', level: 'mandatory', address: 'acme/shop/prod' }]);
    expect(policies?.[0]?.at).toMatchObject({ file: 'oneops.yaml' });
    expect(at.read('report.txt')).toContain('policy active-clouds (mandatory)');
  });

  test('3 when not everything was read, with what was found all the same', async () => {
    await tampered();
    expect(await at.drift([...STATE, '--max-calls', '4'])).toExitWith(6, { stdout: /Incomplete/i });
  });

  test('4 without a token and with one that is refused', async () => {
    const environment = { ONEOPS_TOKEN: '' };
    expect(await at.drift(STATE, { environment })).toExitWith(4);
    expect(await at.drift(STATE, { environment: { ONEOPS_TOKEN: 'canary-wrong-token' } })).toExitWith(4, {
      without: 'canary-wrong-token',
    });
  });

  test('an organization that is not that of the stack is one message, before any request', async () => {
    expect(await at.drift([...STATE, '--organization', 'nope'])).toExitWith(3, {
      stderr: /^the records of the stack are in organization acme, and the settings name nope: correct /m,
    });
    expect(at.world.requests()).toEqual([]);
  });

  test('one reason for which nothing could be read is said once, without the records', async () => {
    const ended = await at.drift([], { environment: { ONEOPS_ORGANIZATION: 'nope' } });
    expect(ended).toExitWith(6, {
      stdout: /Not read \(\d+\) ─+\n {2}the service answered 404: organization "nope" not found\n/,
    });
    expect(ended.stdout).toContain('pulumi-oneops doctor');
    expect(ended.stdout).not.toContain('nope/shop/');
  });

  test.each([
    ['prod', 'incorrect passphrase', 4, /was not read: incorrect passphrase\n.*oneops:token is missing/],
    ['prod', 'PULUMI_ACCESS_TOKEN must be set for login', 4, /was not read: Pulumi is not logged in: pulumi login/],
    ['prd', 'no such stack', 3, /^the project has no stack named 'prd': did you mean "prod"\?$/m],
  ])('--stack %s, %s: it is said before a token or the service is needed', async (stack, reason, code, stderr) => {
    at.write('Pulumi.yaml', 'name: shop\nruntime: oneops\n');
    const listed = '[ "$2" = ls ] && exec echo \'[{"name":"dev"},{"name":"prod"}]\'';
    at.write('pulumi', `#!/bin/sh\n${listed}\necho "error: ${reason}" >&2\nexit 1\n`);
    chmodSync(join(at.folder, 'pulumi'), 0o755);
    const environment = { ONEOPS_TOKEN: '', PATH: [at.folder, process.env['PATH']].join(delimiter) };
    expect(await at.drift(['--stack', stack], { environment })).toExitWith(code, { stderr });
    expect(at.world.requests()).toEqual([]);
  });

  test('a state that cannot be used is one message, before any request', async () => {
    const whole = at.read('state.json');
    for (const [text, says] of [
      ['', 'it is empty; write it again with: pulumi stack export'],
      [whole.slice(0, whole.length / 2), 'its JSON is cut off or damaged; write it again with: pulumi stack export'],
      ['name: shop', 'it is not JSON; write it again'],
      ['[]', 'it is not an export of a stack: it has no member "deployment"; write it again'],
      ['{"deployment":{"resources":{}}}', '"deployment.resources" is not a list; write it again'],
    ] as const) {
      at.write('state.json', text);
      const ended = await at.drift(STATE);
      expect(ended).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(says), usage: false });
    }
    expect(at.world.requests()).toEqual([]);
  });

  test.each([
    [
      'echo "error: failed to load checkpoint: place 1: unexpected end of JSON input" >&2; exit 1',
      /the state of the stack is damaged: .*\nrestore it: /,
    ],
    ['echo "{"', /the output of "pulumi stack export" cannot .*: its JSON is cut off/],
  ])('a state that Pulumi cannot read ends the review: %s', async (does, says) => {
    at.write('Pulumi.yaml', 'name: shop\nruntime: oneops\n');
    at.write('pulumi', `#!/bin/sh\n[ "$1" = stack ] || { echo "{}"; exit 0; }\n${does}\n`);
    chmodSync(join(at.folder, 'pulumi'), 0o755);
    const environment = { PATH: [at.folder, process.env['PATH']].join(delimiter) };
    expect(await at.drift([], { environment })).toExitWith(3, { stderr: says });
  });

  test('what was not read when the time was over is reported as not read', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const environment = { ONEOPS_URL: `http://127.0.0.1:${port}` };
    const late = await at.drift([...STATE, '--json', '--timeout', '1'], { environment });
    silent.closeAllConnections();
    silent.close();
    expect(late).toExitWith(6);
    const { outcome, unread, findings } = JSON.parse(late.stdout) as Review;
    expect([outcome, findings]).toEqual(['incomplete', []]);
    expect(unread.length).toBeGreaterThan(5);
    expect(unread.filter(({ reason }) => !reason.endsWith('the time of the review was over'))).toEqual([]);
  });

  test('every report in one run, each in its file, the text on the standard output, and no secret in any', async () => {
    await tampered();
    const words = REPORTS.flatMap((format) => ['--report', `${format}=drift.${format}`]);
    expect(await at.drift([...STATE, ...words])).toExitWith(2, { stdout: /DRIFT: 1 difference/ });
    for (const format of REPORTS) {
      expect([format, at.read(`drift.${format}`)]).toEqual([
        format,
        // Metrics name nobody.
        expect.stringContaining(format === 'prometheus' ? 'oneops_drift_outcome' : 'maria'),
      ]);
      expect(at.read(`drift.${format}`)).not.toContain(CANARY);
    }
    const { stdout: json } = await at.drift([...STATE, '--report', 'json', '--report', 'junit=drift.xml']);
    expect(JSON.parse(json)).toMatchObject({ version: 1, outcome: 'drift' });
    expect(at.has('drift.xml')).toBe(true);
  });

  test('a report that cannot be written is reported, and the others are', async () => {
    expect(
      await at.drift([...STATE, '--report', 'html=no/such/folder/drift.html', '--report', 'json=drift.json']),
    ).toExitWith(1, { stderr: 'cannot write no/such/folder/drift.html' });
    expect(at.has('drift.json')).toBe(true);
  });

  test('what has no place of its own is on the stack file that was reviewed, named as the repository knows it', async () => {
    at.write('.git/HEAD', '');
    at.write('stacks/shop.yaml', FILE);
    const words = ['shop.yaml', '--state', '../state.json'];
    const report = ['--report', 'sarif=drift.sarif'];
    await tampered();
    await at.drift([...words, ...report], { below: 'stacks' });
    expect(at.read('stacks/drift.sarif')).toContain('"uri": "stacks/shop.yaml"');
  });

  test('drift.yaml: the one in the folder without being asked, another by name; an expired entry fails', async () => {
    await tampered();
    const ignored = (until: string): string =>
      `ignore:\n  - attribute: attributes.description\n    reason: texts are theirs\n    owner: ann\n    until: ${until}\n`;
    at.write('drift.yaml', ignored('2999-01-31'));
    expect(await at.drift(STATE)).toExitWith(2, { stdout: /NOT DEPLOYED: no difference, .*texts are theirs/s });
    at.write('old.yaml', ignored('2020-01-31'));
    expect(await at.drift([...STATE, '--rules', 'old.yaml'])).toExitWith(2, {
      stdout: 'the entry of ann ended on 2020-01-31',
    });
    at.write('grave.yaml', "severities:\n  '*.description': high\n");
    expect((await at.review('--rules', 'grave.yaml')).findings.map(({ severity }) => severity)).toEqual(['high']);
    expect(await at.drift([...STATE, '--rules', 'grave.yaml', '--fail-on', 'high'])).toExitWith(2);
    await at.world.maria.pull();
    await at.world.maria.rollOut();
    expect(await at.drift(STATE)).toExitWith(0, { stdout: 'texts are theirs' });
  });

  test('a history shows since when, and in how many reviews', async () => {
    await tampered();
    const first = await at.review('--history', 'history.jsonl');
    const second = await at.review('--history', 'history.jsonl');
    expect(second.findings[0]?.history).toEqual({ firstSeen: first.started, runs: 2 });
    expect(await at.drift([...STATE, '--history', 'history.jsonl'])).toMatchObject({
      stdout: expect.stringMatching(/first seen just now, in 3 reviews/),
    });
  });

  test('without a state, and without a file, it says what was compared; without both it compares nothing', async () => {
    expect(await at.drift([])).toExitWith(0, { stdout: 'no state took part' });
    await tampered();
    expect(await at.drift(['oneops.yaml'])).toExitWith(2, { stdout: 'somebody was here' });
    expect(await at.drift(['--stack', 'dev'])).toExitWith(1, { stderr: 'the state of stack dev was not read' });
  });
});

describe('called in a way it does not take', () => {
  beforeAll(async () => {
    at = await openCommandWorld('documented');
  });
  afterAll(() => at.close());

  test.each([
    [['--fail-on', 'grave'], '--fail-on takes one of high, medium, low, not "grave"'],
    [['--report', 'pdf=drift.pdf'], '--report takes one of text, html,'],
    [['--report', 'html='], '--report html= names no file'],
    [['--report', 'json', '--report', 'text'], 'only one report goes to the standard output'],
    [['--timeout', 'soon'], '--timeout takes a whole number above 0, not "soon"'],
    [['--max-calls', '0'], '--max-calls takes a whole number above 0, not "0"'],
    [['--bogus'], '--bogus'],
    [['repair'], 'there is no command "drift repair"'],
    [['acept', 'abcd'], 'there is no command "drift acept"'],
  ])('%j is wrong use', async (words, message) => {
    expect(await at.drift(words)).toExitWith(3, { stdout: '', stderr: message });
    expect(at.world.requests()).toEqual([]);
  });

  test.each([
    [['--rules', 'policy.yaml'], 'policy.yaml:2: severities.undeclared: a severity is one of high, medium, low'],
    [['--rules', 'gone.yaml'], 'cannot read gone.yaml: there is no such file'],
    [['--history', 'policy.yaml'], 'policy.yaml:1 is no line of a history of drift reviews'],
  ])('%j that cannot be used is reported, with code 3', async (words, message) => {
    at.write('policy.yaml', 'severities:\n  undeclared: grave\n');
    expect(await at.drift([...STATE, ...words])).toMatchObject({ code: 3, stderr: message });
  });
});

// What a review learns from the stack files.
describe('sources', () => {
  const folder = eachFolder({ isHere: true });
  const codeIn = (text: string, found: Partial<CodePlace['found']>) => {
    folder.write({ 'oneops.yaml': text });
    const none = { configuration: {}, secrets: new Set<string>(), unread: undefined };
    const place = { file: 'oneops.yaml', project: undefined, state: undefined, stack: 'dev' };
    return codeOf({ ...place, found: { ...none, ...found }, organization: 'acme' });
  };

  test('a file that lacks configuration says first why the configuration was not read', () => {
    const text = 'config:\n  key: { type: string, secret: true }\nassembly: { name: shop, owner: "${config.key}" }\n';
    const unread = 'the configuration of the stack was not read: incorrect passphrase';
    expect(() => codeIn(text, { unread })).toThrow(
      /^the configuration of the stack was not read: incorrect passphrase\noneops\.yaml cannot be used\n[^]*config "key" is not set/,
    );
  });

  test('a pack that no catalogue has keeps a file from being reviewed where check and a run refuse it', () => {
    const text = 'assembly: { name: shop }\nplatforms: { web: { pack: oneops/tomcta:1 } }\n';
    const reading = (level: string) => () => codeIn(text, { configuration: { 'oneops:catalogue': level } });
    expect(reading('strict')).toThrow(/error ONE1301: pack "oneops.tomcta" is not/);
    expect(reading('warn')().code).toHaveLength(3);
    folder.write({ 'Pulumi.dev.yaml': 'config: { oneops:catalogue: strict }\n' });
    const unread = () => codeIn(text, { unread: 'the configuration of the stack was not read' });
    expect(unread).toThrow(/error ONE1301/);
  });

  test('the notes of a review say what a warning of the stack files is', () => {
    const { notes } = codeIn('config:\n  key: { type: string, default: x }\nassembly: { name: shop }\n', {});
    // One line: an excerpt of the file would be folded into the line of the note.
    expect(notes).toEqual(['oneops.yaml:2:3: warning ONE1411: nothing uses config "key"']);
  });
});
