// Deciding on what a review found, as a person calls it: what is written where, what is asked, what is sent, exit codes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import {
  CANARY,
  type CommandWorld,
  type Ended,
  FILE,
  openCommandWorld,
  type Typed,
} from '../../../test/world/command-world';
import { type DriftFinding, isDrift, type Review } from '../../../drift';
import { type FleetWorld, openFleetWorld } from '../../../test/world/fleet-world';
import { newDrafts } from './drafts';
import { eachFolder } from '../../../test/folder';

/** `healed attributes.description`, of each finding. */
const judged = ({ findings }: Review): readonly string[] =>
  findings.map(({ attribute, classification }) => `${classification} ${attribute}`);

describe('decisions', () => {
  const STATE = ['--state', 'state.json'];
  const FROM = ['--from', 'review.json'];

  let at: CommandWorld;
  beforeEach(async () => {
    at = await openCommandWorld('documented');
  });
  afterEach(() => at.close());

  /** Two attributes and an attachment are not what they were; ids of the findings, as saved in review.json. */
  async function changed(): Promise<{
    readonly description: string;
    readonly username: string;
    readonly motd: string;
  }> {
    await at.tamper({ description: 'somebody was here', username: 'maria' });
    await at.detach('motd');
    const found = await at.saved();
    at.world.requests();
    const idOf = (subject: string): string => (found[subject] as DriftFinding).id;
    return {
      description: idOf('attributes.description'),
      username: idOf('attributes.username'),
      motd: idOf('acme/shop/web/deployer/motd'),
    };
  }

  const outputOf = ({ stdout, stderr }: Ended): string => stdout + stderr;

  test('a review of something else writes nothing here, though the values are the same', async () => {
    const { description } = await changed();
    const review = JSON.parse(at.read('review.json')) as object;
    for (const [member, value, name] of [
      ['service', 'https://oneops.acme.io', 'the service'],
      ['organization', 'other', 'organization'],
      ['project', 'other', 'project'],
      ['stack', 'prod', 'stack'],
    ] as const) {
      at.write('review.json', JSON.stringify({ ...review, [member]: value }));
      const ended = await at.drift(['revert', description, ...FROM, ...STATE, '--yes', '--deploy']);
      expect(ended).toExitWith(3, { stdout: '', stderr: `is of ${name} ${value}, and this is ` });
    }
    expect(at.world.writes()).toEqual([]);
  });

  describe('accept', () => {
    test('writes the value in its place, with all else as it was, and sends nothing', async () => {
      const { description } = await changed();
      const ended = await at.drift(['accept', description, ...FROM]);
      expect(ended).toExitWith(0, { stderr: '' });
      expect(ended.stdout).toBe(
        `accepted ${description} Component acme/shop/web/deployer attributes.description\nwritten: oneops.yaml\nnext: pulumi up --refresh\n`,
      );
      expect(at.read('oneops.yaml')).toBe(FILE.replace('description: deploys', 'description: somebody was here'));
      expect(at.world.requests()).toEqual([]);
      expect(judged(await at.review())).toContain('healed attributes.description');
      expect(await at.drift(['accept', description, ...FROM])).toExitWith(0, {
        stdout: 'the file has this value already',
      });
    });

    test('names the environment that is to be committed before a pull', async () => {
      await at.world.maria.set('prod:web/compute', { size: 'XL' });
      const [open] = Object.values(await at.saved()).filter(({ classification }) => classification === 'unexpected');
      expect(await at.drift(['accept', open?.id ?? '', ...FROM])).toExitWith(0, {
        stdout: '\nnext: commit environment prod in the service, then pulumi up --refresh\n',
      });
    });

    test('writes into an included file where the value comes from there, and the review has nothing left to say of it', async () => {
      const [head = '', rest = ''] = FILE.split('platforms:\n');
      const [platforms = '', environments = ''] = rest.split('environments:\n');
      const top = `${head}include: parts/*.yaml\nenvironments:\n${environments}`;
      at.write('Pulumi.yaml', 'name: shop\nruntime: oneops\n');
      at.write('oneops.yaml', top);
      mkdirSync(join(at.folder, 'parts'));
      at.write('parts/web.yaml', `platforms:\n${platforms}`);
      const { description } = await changed();
      const patch = await at.drift(['accept', description, ...FROM, '--patch']);
      expect(patch.stdout).toMatch(/^--- a\/parts\/web\.yaml\n/);
      expect(await at.drift(['accept', description, ...FROM])).toExitWith(0, {
        stderr: '',
        stdout: '\nwritten: parts/web.yaml\n',
      });
      expect([at.read('oneops.yaml'), at.read('parts/web.yaml')]).toEqual([
        top,
        `platforms:\n${platforms.replace('description: deploys', 'description: somebody was here')}`,
      ]);
      expect(judged(await at.review())).toContain('healed attributes.description');
    });

    test('names the other stacks of the project for which the files declare something else now', async () => {
      at.write('Pulumi.yaml', 'name: shop\nruntime: oneops\n');
      at.write(
        'oneops.yaml',
        `${FILE}overlays: { staging: { platforms: { web: { components: { user: { deployer: { description: staged } } } } } } }\n`,
      );
      for (const stack of ['qa', 'staging']) at.write(`Pulumi.${stack}.yaml`, 'config: {}\n');
      const { description } = await changed();
      const patch = await at.drift(['accept', description, ...FROM, '--patch']);
      expect([patch.code, patch.stderr]).toEqual([
        0,
        'the same files would declare something else for other stacks, too: qa\n',
      ]);
      const ended = await at.drift(['accept', description, ...FROM]);
      expect([ended.code, ended.stdout.split('\n')]).toEqual([
        0,
        expect.arrayContaining(['the same files declare something else for other stacks now, too: qa']),
      ]);
    });

    test('--patch prints what patch and git apply read, and writes nothing', async () => {
      const { description, motd } = await changed();
      const { code, stdout, stderr } = await at.drift(['accept', description, motd, ...FROM, '--patch']);
      expect([code, stderr, at.read('oneops.yaml')]).toEqual([0, '', FILE]);
      expect(stdout).toMatch(/^--- a\/oneops\.yaml\n\+\+\+ b\/oneops\.yaml\n@@ -\d+,\d+ \+\d+,\d+ @@\n/);
      at.write('accepted.patch', stdout);
      execFileSync('git', ['apply', '--unsafe-paths', 'accepted.patch'], { cwd: at.folder });
      const applied = at.read('oneops.yaml');
      at.write('oneops.yaml', FILE);
      expect(await at.drift(['accept', description, motd, ...FROM])).toExitWith(0);
      expect(applied).toBe(at.read('oneops.yaml'));
    });

    test('takes nothing out of the file that somebody made again', async () => {
      await at.detach('motd');
      await at.world.maria.create('web/deployer/motd', { content: 'hers' });
      const { id = '', classification } = (await at.saved())['acme/shop/web/deployer/motd'] ?? {};
      expect(classification).toBe('deleted');
      const said = 'maria made it again: declare adopt: true for it, and run pulumi up --refresh, or import it: ';
      expect(await at.drift(['accept', id, ...FROM])).toExitWith(1, {
        stderr: `${said}pulumi-oneops import-file Attachment:acme/shop/web/deployer/motd\n`,
      });
      expect(at.read('oneops.yaml')).toBe(FILE);
      at.world.requests();
      expect(await at.drift(['revert', '--all', ...STATE, '--yes'])).toExitWith(0);
      expect(at.world.writes()).toEqual([]);
    });

    test('writes nothing when something cannot be accepted; with --partial the rest', async () => {
      const { description } = await changed();
      await at.world.maria.set('$KEY', { secure: 'true', encrypted_value: 'canary-other-77' });
      const secret = Object.values(await at.saved()).find(({ kind }) => kind === 'Variable') as DriftFinding;
      const words = ['accept', description, secret.id, ...FROM];
      const refused = await at.drift(words);
      expect([refused.code, at.read('oneops.yaml')]).toEqual([1, FILE]);
      expect(refused.stderr).toContain('nothing was written');
      expect(refused.stderr).toContain(`${secret.id} Variable`);
      const partial = await at.drift([...words, '--partial']);
      expect([partial.code, at.read('oneops.yaml')]).toEqual([6, expect.stringContaining('somebody was here')]);
      expect(outputOf(refused) + outputOf(partial)).not.toMatch(/canary/);
    });

    test('a file that is no stack is reported, and left alone', async () => {
      const { description } = await changed();
      at.write('broken.yaml', 'assembly: [\n');
      expect(await at.drift(['accept', description, ...FROM, '--file', 'broken.yaml'])).toExitWith(3, {
        stderr: 'pulumi-oneops check broken.yaml',
      });
      expect(at.read('broken.yaml')).toBe('assembly: [\n');
    });
  });

  describe('revert', () => {
    test('--dry-run shows the request and sends none; --yes sends exactly it', async () => {
      const { description } = await changed();
      const words = ['revert', description, ...STATE, ...FROM];
      const shown = await at.drift([...words, '--dry-run']);
      expect(shown).toExitWith(0, { stdout: /attributes\.description\n {2}PUT .*"description":"deploys"/ });
      expect(shown.stdout).not.toContain('"username":"deployer"');
      expect(at.world.writes()).toEqual([]);
      const sent = await at.drift([...words, '--yes']);
      expect([sent.code, at.world.writes()]).toEqual([0, ['PUT components.update']]);
      expect(sent.stdout).toContain(`next: pulumi-oneops drift revert ${description} --from review.json --deploy`);
      const left = (await at.review()).findings.map(({ attribute, address }) => attribute ?? address);
      expect(left).toEqual(['attributes.username', 'acme/shop/web/deployer/motd']);
      expect(await at.drift([...words, '--yes'])).toExitWith(0, { stdout: 'is already as declared' });
      expect(at.world.writes()).toEqual([]);
    });

    test.each([
      ['yes\n', 0, 1],
      ['no\n', 1, 0],
      ['', 1, 0],
    ])('asks at a terminal: %j', async (answer, code, writes) => {
      const { description } = await changed();
      const ended = await at.drift(['revert', description, ...STATE, ...FROM], { answer });
      expect(ended.stderr).toContain('send 1 request?');
      expect([ended.code, at.world.writes().length]).toEqual([code, writes]);
    });

    test('without a terminal nothing is sent unasked', async () => {
      const { description } = await changed();
      expect(await at.drift(['revert', description, ...STATE, ...FROM])).toExitWith(1, { stderr: 'agree with --yes' });
      expect(at.world.writes()).toEqual([]);
    });

    test('--all restores everything that a revert restores, and the report names it where there is much', async () => {
      await changed();
      at.world.requests();
      expect(await at.drift(['revert', '--all', 'abcd', ...STATE])).toExitWith(3);
      expect(at.world.requests()).toEqual([]);
      const sent = await at.drift(['revert', '--all', ...STATE, '--yes']);
      expect([sent.code, at.world.writes().length]).toEqual([0, 2]);
      const left = (await at.review()).findings.filter((each) => isDrift(each) && each.attribute !== undefined);
      expect(left).toEqual([]);
      expect(sent.stdout).toContain('drift revert --deploy does');
    });

    test('6 when one is refused after others went through', async () => {
      const { description, motd } = await changed();
      at.world.service.faults.set([
        { effect: 'status', status: 422, route: 'attachments.create', body: { errors: ['no'] } },
      ]);
      expect(
        await at.drift(['revert', description, motd, ...STATE, ...FROM, '--yes', '--deploy', '--others']),
      ).toExitWith(6, {
        stderr: [
          '1 of 2 records of this stack were set back',
          /^not set back: [0-9a-f]{10} Attachment acme\/shop\/web\/deployer\/motd$/m,
        ],
      });
    });

    test('--deploy sets back, makes again, commits and deploys; the state learns of a record made again with up --refresh', async () => {
      const { description, username, motd } = await changed();
      const ended = await at.drift(['revert', description, username, motd, ...STATE, '--yes', '--deploy']);
      expect(ended).toExitWith(0);
      expect(ended.stdout.match(/pulumi up --refresh takes it into the state/g)).toHaveLength(1);
      expect(at.world.writes()).toEqual(expect.arrayContaining(['POST environments.pull']));
      // The record that was made again has another number than the one in the state. Releases of the design that cancel
      // each other out leave no release of the environment, so nothing shows that they were pulled.
      const { findings, notes } = await at.review();
      expect([findings.filter(({ waits }) => waits !== true), notes.join()]).toEqual([
        [],
        expect.stringContaining('made again: acme/shop/web/deployer/motd: pulumi up --refresh takes its number'),
      ]);
      expect(outputOf(ended)).not.toContain(CANARY);
    });
  });

  test('revert --deploy, where others committed more than what is set back, names it, and deploys it only with --others', async () => {
    const { description } = await changed();
    const words = ['revert', description, ...STATE, ...FROM, '--deploy'];
    const along =
      /the deployment also brings what others committed:\n(?: {2}release \d+ of acme\/shop by maria, .*, to acme\/shop\/prod: .*\n)+/;
    expect(await at.drift([...words, '--yes'])).toExitWith(1, {
      stderr: '--others deploys what others committed',
      stdout: [along, '-web/deployer/motd'],
    });
    expect(at.world.writes()).toEqual([]);
    expect(await at.drift([...words, '--dry-run'])).toExitWith(0, { stdout: along });
    expect(at.world.writes()).toEqual([]);
    const later = await at.drift([...words.filter((word) => word !== '--deploy'), '--yes']);
    expect([later.code, later.stdout.match(/^next: .*$/m)?.[0]]).toEqual([
      0,
      `next: pulumi-oneops drift revert ${description} --from review.json --deploy --others`,
    ]);
    at.world.writes();
    expect(await at.drift([...words, '--yes', '--others'])).toExitWith(0);
    expect(at.world.writes()).toEqual(expect.arrayContaining(['POST environments.pull']));
  });

  test('revert of a change that was never committed leaves nothing to deploy, and one that was does', async () => {
    const classic = await openCommandWorld('classic');
    try {
      const reverted = async (): Promise<string> => {
        await classic.tamper({ description: 'somebody was here' });
        const { 'attributes.description': found } = await classic.saved();
        return (await classic.drift(['revert', found?.id ?? '', ...STATE, '--yes'])).stdout;
      };
      expect(await reverted()).toContain('nothing of what was set back is left to deploy in prod\n');
      await classic.tamper({ description: 'somebody committed' });
      await classic.world.maria.commit();
      expect(await reverted()).toContain('not deployed: what runs in prod stays as it is until the next deployment');
    } finally {
      await classic.close();
    }
  });

  describe('revert --deploy names nothing of others', () => {
    test('that it sets back in the environment itself', async () => {
      await at.world.maria.set('prod:web/deployer', { description: 'theirs' });
      await at.world.maria.commitEnvironment();
      const { 'attributes.description': found } = await at.saved();
      const ended = await at.drift(['revert', found?.id ?? '', ...STATE, ...FROM, '--yes', '--deploy']);
      expect(ended).toExitWith(0);
      expect(ended.stdout).not.toContain('also brings');
    });

    test('that the environment has already', async () => {
      const { description } = await changed();
      await at.world.maria.pull();
      await at.world.maria.commitEnvironment();
      at.world.clock.advance(50_000);
      await at.world.maria.deploy();
      const ended = await at.drift(['revert', description, ...STATE, ...FROM, '--yes', '--deploy']);
      expect(ended).toExitWith(0);
      expect(ended.stdout).not.toContain('also brings');
    });
  });

  test('revert --deploy deploys no environment that is declared and was never created, and says who creates it', async () => {
    const { description } = await changed();
    at.write('oneops.yaml', `${at.read('oneops.yaml')}${QA}`);
    expect(await at.drift(['revert', description, ...STATE, '--yes', '--deploy', '--others'])).toExitWith(0, {
      stderr: /^acme\/shop\/qa is declared and not there yet: pulumi up creates it$/m,
    });
    expect(at.world.writes()).toEqual(expect.arrayContaining(['POST environments.pull']));
  });

  const QA = '  qa:\n    clouds: { east: { priority: 1 } }\n    deploy: {}\n';

  describe('revert --deploy ends with 6, and says what creates it,', () => {
    test('for an environment that another user deleted; the others are deployed', async () => {
      const { description } = await changed();
      const state = JSON.parse(at.read('state.json')) as { deployment: { resources: { id: string }[] } };
      const { resources } = state.deployment;
      resources.push(
        ...resources.flatMap((each) => (each.id === 'acme/shop/prod' ? [{ ...each, id: 'acme/shop/qa' }] : [])),
      );
      at.write('state.json', JSON.stringify(state));
      at.write('oneops.yaml', `${at.read('oneops.yaml')}${QA}`);
      expect(await at.drift(['revert', description, ...STATE, '--yes', '--deploy', '--others'])).toExitWith(6, {
        stderr:
          /^acme\/shop\/qa is not deployed: it was deleted in the service; pulumi up --refresh creates it again$/m,
      });
      expect(at.world.writes()).toEqual(expect.arrayContaining(['POST environments.pull']));
    });

    test.each([
      ['with a state', STATE, 'acme/shop/qa is declared and not there yet: pulumi up creates it'],
      [
        'without one',
        [],
        'acme/shop/qa is not deployed: the service does not have it; pulumi up --refresh creates it, also if it was deleted',
      ],
    ])('for the only one, if the service does not have it, %s', async (_, state, line) => {
      const { description } = await changed();
      at.write('oneops.yaml', FILE.replace(/^ {2}prod:\n[^]*/m, QA));
      const ended = await at.drift(['revert', description, ...state, ...FROM, '--yes', '--deploy', '--others']);
      expect([ended.code, ended.stderr.split('\n')]).toEqual([6, expect.arrayContaining([line])]);
      expect(at.world.writes()).toEqual(expect.arrayContaining(['PUT components.update']));
    });
  });

  /** Maria gives the cloud another share of the platform. */
  async function share(pct_scale: string): Promise<void> {
    at.world.clock.advance(1_000);
    await at.world.maria.configure('web', 'east', { pct_scale });
    at.world.requests();
  }

  describe('values of an environment that nobody declares', () => {
    test('record keeps them, and the next review reports the next change only', async () => {
      await share('50');
      expect((await at.drift(STATE)).stdout).toContain('\n    pulumi-oneops drift record\n');
      expect(await at.drift(['record', ...STATE])).toExitWith(0, {
        stderr: '',
        stdout:
          /^recorded [0-9a-f]{10} CloudConfiguration acme\/shop\/prod\/web\/east pctScale\nwritten: drift.yaml, 1 new value\n$/,
      });
      expect(at.world.writes()).toEqual([]);
      expect(await at.review()).toMatchObject({ outcome: 'in-sync', findings: [] });
      await share('40');
      expect((await at.review()).findings).toMatchObject([
        { expected: { value: 50 }, live: { value: 40 }, recorded: true },
      ]);
      expect(await at.drift(['record', ...STATE])).toExitWith(0);
      expect(await at.review()).toMatchObject({ outcome: 'in-sync' });
    });

    test('record leaves what it cannot keep, and says why', async () => {
      const { description } = await changed();
      expect(await at.drift(['record', description, ...STATE])).toExitWith(1, {
        stderr: `${description} Component acme/shop/web/deployer attributes.description is not recorded`,
      });
      expect(at.has('drift.yaml')).toBe(false);
    });

    test('revert --deploy needs no state: the file says what is deployed', async () => {
      await share('0');
      await deployed();
      const { stdout } = await at.drift(['--json']);
      const { findings } = JSON.parse(stdout) as { readonly findings: readonly DriftFinding[] };
      const id = findings.find(({ attribute }) => attribute === 'pctScale')?.id ?? '';
      expect(await at.drift(['revert', id, '--yes', '--deploy'])).toExitWith(0);
      expect(at.world.writes()).toEqual(
        expect.arrayContaining(['PUT environmentPlatforms.configureCloud', 'POST environments.commit']),
      );
      expect(await at.review()).toMatchObject({ outcome: 'in-sync' });
    });
  });

  /** Maria commits the environment, and deploys what there is to deploy. */
  async function deployed(): Promise<void> {
    await at.world.maria.rollOut();
    at.world.requests();
  }

  describe('ignore', () => {
    const WORDS = ['--reason', 'we look for a leak', '--owner', 'ann@acme.io'];

    test('writes an entry that keeps it out of the next review, and says by whom and why', async () => {
      const { description, motd } = await changed();
      const words = ['ignore', description, motd, ...FROM, ...WORDS, '--until', '2999-01-31'];
      expect(await at.drift(words)).toExitWith(0, {
        stdout:
          /written: drift.yaml\nreviews alone leave out Attachment acme\/shop\/web\/deployer\/motd: a run still creates [^\n]*\n$/,
      });
      expect(at.read('drift.yaml')).toBe(`# drift.yaml: severities, differences that stay, and expected values.

ignore:
  - record: shop/web/deployer
    kind: Component
    attribute: attributes.description
    reason: we look for a leak
    owner: ann@acme.io
    until: 2999-01-31
  - record: shop/web/deployer/motd
    kind: Attachment
    classification: deleted
    reason: we look for a leak
    owner: ann@acme.io
    until: 2999-01-31
`);
      const review = await at.review();
      expect(review.ignored.map(({ finding, owner }) => [finding.id, owner])).toEqual(
        expect.arrayContaining([
          [description, 'ann@acme.io'],
          [motd, 'ann@acme.io'],
        ]),
      );
      const written = at.read('drift.yaml');
      expect(await at.drift(['ignore', motd, ...STATE, ...WORDS])).toExitWith(0, {
        stdout: /^already ignored .*, by ann@acme.io: we look for a leak\nthere is nothing to ignore\n$/,
      });
      expect(at.read('drift.yaml')).toBe(written);
      expect(at.world.writes()).toEqual([]);
    });

    test('says that reviews alone hold it where a program declares the stack', async () => {
      const { description } = await changed();
      at.write('Pulumi.yaml', 'name: shop\nruntime: nodejs\n');
      expect(await at.drift(['ignore', description, ...FROM, ...WORDS])).toExitWith(0, {
        stdout: /reviews alone read these entries: in a program, .*ignoreChanges/,
      });
    });

    test('into a file of another name, without a saved review', async () => {
      const { description } = await changed();
      expect(await at.drift(['ignore', description, ...STATE, ...WORDS, '--rules', 'ours.yaml'])).toExitWith(0, {
        stdout: 'reviews alone read these entries: a run reads drift.yaml',
      });
      expect(at.read('ours.yaml')).toContain('attribute: attributes.description');
      expect(at.has('drift.yaml')).toBe(false);
      expect((await at.review('--rules', 'ours.yaml')).ignored).toHaveLength(1);
    });
  });

  describe('ignore --all', () => {
    const ALL = ['ignore', '--all', '--reason', 'known', '--owner', 'ann@acme.io', '--until', '2999-01-31', ...STATE];

    test('keeps out what is there today, and shows what is new', async () => {
      await at.tamper({ description: 'somebody was here' });
      expect(await at.drift(ALL)).toExitWith(0, { stdout: 'written: drift.yaml, 1 finding\n' });
      expect(await at.review()).toMatchObject({
        outcome: 'not-deployed',
        findings: [{ kind: 'Assembly', waits: true, live: { value: expect.stringContaining('web/deployer') } }],
        ignored: [{ reason: 'known' }],
      });
      await at.tamper({ username: 'maria' });
      expect(await at.review()).toMatchObject({ outcome: 'drift', findings: [{ attribute: 'attributes.username' }] });
    });

    test('writes nothing when not everything could be read', async () => {
      expect(await at.drift([...ALL, '--max-calls', '3'])).toExitWith(6, { stdout: '', stderr: 'nothing was written' });
      expect(at.has('drift.yaml')).toBe(false);
    });
  });

  test('diff: 0 for the same, 2 for what is new, as text and as JSON', async () => {
    at.write('clean.json', JSON.stringify(await at.review()));
    await changed();
    expect(await at.drift(['diff', 'review.json', 'review.json'])).toMatchObject({
      code: 0,
      stdout: '0 new, 0 changed, 0 gone, 0 ignored, 0 unread, 3 same\n',
    });
    expect(await at.drift(['diff', 'clean.json', 'review.json'])).toExitWith(2, {
      stdout: /^\+ [0-9a-f]{10} high Attachment acme\/shop\/web\/deployer\/motd: deleted$/m,
    });
    expect(await at.drift(['diff', 'review.json', 'clean.json'])).toExitWith(0, { stdout: '3 gone' });
    const asJson = await at.drift(['diff', 'clean.json', 'review.json', '--json']);
    expect((JSON.parse(asJson.stdout) as { new: unknown[] }).new).toHaveLength(3);
  });

  describe('called in a way they do not take', () => {
    const [ONE, WHY] = ['abcd000001', '--reason r --owner ann'];
    const REFUSED: readonly (readonly [words: string, message: string])[] = [
      ['accept', 'name at least one finding by its id'],
      ['revert', 'name at least one finding by its id'],
      ['accept ffffffffff', 'the review has no finding ffffffffff: its report lists the ids'],
      ['accept abcd', 'abcd may be abcd000001 or abcd000002'],
      ['revert ffffffffff', 'the review has no finding ffffffffff: its report lists the ids'],
      [`ignore ${ONE}`, 'ignore needs --reason and --owner'],
      [`ignore ${ONE} --reason _ --owner ann`, 'ignore needs --reason and --owner'],
      [`ignore ${ONE} ${WHY} --until soon`, '--until takes a day like 2027-01-31'],
      [`ignore ${ONE} ${WHY} --until 2027-02-30`, '--until takes a day like 2027-01-31'],
      [
        `ignore ${ONE} ${WHY} --until 2020-01-31`,
        '--until 2020-01-31 has passed: name the last day on which the entry holds',
      ],
      [`ignore --all ${WHY}`, '--all needs --until'],
      [`ignore ${ONE} --all ${WHY} --until 2999-01-31`, '--all means every finding'],
      ['revert --all --cause c', '--all means every finding: leave out --cause'],
      [`revert --all ${ONE}`, '--all means every finding: leave out the ids'],
      ['diff review.json', 'diff takes two reviews'],
      ['diff a b c', 'diff takes two reviews'],
    ];

    test('each is wrong use, and asks the service nothing', async () => {
      const found = Object.values((await changed(), await at.saved()))[0];
      const findings = ['abcd000001', 'abcd000002'].map((id) => ({ ...found, id }));
      at.write('review.json', JSON.stringify({ ...(await at.review()), findings }));
      at.world.requests();
      for (const [words, message] of REFUSED) {
        const sent = words.split(' ').map((word) => (word === '_' ? ' ' : word));
        const ended = await at.drift([...sent, ...(words.startsWith('diff') ? [] : FROM)]);
        expect([words, ended]).toMatchObject([words, { code: 3, stdout: '', usage: true }]);
        expect(ended.stderr).toContain(message);
      }
      expect(at.world.requests()).toEqual([]);
    });

    test('what is no review is refused by --from', async () => {
      at.write('stood.json', '{"version":1,"made":0,"organization":"acme","findings":[]}');
      for (const name of ['oneops.yaml', 'state.json', 'stood.json', 'gone.json'])
        expect(await at.drift(['accept', 'abcd', '--from', name])).toExitWith(3, {
          stderr: /contains no review: save one with|there is no such file/,
        });
      expect(at.has('drift.yaml')).toBe(false);
    });

    test('4 without a token, whatever is decided', async () => {
      const environment = { ONEOPS_TOKEN: '' };
      for (const words of [
        ['accept', 'abcd'],
        ['revert', 'abcd'],
        ['ignore', 'abcd', '--reason', 'r', '--owner', 'o'],
      ])
        expect(await at.drift([...words, ...STATE], { environment })).toExitWith(4, { stderr: 'oneops:token' });
    });
  });
});

// Deciding on a terminal: what a person sees and types there, and what becomes of it.

const [TAKE, ENTER, CTRL_C] = ['\t', '\r', '\u0003'];
const [ACCEPT, REVERT, IGNORE] = [/What do you accept\?/, /What do you revert\?/, /What do you ignore\?/];
/** Keys that take the first line with a word, and go on. */
const take = (word: string): string => `${word}${TAKE}${ENTER}`;
const decided = (accept: string, revert: string, ignore: string): Typed => [
  [ACCEPT, accept],
  [REVERT, revert],
  [IGNORE, ignore],
];

describe('decide', () => {
  const STATE = ['--state', 'state.json'];
  const [CTRL_D, ESCAPE] = ['\u0004', '\u001b'];

  // One world for all of them: only the last test writes to the service, and each gets the file as it was.
  let at: CommandWorld;
  beforeAll(async () => {
    at = await openCommandWorld('documented');
    await at.tamper({ description: 'somebody was here', username: 'maria' });
    await at.detach('motd');
  });
  beforeEach(() => {
    at.write('oneops.yaml', FILE);
    at.world.requests();
  });
  afterAll(() => at.close());

  const play = (typed: Typed, ...words: readonly string[]): Promise<Ended> => at.drift([...STATE, ...words], { typed });

  /** Everything that a review, a decision or a command could have written. */
  const written = (): readonly unknown[] => [
    at.read('oneops.yaml'),
    at.has('drift.yaml'),
    at.world.requests().filter((line) => !line.startsWith('GET')),
  ];
  const NOTHING = [FILE, false, []];

  const DECIDED = decided(take('desc'), take('username'), ENTER);
  const ACCEPTED = decided(take('desc'), ENTER, ENTER);
  const IGNORED = decided(ENTER, ENTER, take('motd'));

  /** Ways to give up, by where. */
  const LEAVING: { readonly [where: string]: Typed } = {
    'with Ctrl-C in a list': [[ACCEPT, `${TAKE}${CTRL_C}`]],
    'with Ctrl-D in a later list': [
      [ACCEPT, take('desc')],
      [REVERT, CTRL_D],
    ],
    'with Escape in a list': [[ACCEPT, `${TAKE}${ESCAPE}`]],
    'with nothing decided': decided(ENTER, ENTER, ENTER),
    'with every decision taken back': decided(`${TAKE}${TAKE}${ENTER}`, ENTER, ENTER),
    'with Ctrl-C where it asks why': [...IGNORED, [/why are they ignored\?/, CTRL_C]],
    'with Ctrl-C where it asks who': [
      ...IGNORED,
      [/why are they ignored\?/, 'theirs\r'],
      [/who is responsible for it\?/, CTRL_C],
    ],
    'with Ctrl-D where it asks whether to deploy': [...DECIDED, [/once it is set back\?/, CTRL_D]],
    'with no where it asks for the agreement': [...DECIDED, [/once it is set back\?/, 'n'], [/send 1 request\?/, 'n']],
    'with Ctrl-C where it asks for the agreement': [...ACCEPTED, [/write 1 file\?/, CTRL_C]],
  };

  test.each(Object.entries(LEAVING))('writes nothing if a person leaves %s', async (_, typed) => {
    expect(await play(typed)).toExitWith(2, { stdout: /nothing (is decided|was written or sent)\n$/ });
    expect(written()).toEqual(NOTHING);
  });

  test('says which decisions it leaves out, and why, and does the others', async () => {
    at.write(
      'oneops.yaml',
      FILE.replace('username: deployer', 'username: &twice deployer').replace(
        'description: deploys',
        'description: *twice',
      ),
    );
    const both = `desc${TAKE}${'\u007f'.repeat(4)}motd${TAKE}${ENTER}`;
    const ended = await play([...decided(both, ENTER, ENTER), [/write 1 file\?/, 'y']]);
    expect([ended.code, stripVTControlCharacters(ended.stdout)]).toEqual([
      2,
      expect.stringMatching(/^left out: .*attributes\.description\n {2}it is an alias[^]*^written: oneops\.yaml/m),
    ]);
  });

  test('says before it asks what other stacks of the same files would declare', async () => {
    at.write('Pulumi.qa.yaml', 'config: {}\n');
    const ended = await play([...ACCEPTED, [/write 1 file\?/, 'n']]);
    rmSync(join(at.folder, 'Pulumi.qa.yaml'));
    const shown = stripVTControlCharacters(ended.stdout);
    expect(shown).toMatch(
      /^the same files would declare something else for other stacks, too: qa$[^]*\nnothing was written or sent$/m,
    );
    expect(written()).toEqual(NOTHING);
  });

  test('writes nothing if somebody edited a file while it asked', async () => {
    const theirs = `${FILE}# theirs\n`;
    const edited = (): string => {
      at.write('oneops.yaml', theirs);
      return 'y';
    };
    expect(await play([...ACCEPTED, [/write 1 file\?/, edited]])).toExitWith(1, {
      stderr: 'somebody edited oneops.yaml meanwhile',
    });
    expect(at.read('oneops.yaml')).toBe(theirs);
  });

  test.each([
    ['--no-prompt', ['--no-prompt'], {}],
    ['--json', ['--json'], {}],
    ['another report on the standard output', ['--report', 'markdown'], {}],
    ['a build', [], { CI: 'true' }],
    ['a terminal that cannot be drawn on', [], { TERM: 'dumb' }],
  ])('asks nothing with %s', async (_, words, environment) => {
    const ended = await at.drift([...STATE, ...words], { typed: [], environment });
    expect([ended.code, ended.stdout]).toEqual([2, expect.not.stringMatching(ACCEPT)]);
  });

  test('accepts, reverts and ignores, each after one confirmation of everything, and reviews again', async () => {
    const ended = await play([
      ...decided(take('attributes.desc'), take('username'), take('motd')),
      [/why are they ignored\?/, 'rebuilt by hand\r'],
      [/who is responsible for it\?/, 'ann@acme.io\r'],
      [/until which day/, '2001-01-01\r'],
      [/a day from \d/, `${'\u007f'.repeat(10)}2999-12-31\r`],
      [/deploy prod, once it is set back\?/, 'y'],
      [/write 2 files and send 1 request\?/, 'y'],
    ]);
    const shown = stripVTControlCharacters(ended.stdout);
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
    expect(shown).toMatch(/^\+ +description: somebody was here$/m);
    expect(shown).toMatch(/^\+ {4}owner: ann@acme\.io$/m);
    expect(shown).toMatch(/^ {2}PUT \/acme\/assemblies\/shop\/design\/.*"username":"deployer"/m);
    // What is accepted and ignored was committed, too: the deployment of what is set back brings it along.
    expect(shown).toMatch(/the deployment also brings what others committed:\n {2}release \d+ of acme\/shop by maria/);
    expect(shown).toContain('written: oneops.yaml, drift.yaml');
    expect(shown).toMatch(/IN SYNC: [^]*$/);
    expect(at.read('oneops.yaml')).toBe(FILE.replace('description: deploys', 'description: somebody was here'));
    expect(at.read('drift.yaml')).toContain('2999-12-31');
    const again = await at.review();
    expect([again.outcome, judged(again)]).toEqual([
      'in-sync',
      expect.arrayContaining(['healed attributes.description']),
    ]);
  });
});

// Deciding on causes on a terminal: in the review of one stack, and in that of a fleet.

describe('in the review of one stack', () => {
  let at: CommandWorld;
  beforeAll(async () => {
    at = await openCommandWorld('documented');
    for (const attachment of ['motd', 'cron']) await at.attach(attachment, { path: '/tmp/theirs' });
    await at.tamper({ description: 'somebody was here' });
  });
  afterAll(() => at.close());
  const play = (typed: Typed): Promise<Ended> => at.drift(['--state', 'state.json'], { typed });

  test('findings of one cause are one entry, and still entries of their own', async () => {
    const { stdout } = await play([[ACCEPT, CTRL_C]]);
    const shown = stripVTControlCharacters(stdout);
    expect(shown).toMatch(/all 2: Attachment path \(cause \w{10}\./);
    expect(shown).toMatch(/web\/deployer\/motd path$/m);
    expect(shown).toMatch(/web\/deployer attributes\.description$/m);
  });

  test('a cause and its findings are decided on once', async () => {
    const { stdout } = await play(decided(take('motd'), take('all'), CTRL_C));
    const [, last = ''] = stripVTControlCharacters(stdout).split('What do you ignore?');
    expect(last).toContain('attributes.description');
    expect(last).not.toContain('path');
  });

  test('accepting it writes each of its values, and nothing else', async () => {
    const before = at.read('oneops.yaml');
    expect(await play([...decided(take(''), ENTER, ENTER), [/write 1 file\?/, 'y']])).toExitWith(2);
    expect(at.read('oneops.yaml')).toBe(before.replace(/\/etc\/(motd|cron)/g, '/tmp/theirs'));
  });
});

describe('in the review of a fleet', () => {
  let at: FleetWorld;
  beforeEach(async () => {
    at = await openFleetWorld(['mail', 'news', 'wiki']);
    for (const assembly of ['mail', 'news']) await at.tamperIn(assembly, { description: 'somebody was here' });
    await at.tamperIn('wiki', { username: 'maria' });
  });
  afterEach(() => at.close());
  const play = (typed: Typed, ...words: readonly string[]): Promise<Ended> =>
    at.drift(['--all', 'stacks/*', ...words], {}, typed);
  const writes = (): readonly string[] => at.world.requests().filter((line) => !line.startsWith('GET'));
  const files = (): readonly string[] => ['mail', 'news', 'wiki'].map((name) => at.read(`stacks/${name}/oneops.yaml`));

  test('a cause is reverted in all of its stacks after one confirmation, and the next review is clean of it', async () => {
    const before = files();
    const { code, stdout } = await play([
      ...decided(ENTER, take('somebody'), take('wiki')),
      [/why are they ignored\?/, 'theirs\r'],
      [/who is responsible for it\?/, 'ann@acme.io\r'],
      [/until which day/, '\r'],
      [/write 1 file and send 2 requests\?/, 'y'],
    ]);
    const shown = stripVTControlCharacters(stdout);
    expect(shown).toMatch(/all 2 in 2 stacks: Component attributes\.description/);
    expect(shown).toMatch(/^stacks\/mail\/dev:\n.*attributes\.description\n {2}PUT /m);
    expect([code, shown]).toEqual([0, expect.stringMatching(/\nIN SYNC: 3 stacks: 3 in sync\n/)]);
    expect([files(), writes().length]).toEqual([before, 2]);
    expect(at.read('stacks/wiki/drift.yaml')).toContain('ann@acme.io');
  });

  test('what is not set back in one stack, or not deployed, is said of it with what is left to do, and the others go on', async () => {
    const file = 'stacks/news/oneops.yaml';
    at.write(file, `${at.read(file)}environments: { prod: { clouds: [east] } }\n`);
    const body = { errors: ['no'] };
    const refused = { effect: 'status', status: 422, body, nth: 1 } as const;
    at.world.service.faults.set([
      { ...refused, route: 'components.update' },
      { effect: 'status', status: 422, body, route: 'environments.read' },
    ]);
    const { code, stdout, stderr } = await play([
      ...decided(ENTER, take('somebody'), ENTER),
      [/deploy prod of stacks\/news\/dev, once it is set back\?/, 'y'],
      [/send 2 requests\?/, 'y'],
    ]);
    // The environment cannot be read, so the review is incomplete, whatever was set back.
    expect(code).toBe(6);
    expect(stderr).toMatch(
      /^not set back: stacks\/mail\/dev: \w{10} Component acme\/mail\/web\/deployer attributes\.description\n.*no/m,
    );
    expect(stderr).toMatch(
      /^0 of 1 records of this stack were set back; what came after in it was not sent, and nothing in it was deployed\nnext: review again, and decide on what is still found$/m,
    );
    expect(stripVTControlCharacters(stdout)).toMatch(/^set back: stacks\/news\/dev: \w{10} Component acme\/news\//m);
    expect(stderr).toMatch(
      /^stacks\/news\/dev: it is set back, but not deployed: .*\n.*\nnext: commit, pull and deploy it in OneOps; pulumi up alone does not$/m,
    );
  });

  test('stacks that share their files get both values, in one patch', async () => {
    const both = at.read('stacks/mail/.state/dev.json');
    at.write('stacks/mail/.state/prod.json', both.replaceAll('::dev::', '::prod::').replaceAll(':dev:', ':prod:'));
    at.write('stacks/mail/.state/ls.json', JSON.stringify([{ name: 'dev' }, { name: 'prod' }]));
    const { stdout } = await play([...decided(take('all'), ENTER, ENTER), [/write 2 files\?/, 'y']]);
    const shown = stripVTControlCharacters(stdout);
    expect(shown.match(/^\+ .*description: somebody was here$/gm)).toHaveLength(2);
    expect(shown).toMatch(/^stacks\/mail\/prod: .*(\n {2}.*)?\n {2}is already as decided$/m);
    for (const name of ['mail', 'news']) expect(at.read(`stacks/${name}/oneops.yaml`)).toContain('somebody was here');
  });
});

// Files as they are to be written: what a person gets to know when one of them cannot be.
describe('drafts', () => {
  eachFolder({ isHere: true });

  test('a file that cannot be written is named with those that are written, that nothing was sent, and what to do', () => {
    const drafts = newDrafts();
    drafts.put('mail.yaml', 'a: 1\n');
    drafts.put('gone/news.yaml', 'b: 2\n');
    drafts.put('wiki.yaml', 'c: 3\n');
    expect(() => drafts.write()).toThrow(
      new Error(
        'cannot write gone/news.yaml: ENOENT; written: mail.yaml; not written: gone/news.yaml, wiki.yaml; no request was sent: make sure that gone/news.yaml can be written, and review again',
      ),
    );
    expect(readFileSync('mail.yaml', 'utf8')).toBe('a: 1\n');
  });

  test('when the first one cannot be written, nothing is', () => {
    const drafts = newDrafts();
    drafts.put('gone/news.yaml', 'b: 2\n');
    expect(() => drafts.write()).toThrow(
      /^cannot write gone\/news\.yaml: ENOENT; nothing was written or sent: make sure/,
    );
  });
});
