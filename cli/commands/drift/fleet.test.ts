// The review of many stacks, as a person calls it: which stacks there are, what they share, what came of each, exit codes.
import timers from 'node:timers/promises';
import { type FleetWorld, openFleetWorld, SECRET } from '../../../test/world/fleet-world';
import { type Fleet, isInShard, type Review } from '../../../drift';

let at: FleetWorld;
afterEach(() => at.close());

describe('two stacks', () => {
  beforeEach(async () => {
    at = await openFleetWorld(['mail', 'news']);
  });

  test('in sync: each is the review that the folder alone has, and nothing but GETs is sent, each once', async () => {
    const fleet = await at.fleet();
    const sent = at.world.requests();
    expect(fleet).toMatchObject({ version: 1, outcome: 'in-sync', summary: '2 stacks: 2 in sync', causes: [] });
    expect(fleet.stacks.map(({ name, folder, outcome }) => [name, folder, outcome])).toEqual([
      ['stacks/mail/dev', 'stacks/mail', 'in-sync'],
      ['stacks/news/dev', 'stacks/news', 'in-sync'],
    ]);
    expect(sent.filter((line) => !line.startsWith('GET '))).toEqual([]);
    expect(sent.length).toBe(fleet.calls);
    expect(sent.filter((line) => line === 'GET assemblies.list')).toHaveLength(1);
    expect(sent.filter((line) => line === 'GET profile.read')).toHaveLength(1);
  });

  test('one change in both is one cause, as text in 80 columns and as JSON, and ends with 2', async () => {
    await at.tamperIn('mail', { description: 'somebody was here' });
    await at.tamperIn('news', { description: 'somebody was here' });
    await at.setVariable('news', 'LEVEL0', { value: 'debug' });
    const fleet = await at.fleet();
    expect(fleet.outcome).toBe('drift');
    expect(
      fleet.causes.map(({ attribute, author, stacks }) => [attribute, author?.who, stacks.map(({ stack }) => stack)]),
    ).toEqual([
      ['value', 'maria', ['stacks/news/dev']],
      ['attributes.description', 'maria', ['stacks/mail/dev', 'stacks/news/dev']],
    ]);
    const { code, stdout } = await at.drift(['--all', 'stacks/*']);
    expect(code).toBe(2);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toContain('DRIFT: 2 stacks: 2 with drift; 2 causes');
    expect(stdout).toContain('2 records in 2 stacks: stacks/mail/dev, stacks/news/dev');
    const place = fleet.stacks[0]?.review?.findings[0]?.at;
    expect(stdout).toContain(`stacks/mail/oneops.yaml:${place?.line}:`);
  });

  test('the review of a stack in a fleet is the one that its folder has', async () => {
    await at.tamperIn('mail', { description: 'somebody was here' });
    const fleet = await at.fleet();
    const alone = JSON.parse(
      (await at.drift(['--json', '--state', 'stacks/mail/.state/dev.json', 'stacks/mail/oneops.yaml'])).stdout,
    ) as Review;
    const ids = ({ findings }: Review): readonly string[] =>
      findings.map(({ id, classification }) => `${id} ${classification}`);
    expect(ids(fleet.stacks[0]?.review as Review)).toEqual(ids(alone));
  });

  test('two stacks of one assembly read it once, and what differs in it is one record', async () => {
    await at.tamperIn('mail', { description: 'somebody was here' });
    const one = await at.drift(['--all', 'stacks/mail', '--json']);
    at.write('stacks/mail/.state/ls.json', JSON.stringify([{ name: 'prod' }, { name: 'dev' }]));
    at.write('stacks/mail/.state/prod.json', at.read('stacks/mail/.state/dev.json'));
    const two = JSON.parse((await at.drift(['--all', 'stacks/mail', '--json'])).stdout) as Fleet;
    expect(two.calls).toBe((JSON.parse(one.stdout) as Fleet).calls);
    expect(two.causes.map(({ records, stacks }) => [records, stacks.map(({ stack }) => stack)])).toEqual([
      [1, ['stacks/mail/dev', 'stacks/mail/prod']],
    ]);
    const [dev, prod] = two.stacks.map(({ review }) => review?.findings);
    expect(prod).toEqual(dev);
  });

  test('a stack that is deleted while the review runs is reported, and the others are reviewed', async () => {
    at.remove('stacks/mail/.state/dev.json');
    const { code, stdout } = await at.drift(['--all', 'stacks/*', '--json']);
    const fleet = JSON.parse(stdout) as { stacks: { outcome: string; summary: string; review?: unknown }[] };
    expect(code).toBe(6);
    expect(fleet.stacks.map(({ outcome, review }) => [outcome, review === undefined])).toEqual([
      ['incomplete', true],
      ['in-sync', false],
    ]);
    expect(fleet.stacks[0]?.summary).toMatch(/no stack named 'dev' found/);
  });

  test('a folder whose stacks cannot be listed is reported, and the others are reviewed', async () => {
    at.remove('stacks/mail/.state/ls.json');
    const fleet = await at.fleet();
    expect(fleet.stacks.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['stacks/mail', 'incomplete'],
      ['stacks/news/dev', 'in-sync'],
    ]);
    expect(fleet.stacks[0]?.summary).toMatch(/^the stacks of stacks\/mail could not be listed: /);
  });

  test('the requests of all stacks are limited together: what was not begun is said', async () => {
    const whole = await at.fleet();
    at.world.requests();
    const part = await at.fleet('--max-calls', '6', '--concurrency', '1');
    expect(at.world.requests()).toHaveLength(6);
    expect(part).toMatchObject({ outcome: 'incomplete', calls: 6 });
    expect(part.stacks.map(({ outcome }) => outcome)).toEqual(['incomplete', 'incomplete']);
    expect(part.stacks[1]?.summary).toBe('it was not begun: the 6 requests of --max-calls are used up');
    expect(await at.fleet('--max-calls', String(whole.calls))).toMatchObject({ outcome: 'in-sync' });
  });

  test('a secret that somebody wrote is a cause without a value', async () => {
    for (const assembly of ['mail', 'news'])
      await at.setVariable(assembly, 'KEY', { encrypted_value: 'other-secret-1' });
    const ended = await at.drift(['--all', 'stacks/*', '--json']);
    const text = await at.drift(['--all', 'stacks/*']);
    expect(JSON.parse(ended.stdout)).toMatchObject({ causes: [{ severity: 'high', live: { is: 'secret' } }] });
    for (const secret of [SECRET, 'other-secret-1']) expect(ended.stdout + text.stdout).not.toContain(secret);
  });

  test('a stack whose configuration or file cannot be read is not reviewed, for that reason alone, on one line', async () => {
    const stub = at.read('.bin/pulumi');
    at.write('stacks/mail/oneops.yaml', 'platforms: [\nassembly: { name: mail }\n');
    const refusing = "'config --json') echo 'error: incorrect passphrase' >&2; exit 255 ;;";
    at.write('.bin/pulumi', stub.replace(/'config --json'\).*/, refusing));
    const unset = { ONEOPS_URL: '', ONEOPS_ORGANIZATION: '', ONEOPS_TOKEN: '' };
    const locked = JSON.parse((await at.drift(['--all', 'stacks/*', '--json'], unset)).stdout) as Fleet;
    expect(locked.stacks.map(({ outcome, summary }) => [outcome, summary])).toEqual([
      ['incomplete', 'the configuration of the stack was not read: incorrect passphrase'],
      ['incomplete', 'the configuration of the stack was not read: incorrect passphrase'],
    ]);
    at.write('.bin/pulumi', stub);
    const [mail] = (await at.fleet()).stacks;
    expect([mail?.outcome, mail?.summary]).toEqual([
      'incomplete',
      expect.stringMatching(
        /^oneops\.yaml cannot be used: oneops\.yaml:\d+:\d+: error ONE\d+: [^^;]*(?:; and \d+ more)?$/,
      ),
    ]);
  });

  describe('policies', () => {
    const POLICIES = `policies:
  names: { level: LEVEL, kinds: Variable, allowed: 'LEVEL*', stacks: dev }
`;
    const hold = (assembly: string, level: string): void =>
      at.write(`stacks/${assembly}/policies.yaml`, POLICIES.replace('LEVEL,', `${level},`));

    test('each stack must keep those of its folder; a mandatory one alone ends with 5, and every report has it', async () => {
      hold('mail', 'mandatory');
      const { code, stdout } = await at.drift(['--all', 'stacks/*', '--report', 'text', '--report', 'html=page.html']);
      expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([
        5,
        expect.stringMatching(
          /policies are broken in 1 stack .*policy names \(mandatory\): Variable mail\/variables\/KEY /,
        ),
      ]);
      expect(at.read('page.html')).toContain('Broken policies');
      const { stacks, outcome } = await at.fleet();
      expect([
        outcome,
        stacks.map(({ review }) => review?.policies?.map(({ policy, address }) => [policy, address])),
      ]).toEqual(['drift', [[['names', 'acme/mail/variables/KEY']], undefined]]);
      expect(stacks[0]).toMatchObject({ outcome: 'drift', review: { outcome: 'drift' } });
    });

    test('an advisory one is reported, and ends with 0', async () => {
      hold('mail', 'advisory');
      expect(await at.drift(['--all', 'stacks/*'])).toExitWith(0, {
        stdout: 'policy names (advisory): Variable mail/variables/KEY',
      });
    });

    test('a file that cannot be used keeps its own stack from being reviewed', async () => {
      at.write('stacks/mail/policies.yaml', 'policies: { active-cloud: {} }');
      at.write('stacks/news/policies.yml', 'policies: {}');
      const { outcome, stacks } = await at.fleet();
      expect([outcome, stacks.map(({ summary }) => summary)]).toEqual([
        'incomplete',
        [
          expect.stringMatching(/^stacks\/mail\/policies\.yaml:1: there is no rule "active-cloud"/),
          expect.stringMatching(/^stacks\/news\/policies\.yml is not read: call it policies\.yaml/),
        ],
      ]);
    });
  });

  test('every stack of a backend, without its files; one of another service is refused', async () => {
    at.keepInBackend(['mail', 'news']);
    await at.tamperIn('news', { description: 'somebody was here' });
    const file = '.state/organization/mail/dev.json';
    at.write(file, at.read(file).replace(/("__api": *")[^"]*/g, '$1https://elsewhere.acme.io acme -----'));
    at.write(
      '.state/ls.json',
      JSON.stringify(['mail', 'news', 'empty'].map((name) => ({ name: `organization/${name}/dev` }))),
    );
    at.write('.state/organization/empty/dev.json', '{"version":3,"deployment":{}}');
    const { code, stdout } = await at.drift(['--backend', '--json']);
    const fleet = JSON.parse(stdout) as Fleet;
    expect([code, fleet.stacks.map(({ name, outcome }) => [name, outcome])]).toEqual([
      6,
      [
        ['empty/dev', 'in-sync'],
        ['mail/dev', 'refused'],
        ['news/dev', 'drift'],
      ],
    ]);
    expect(fleet.stacks[1]?.summary).toContain('the stack is at https://elsewhere.acme.io/acme, and the settings');
    const decided = await at.drift(['--backend', '--json']);
    at.write('fleet.json', decided.stdout);
    expect(
      await at.drift(['revert', '--cause', fleet.causes[0]?.id ?? '', '--from', 'fleet.json', '--yes']),
    ).toExitWith(1, { stderr: 'decide in the folder of its project' });
  });

  test('assemblies that no stack declares, unless a stack could not say what it declares', async () => {
    const whole = await at.fleet('--organization', 'acme');
    expect(whole.undeclared?.map(({ address, classification }) => [address, classification])).toEqual([
      ['acme/shop', 'undeclared'],
    ]);
    expect(whole.outcome).toBe('in-sync');
    expect((await at.drift(['--all', 'stacks/*', '--organization', 'acme'])).stdout).toContain(
      'Assemblies that no stack declares (1)',
    );
    at.remove('stacks/mail/.state/dev.json');
    const part = await at.drift(['--all', 'stacks/*', '--organization', 'acme', '--json']);
    expect('undeclared' in (JSON.parse(part.stdout) as Fleet)).toBe(false);
    expect((await at.drift(['--all', 'stacks/*', '--organization', 'acme'])).stdout).toContain(
      'Which assemblies no stack declares is not known',
    );
  });

  test('stacks of two services: one lets nobody in, the other one does not answer, and each says so', async () => {
    at.write(
      'stacks/news/.state/dev.config.json',
      JSON.stringify({ 'oneops:token': { value: 'wrong' }, 'oneops:url': { value: 'http://127.0.0.1:9' } }),
    );
    const pauses = jest.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
    const { code, stdout } = await at.drift(['--all', 'stacks/*', '--json'], { ONEOPS_TOKEN: '' });
    pauses.mockRestore();
    const fleet = JSON.parse(stdout) as Fleet;
    expect([code, fleet.stacks.map(({ outcome }) => outcome)]).toEqual([4, ['incomplete', 'incomplete']]);
  });

  describe('a decision on a cause', () => {
    /** Saves the review of two stacks with one change, and answers the id of its cause. */
    const saved = async (): Promise<string> => {
      for (const assembly of ['mail', 'news']) await at.tamperIn(assembly, { description: 'somebody was here' });
      const { stdout } = await at.drift(['--all', 'stacks/*', '--json']);
      at.write('fleet.json', stdout);
      return (JSON.parse(stdout) as Fleet).causes[0]?.id ?? '';
    };
    const decide = async (verb: string, ...words: readonly string[]) =>
      at.drift([verb, '--cause', (await saved()).slice(0, 6), '--from', 'fleet.json', ...words]);

    test('accept writes the value into the files of all stacks', async () => {
      expect(await decide('accept')).toExitWith(0, { stderr: '' });
      for (const assembly of ['mail', 'news'])
        expect(at.read(`stacks/${assembly}/oneops.yaml`)).toContain('somebody was here');
      expect((await at.fleet()).outcome).toBe('in-sync');
    });

    test('accept --patch prints one patch with the files of all stacks, and writes nothing', async () => {
      const before = at.read('stacks/mail/oneops.yaml');
      const { code, stdout, stderr } = await decide('accept', '--patch');
      expect([code, stderr]).toEqual([0, 'stacks/mail/dev:\nstacks/news/dev:\n']);
      expect(stdout.match(/^--- .*$/gm)).toEqual(['--- a/stacks/mail/oneops.yaml', '--- a/stacks/news/oneops.yaml']);
      expect(stdout).toMatch(/^--- /);
      expect(stdout.match(/^\+.*somebody was here/gm)).toHaveLength(2);
      expect(at.read('stacks/mail/oneops.yaml')).toBe(before);
    });

    test('each message of a revert names its stack', async () => {
      await decide('revert', '--dry-run');
      const refused = { effect: 'status', status: 422, body: { errors: ['no'] }, nth: 1 } as const;
      at.world.service.faults.set([{ ...refused, route: 'components.update' }]);
      const fleet = at.read('fleet.json');
      const id = (JSON.parse(fleet) as Fleet).causes[0]?.id ?? '';
      const revert = ['revert', '--cause', id, '--from', 'fleet.json', '--yes'];
      expect(await at.drift(revert)).toExitWith(6, {
        stderr: /^not set back: stacks\/mail\/dev: \w{10} Component acme\/mail\//,
      });
      at.write('fleet.json', fleet.replace(/"folder": "[^"]*mail"/, '"folder": "gone"'));
      const gone = await at.drift(revert);
      expect(gone.stderr).toMatch(/^stacks\/mail\/dev: not decided: there is no folder gone here/m);
      at.write('fleet.json', fleet);
      await at.tamperIn('mail', { description: 'changed again' });
      const again = await at.drift(revert);
      expect(again.stderr).toMatch(/^stacks\/mail\/dev: \w{10} Component acme\/mail\/.*changed again/m);
    });

    test('ignore writes a rule next to each stack', async () => {
      expect(await decide('ignore', '--reason', 'theirs', '--owner', 'ann')).toExitWith(0);
      expect((await at.fleet()).stacks.map(({ review }) => review?.ignored.length)).toEqual([1, 1]);
    });

    test('what fails in one stack is said, and the others are done', async () => {
      const id = await saved();
      at.remove('stacks/mail/oneops.yaml');
      expect(await at.drift(['accept', '--cause', id, '--from', 'fleet.json'])).toExitWith(6, {
        stderr: ['1 of 2 stacks are done', 'oneops.yaml'],
      });
      expect(at.read('stacks/news/oneops.yaml')).toContain('somebody was here');
    });
  });

  const REFUSED: readonly (readonly [words: readonly string[], says: RegExp])[] = [
    [['--all', 'nowhere/*'], /no folder with a Pulumi.yaml matches nowhere/],
    [['--all', 'stacks/*', '--all', 'nowhere'], /no folder with a Pulumi.yaml matches nowhere/],
    [['--all', 'stacks/mail', '--state', 'x.json'], /--state is about one stack/],
    [['--all', 'stacks/mail', 'stacks/news'], /takes no file/],
    [['--all', 'stacks/*', '--report', 'pdf'], /--report takes one of/],
    [['--all', 'stacks/*', '--backend'], /are two fleets/],
    [['--shard', '1/2'], /--shard goes with --all or --backend/],
    [['--all', 'stacks/*', '--shard', '3/2'], /--shard takes a number and how many/],
    [['merge', 'stacks/mail/.state/dev.json'], /contains no review of a fleet/],
    [['--all', 'stacks/*', '--concurrency', '0'], /--concurrency takes a whole number above 0/],
    [['revert', '--cause', 'abcdef'], /--cause takes the saved review of a fleet/],
    [['revert', '--cause', 'abcdef', '--from', 'stacks/mail/.state/dev.json'], /contains no review of a fleet/],
    [['revert', '--cause', 'abcdef', 'more', '--from', 'fleet.json'], /leave out the others/],
  ];

  test('wrong use is refused', async () => {
    for (const [words, says] of REFUSED) expect(await at.drift(words)).toExitWith(3, { stderr: says });
  });
});

test('old results are no wrong use: 6, the reason, and no report', async () => {
  at = await openFleetWorld(['mail']);
  const shard = await at.fleet('--shard', '1/1');
  at.write('old.json', JSON.stringify({ ...shard, started: shard.started - 25 * 3_600_000 }));
  at.write('fleet.prom', 'of before');
  const report = ['--report', 'prometheus=fleet.prom'];
  expect(await at.drift(['merge', 'old.json', ...report])).toMatchObject({
    ...{ code: 6, stdout: '', usage: false },
    stderr: expect.stringMatching(/^pulumi-oneops: the results are of an earlier run: /) as string,
  });
  expect(at.read('fleet.prom')).toBe('of before');
});

describe('shards', () => {
  const ASSEMBLIES = ['mail', 'news', 'shop2', 'wiki', 'forum'];
  const OF = 16;
  /** What two runs agree on. */
  const same = ({ started: _, took: __, calls: ___, stacks, notes, ...fleet }: Fleet): unknown => ({
    ...fleet,
    notes: notes.filter((note) => !note.startsWith('the results of the shards began ')),
    stacks: stacks.map(({ review, ...stack }) => ({
      ...stack,
      review: { ...review, started: 0, took: 0, calls: 0, ahead: 0 },
    })),
  });

  test('sixteen of them, joined, say what one run says; without one of them the review is incomplete', async () => {
    at = await openFleetWorld(ASSEMBLIES);
    for (const assembly of ['mail', 'wiki']) await at.tamperIn(assembly, { description: 'somebody was here' });
    const whole = await at.fleet('--organization', 'acme');
    const files: string[] = [];
    for (let number = 1; number <= OF; number += 1) {
      const { stdout } = await at.drift([
        '--all',
        'stacks/*',
        '--shard',
        `${number}/${OF}`,
        '--organization',
        'acme',
        '--json',
      ]);
      const { stacks } = JSON.parse(stdout) as Fleet;
      expect(stacks.every(({ name }) => isInShard(name, { number, of: OF }))).toBe(true);
      files.push(`shard-${number}.json`);
      at.write(`shard-${number}.json`, stdout);
    }
    const merged = await at.drift(['merge', ...files, '--json']);
    expect([merged.code, same(JSON.parse(merged.stdout) as Fleet)]).toEqual([2, same(whole)]);
    expect(await at.drift(['merge', ...files.slice(1)])).toExitWith(6, { stdout: 'no result of shard 1' });
    const twice = await at.drift(['merge', ...files, 'shard-3.json']);
    expect(twice.stderr).toBe('shard-3.json and shard-3.json are both shard 3');
  });

  test.each([[[1]], [[1, 2]]])(
    'a project whose stacks could not be listed in the shards %j is in the joined review, once',
    async (without) => {
      at = await openFleetWorld(['mail', 'news']);
      const list = 'stacks/mail/.state/ls.json';
      const text = at.read(list);
      for (const number of [1, 2]) {
        if (without.includes(number)) at.remove(list);
        const { stdout } = await at.drift(['--all', 'stacks/*', '--shard', `${number}/2`, '--json']);
        at.write(`shard-${number}.json`, stdout);
        at.write(list, text);
      }
      const { code, stdout } = await at.drift(['merge', 'shard-1.json', 'shard-2.json', '--json']);
      const { stacks } = JSON.parse(stdout) as Fleet;
      expect([code, stacks.filter(({ name }) => name === 'stacks/mail').length]).toEqual([6, 1]);
      expect(stacks.map(({ name }) => name)).toContain('stacks/news/dev');
    },
  );
});
