// The inbox in a folder, as a person calls it: what it writes, what it says, exit codes; and what people or values do to it.
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fleetOf, readIssueText } from '../../../drift';
import { COMMIT, directoryPlace, openInboxWorld, type InboxWorld } from '../../../test/drift/inbox-world';
import { CANARY, SAMPLE_FINDINGS, sampleFinding, sampleReview, value } from '../../../test/drift/sample-review';

const LATER = 'beef000000000000000000000000000000000002';

let world: InboxWorld;
beforeEach(async () => {
  world = await openInboxWorld(directoryPlace);
});
afterEach(() => world.close());

const of = { project: 'shop' };
const found = (...numbers: readonly number[]): ReturnType<typeof sampleReview> =>
  sampleReview({ ...of, findings: numbers.map((number) => sampleFinding(number)) });
const only = (): ReturnType<InboxWorld['place']['issues']>[number] => {
  const issues = world.place.issues();
  expect(issues).toHaveLength(1);
  return issues[0] as (typeof issues)[number];
};

test('an issue from its first finding to its last, and its return', async () => {
  expect(await world.run([found(1, 2)])).toEqual({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(
      /^opened: Drift in acme shop dev\n {2}2 new, 0 settled; inbox\/acme-shop-dev-\w+\.md\n$/,
    ),
  });
  expect(only().body).toContain('**2 to settle.**');
  expect((await world.run([found(2)], '--commit', LATER)).stdout).toMatch(/^edited: .*\n {2}0 new, 1 settled/);
  expect(only().body).toMatch(new RegExp(`^- \\[x\\] .*: settled with commit ${LATER} <!-- settled`, 'm'));
  expect((await world.run([found()])).stdout).toMatch(/^closed: /);
  expect(only()).toMatchObject({ state: 'closed', body: expect.stringContaining('**Everything is settled.**') });
  // Nobody committed anything meanwhile.
  expect(only().body).toContain(`settled in the service, with the repository at commit ${COMMIT}`);
  expect((await world.run([found(1)])).stdout).toMatch(/^reopened: .*\n {2}1 new/);
  expect(only().state).toBe('open');
  expect(readIssueText(only().body)?.settled).toHaveLength(1);
});

test('an issue that somebody closed comes back; one that nobody plans to settle does so with something new only', async () => {
  await world.run([found(1)]);
  world.place.edit(only().id, () => ({ state: 'closed' }));
  expect((await world.run([found(1)])).stdout).toMatch(/^reopened/);
  world.place.edit(only().id, () => ({ state: 'declined' }));
  expect((await world.run([found(1)])).stdout).toMatch(/^nothing changed/);
  expect((await world.run([found()])).stdout).toMatch(/^nothing changed/);
  expect((await world.run([found(1, 2)])).stdout).toMatch(/^reopened/);
});

test('what no value says: marks, mentions, markup, secrets', async () => {
  const nasty = '--> <!-- pulumi-oneops inbox end -->\n```\n@everyone <img src=x onerror=y> [x](http://evil) `a`';
  const findings = [...SAMPLE_FINDINGS, sampleFinding(40, { live: value(nasty), address: nasty })];
  await world.run([sampleReview({ ...of, findings })]);
  const { body } = only();
  expect(readIssueText(body)?.listed.map(({ id }) => id)).toContain(sampleFinding(40).id);
  expect(body).not.toMatch(/@everyone|<img|\]\(http|```|canary/);
  expect(body).not.toContain(CANARY);
  expect(body.match(/<!-- pulumi-oneops inbox/g)).toHaveLength(2);
});

test('the owners of the line are named, and nobody else', async () => {
  world.write(
    'CODEOWNERS',
    '# who\n* @acme/all\n/oneops.yaml @acme/web ops@acme.io <script> # of the shop\n/gone @nobody\n',
  );
  await world.run([found(1)]);
  expect(only().body).toContain('owned by @acme/web ops@acme.io ·');
});

test('an incomplete review ticks nothing off, one that is not believed changes nothing', async () => {
  await world.run([found(1, 2)]);
  const less = { ...found(2), outcome: 'incomplete' as const, summary: 'not everything could be read' };
  expect(await world.run([less])).toMatchObject({
    code: 3,
    stderr: 'acme dev: not everything could be read; none of its findings counts as settled\n',
  });
  expect(readIssueText(only().body)?.listed).toHaveLength(2);
  for (const [outcome, code] of [
    ['refused', 5],
    ['authentication', 4],
  ] as const)
    expect(await world.run([{ ...found(), outcome }])).toMatchObject({
      code,
      stdout: expect.stringMatching(/^nothing/),
    });
  expect(only().state).toBe('open');
});

test('a mark that somebody removed is not found: the issue stays as it is, and another one is opened', async () => {
  await world.run([found(1)]);
  world.place.edit(only().id, ({ body }) => ({ body: body.replace(/<!-- pulumi-oneops inbox acme\S* -->/, 'mine') }));
  // The name of the file is taken: nothing of a person's may be lost.
  const ended = await world.run([found(1)]);
  expect(ended.stdout).toMatch(/^opened/);
  expect(world.place.issues().filter(({ body }) => body.startsWith('mine'))).toHaveLength(1);
});

test.each([
  [['--directory', 'x', 'more'], /takes no argument/],
  [['--commit', 'HEAD; rm'], /--commit takes/],
])('%j is wrong use', async (words, message) => {
  expect(await world.run([found()], ...words)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});

test('two reviews of one stack are refused, those of two projects are not', async () => {
  expect((await world.run([found(1), found(2)])).stderr).toBe('two reviews are of the same stack: acme/shop/dev');
  expect((await world.run([found(1), { ...found(2), project: 'blog' }])).code).toBe(0);
  expect(world.place.issues()).toHaveLength(2);
});

test('a ticked box becomes a patch next to the issue', async () => {
  world.write('Pulumi.yaml', 'name: shop\nruntime: nodejs\n');
  await world.run([found(1)]);
  world.place.edit(only().id, ({ body }) => ({ body: body.replace('[ ] ignore until', '[x] ignore until') }));
  await world.run([found(1)]);
  const name = /the change is in (\S+\.patch)/.exec(only().body)?.[1] ?? '';
  expect(world.read(`inbox/${name}`)).toMatch(new RegExp(`^\\+ {2}- id: '${sampleFinding(1).id}'`, 'm'));
  expect((await world.run([found(1)])).stdout).toMatch(/^nothing changed/);
});

test('two runs on two commits that answer one tick in a folder come to one patch', async () => {
  world.write('Pulumi.yaml', 'name: shop\nruntime: nodejs\n');
  await world.run([found(1)]);
  const ticked = only().body.replace('[ ] ignore until', '[x] ignore until');
  for (const commit of [[], ['--commit', 'beef000000000000000000000000000000000002']]) {
    world.place.edit(only().id, () => ({ body: ticked }));
    await world.run([found(1)], ...commit);
  }
  expect(readdirSync(join(world.folder, 'inbox')).filter((name) => name.endsWith('.patch'))).toHaveLength(1);
});

test('a finding of another project is not decided on here', async () => {
  world.write('Pulumi.yaml', 'name: blog\nruntime: oneops\n');
  await world.run([found(1)]);
  world.place.edit(only().id, ({ body }) => ({ body: body.replace('[ ] accept', '[x] accept') }));
  // A run in its own folder decides.
  expect((await world.run([found(1)])).stdout).toMatch(/^nothing changed[^]*left ticked: acme\/shop\/dev: run drift/);
  expect(only().body).toContain('[x] accept');
});

test('the stacks of a fleet, each with the places of its folder', async () => {
  const stacks = [
    { name: 'shop/dev', stack: 'dev', folder: 'stacks/shop', outcome: 'drift' as const, summary: '', review: found(1) },
    { name: 'shop/prod', stack: 'prod', folder: 'stacks/shop', outcome: 'incomplete' as const, summary: 'no state' },
    { name: 'tools/dev', stack: 'dev', outcome: 'in-sync' as const, summary: 'it contains no record of OneOps' },
  ];
  const facts = {
    started: 0,
    took: 0,
    missing: [{ number: 3, of: 4 }],
    organizations: [],
    notes: [],
    failOn: 'low' as const,
    calls: 0,
  };
  world.write('fleet.json', JSON.stringify(fleetOf({ ...facts, stacks })));
  const ended = await world.run([], '--from', 'fleet.json');
  expect(ended).toMatchObject({ code: 3, stdout: expect.stringMatching(/^opened: Drift in acme shop dev/) as string });
  expect(ended.stderr).toBe(
    'shop/prod: no state; none of its findings counts as settled\nfleet.json: no result of shard 3; none of its findings counts as settled\n',
  );
  expect(only().body).toContain('stacks/shop/oneops.yaml');
});

test('one write in several stacks is one issue by cause', async () => {
  const stacks = (live: string, ...names: readonly string[]): ReturnType<typeof sampleReview>[] =>
    names.map((stack, index) =>
      sampleReview({
        ...of,
        stack,
        findings: [sampleFinding(index, { address: `acme/shop/${stack}/a`, live: value(live) })],
      }),
    );
  const by = ['--by', 'cause'];
  expect((await world.run(stacks('5', 'a', 'b', 'c'), ...by)).stdout).toMatch(
    /^opened: Drift: attributes\.max_threads of Component by ada\n {2}3 new/,
  );
  expect((await world.run(stacks('5', 'a', 'b', 'c'), ...by)).stdout).toMatch(/^nothing changed/);
  // A run without one of the stacks says nothing of it.
  expect((await world.run(stacks('5', 'a'), ...by)).stdout).toMatch(/^nothing changed/);
  const healed = stacks('5', 'a', 'b').map((each, index) => (index === 0 ? each : { ...each, findings: [] }));
  expect((await world.run(healed, ...by)).stdout).toMatch(/^edited: .*\n {2}0 new, 1 settled/);
  expect((await world.run(stacks('6', 'a', 'b', 'c'), ...by)).stdout).toMatch(/^opened[^]*closed: /);
  expect(
    world.place
      .issues()
      .map(({ state }) => state)
      .sort(),
  ).toEqual(['closed', 'open']);
  expect(JSON.stringify(world.place.issues())).toContain('it has another cause now');
  await world.run(
    stacks('6', 'a', 'b', 'c').map((each) => ({ ...each, findings: [], outcome: 'in-sync' as const })),
    ...by,
  );
  expect(world.place.issues().map(({ state }) => state)).toEqual(['closed', 'closed']);
});

describe('a message', () => {
  const SECRET = 'canary-webhook';
  let server: Server;
  let messages: { readonly path: string; readonly body: string }[];
  let status: number;
  const notified = (
    receiver: string,
    ...reviews: readonly ReturnType<typeof sampleReview>[]
  ): ReturnType<InboxWorld['run']> => world.run(reviews, '--notify', receiver);
  beforeEach(async () => {
    messages = [];
    status = 200;
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        messages.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString() });
        response.writeHead(status).end('ok');
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${SECRET}?sig=${SECRET}`;
    Object.assign(world.place.environment, { SLACK_WEBHOOK_URL: url, TEAMS_WEBHOOK_URL: url, ONEOPS_WEBHOOK_URL: url });
  });
  afterEach(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );

  test.each(['slack', 'teams', 'webhook'])(
    'to %s says what is new and what is settled, and only that',
    async (receiver) => {
      const nasty = sampleFinding(3, { address: '<!everyone> [x](http://evil) &amp;', live: value(CANARY) });
      const review = sampleReview({ ...of, findings: [sampleFinding(1), nasty] });
      expect(await notified(receiver, review)).toMatchObject({ code: 0, stderr: '' });
      expect(messages).toHaveLength(1);
      expect(messages[0]).toEqual({
        path: `/${SECRET}?sig=${SECRET}`,
        body: expect.stringContaining('Drift in acme shop dev') as string,
      });
      expect(() => JSON.parse(messages[0]?.body ?? '') as unknown).not.toThrow();
      if (receiver === 'slack') expect(messages[0]?.body).not.toContain('<!everyone');
      if (receiver === 'teams') expect(messages[0]?.body).not.toContain('[x](');
      expect(messages[0]?.body).not.toContain(CANARY);
      await notified(receiver, review);
      expect(messages).toHaveLength(1);
      await notified(receiver, found());
      expect(messages).toHaveLength(2);
      expect(messages[1]?.body).toMatch(/2 settled|"settled":\["/);
    },
  );

  test.each(['slack', 'webhook'])(
    'to %s is sent, too, when a value is another one than in the last run',
    async (receiver) => {
      const having = (live: string): ReturnType<typeof sampleReview> =>
        sampleReview({ ...of, findings: [sampleFinding(1, { live: value(live) }), sampleFinding(2)] });
      await notified(receiver, having('debug'));
      const ended = await notified(receiver, having('trace'));
      expect(ended.stdout).toMatch(/^edited: .*\n {2}0 new, 1 with other values, 0 settled/);
      expect(messages).toHaveLength(2);
      expect(messages[1]?.body).toMatch(/with another value|"added":\[\],"changed":\[\{"id":/);
      expect(messages[1]?.body).not.toContain('trace');
      // A place that moved, or another commit, is no news.
      const moved = having('trace');
      const [first, ...rest] = moved.findings;
      const at = { file: 'oneops.yaml', line: 99, column: 1 };
      await notified(receiver, { ...moved, findings: [{ ...(first as (typeof rest)[number]), at }, ...rest] });
      expect(messages).toHaveLength(2);
    },
  );

  test('that is not delivered is a message, and the inbox is written', async () => {
    status = 500;
    const ended = await notified('slack', found(1));
    expect(ended).toMatchObject({ code: 3, stdout: expect.stringMatching(/^opened/) as string });
    expect(ended.stderr).toMatch(
      /^the message to slack was not delivered: 127\.0\.0\.1:\d+ answered 500; check SLACK_WEBHOOK_URL/,
    );
    expect(JSON.stringify(ended)).not.toContain(SECRET);
  });

  test.each([
    ['mail', {}, /--notify takes one of slack, teams, webhook/],
    ['slack', { SLACK_WEBHOOK_URL: '' }, /needs its address in SLACK_WEBHOOK_URL/],
    ['slack', { SLACK_WEBHOOK_URL: 'canary-webhook' }, /what is in SLACK_WEBHOOK_URL is no address/],
    ['slack', { SLACK_WEBHOOK_URL: 'http://hooks.acme.io/canary-webhook' }, /in SLACK_WEBHOOK_URL is not https/],
  ])('to %s with %j is refused before anything is written', async (receiver, environment, message) => {
    Object.assign(world.place.environment, environment);
    const ended = await notified(receiver, found(1));
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(message) as string });
    expect(ended.stderr).not.toContain(SECRET);
    expect(world.place.issues()).toEqual([]);
  });
});
