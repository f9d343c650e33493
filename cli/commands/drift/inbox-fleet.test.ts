// An inbox that a fleet feeds: what is ticked is carried out in the folder of each stack, wherever the command runs.
import { fleetOf, type Review } from '../../../drift';
import { directoryPlace, openInboxWorld, type InboxWorld, type Place } from '../../../test/drift/inbox-world';
import { githubPlace, type PlatformPlace } from '../../../test/drift/platform-places';
import { sampleFinding, sampleReview, value } from '../../../test/drift/sample-review';

const fileOf = (assembly: string): string => `assembly: { name: ${assembly}, owner: team@acme.io }
platforms:
  web:
    pack: oneops/custom:1
    components:
      user:
        deployer:
          description: deploys
          username: deployer
`;

const reviewOf = (project: string, stack: string, number: number): Review =>
  sampleReview({
    project,
    stack,
    findings: [
      sampleFinding(number, {
        address: `acme/${project}/web/deployer`,
        logicalName: 'web/deployer',
        attribute: 'attributes.description',
        code: value('deploys'),
        applied: value('deploys'),
        live: value('somebody was here'),
        at: { file: 'oneops.yaml', line: 8, column: 11 },
      }),
    ],
  });

const STACKS = [
  ['mail', 'dev', 1],
  ['shop', 'dev', 2],
  ['shop', 'staging', 3],
] as const;

const idOf = (index: 0 | 1 | 2): string => sampleFinding(STACKS[index][2]).id;

/** `folder`: that of the stacks, relative to where the fleet was reviewed; undefined for those of a backend. */
const fleetText = (folder: ((project: string) => string) | undefined): string =>
  JSON.stringify(
    fleetOf({
      ...{ started: 0, took: 0, calls: 0, missing: [], organizations: [], notes: [], failOn: 'low' as const },
      stacks: STACKS.map(([project, stack, number]) => ({
        ...(folder === undefined ? {} : { folder: folder(project) }),
        ...{ name: `stacks/${project}/${stack}`, stack, outcome: 'drift' as const, summary: '' },
        review: reviewOf(project, stack, number),
      })),
    }),
  );

let world: InboxWorld;
const open = async (place: (folder: string) => Place | Promise<Place>): Promise<void> => {
  world = await openInboxWorld(place);
  world.write(
    'fleet.json',
    fleetText((project) => `stacks/${project}`),
  );
  for (const project of ['shop', 'mail']) {
    world.write(`stacks/${project}/Pulumi.yaml`, `name: ${project}\nruntime: oneops\n`);
    world.write(`stacks/${project}/oneops.yaml`, fileOf(project));
  }
  for (const stack of ['dev', 'staging']) world.write(`stacks/shop/Pulumi.${stack}.yaml`, 'config: {}\n');
};
afterEach(() => world.close());

const bodyOf = (project: string, stack: string): string =>
  world.place.issues().find(({ body }) => body.includes(`inbox acme/${project}/${stack} -->`))?.body ?? '';

/** Somebody ticks the box of a finding. */
const tick = (index: 0 | 1 | 2, word: 'accept' | 'revert' | 'ignore'): void => {
  for (const issue of world.place.issues())
    if (issue.body.includes(`<!-- finding ${idOf(index)}`))
      world.place.edit(issue.id, ({ body }) => ({
        body: body.replace(new RegExp(`(<!-- finding ${idOf(index)}[^]*?- \\[) (\\] ${word})`), '$1x$2'),
      }));
};

const patchIn = (body: string): string => world.read(`inbox/${/in (\S+\.patch)/.exec(body)?.[1] ?? 'none'}`);

const atRoot = (...words: readonly string[]): ReturnType<InboxWorld['run']> =>
  world.run([], '--from', 'fleet.json', ...words);
const inShop = (): ReturnType<InboxWorld['run']> =>
  world.runIn('stacks/shop', '--directory', '../../inbox', '--from', '../../fleet.json');

test('where the fleet was reviewed, each tick is carried out in the folder of its stack', async () => {
  await open(directoryPlace);
  await atRoot();
  tick(0, 'ignore');
  tick(2, 'accept');
  expect(await atRoot()).toMatchObject({ code: 0, stderr: '', stdout: expect.not.stringContaining('left') as string });
  expect(patchIn(bodyOf('shop', 'staging'))).toMatch(
    /^--- a\/stacks\/shop\/oneops\.yaml[^]*\+ {10}description: somebody was here/,
  );
  expect(patchIn(bodyOf('mail', 'dev'))).toMatch(
    new RegExp(`b/stacks/mail/drift-rules\\.yaml[^]*- id: '${idOf(0)}'[^]*decided in inbox/acme-mail-dev\\S*\\.md`),
  );
  expect((await atRoot()).stdout).toBe('nothing changed: nothing was written\n');
});

test('an accepted value names the other stacks of the file', async () => {
  await open(directoryPlace);
  await atRoot();
  tick(2, 'accept');
  await atRoot();
  expect(bodyOf('shop', 'staging')).toMatch(/accepted for staging.*for other stacks, too.*dev/);
});

test('in the folder of a project, its ticks alone are carried out; others stay ticked, without an answer', async () => {
  await open(directoryPlace);
  await atRoot();
  tick(0, 'accept');
  tick(1, 'accept');
  const before = bodyOf('mail', 'dev');
  const ended = await inShop();
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toMatch(/^left ticked: acme\/mail\/dev: run drift inbox in the folder of its project/m);
  expect(bodyOf('mail', 'dev')).toBe(before);
  expect(patchIn(bodyOf('shop', 'dev'))).toMatch(/^--- a\/stacks\/shop\/oneops\.yaml/);
  // Where the fleet was reviewed, the rest is carried out.
  await atRoot();
  expect(patchIn(bodyOf('mail', 'dev'))).toMatch(/^--- a\/stacks\/mail\/oneops\.yaml/);
});

test('the answer to revert names the folder and the stack', async () => {
  await open(directoryPlace);
  await atRoot();
  tick(2, 'revert');
  await atRoot();
  expect(bodyOf('shop', 'staging')).toContain(
    `in stacks/shop, call pulumi-oneops drift revert ${idOf(2)} --deploy --stack staging`,
  );
});

test('what no folder of the fleet has is answered, and one of a backend is carried out in the folder of its project', async () => {
  await open(directoryPlace);
  world.write(
    'fleet.json',
    fleetText((project) => `gone/${project}`),
  );
  await atRoot();
  tick(0, 'accept');
  await atRoot();
  expect(bodyOf('mail', 'dev')).toContain('the files of the project in gone/mail are not here');
  world.write('fleet.json', fleetText(undefined));
  tick(0, 'accept');
  tick(1, 'accept');
  await atRoot();
  expect(bodyOf('mail', 'dev')).toContain('the files of the project mail are not here');
  tick(0, 'accept');
  tick(1, 'accept');
  await inShop();
  expect(bodyOf('mail', 'dev')).toContain('[x] accept');
  expect(patchIn(bodyOf('shop', 'dev'))).toMatch(/^--- a\/stacks\/shop\/oneops\.yaml/);
});

test('the ticks of one cause are one request with the files of all folders', async () => {
  let place: PlatformPlace | undefined;
  await open(async () => (place = await githubPlace()));
  await atRoot('--by', 'cause');
  ([0, 1, 2] as const).forEach((index) => tick(index, 'accept'));
  await atRoot('--by', 'cause');
  const [request, second] = place?.proposed() ?? [];
  expect(second).toBeUndefined();
  expect(request?.files).toEqual({
    'stacks/mail/oneops.yaml': fileOf('mail').replace('deploys', 'somebody was here'),
    'stacks/shop/oneops.yaml': fileOf('shop').replace('deploys', 'somebody was here'),
  });
  // The first stack of a file changes the other one, too, which is said where the request is read, and where it waits.
  expect(request?.body).toMatch(/accepted for dev: .*staging/);
  const [{ body } = { body: '' }] = place?.issues() ?? [];
  expect(body.match(/waits for #12 /g)).toHaveLength(3);
  expect(body).not.toContain('[x]');
  expect((await atRoot('--by', 'cause')).stdout).toBe('nothing changed: nothing was written\n');
});
