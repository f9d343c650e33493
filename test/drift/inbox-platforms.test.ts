// The inbox on GitHub and on GitLab, over HTTP: requests that settle a finding, runs at the same time, what people do, limits, and every refusal.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { readIssueText } from '../../drift';
import { requestedIds } from '../../cli/inbox/tracker';
import { openInboxWorld, type InboxWorld } from './inbox-world';
import { githubPlace, gitlabPlace, PLATFORM_TOKEN, type PlatformPlace } from './platform-places';
import { CANARY, largeReview, SAMPLE_FINDINGS, sampleFinding, sampleReview, value } from './sample-review';

const of = { project: 'shop' };
const found = (...numbers: readonly number[]): ReturnType<typeof sampleReview> =>
  sampleReview({ ...of, findings: numbers.map((number) => sampleFinding(number)) });

/** A request that replaces a line of oneops.yaml. */
const replacing = (line: number): string => `@@ -${line - 1},3 +${line - 1},3 @@\n a\n-b\n+c\n d`;

const FILE = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/custom:1
    components:
      user:
        deployer:
          description: deploys # as agreed
          username: deployer
`;

const PLACES = [
  ['GitHub', githubPlace, '#12', /^PATCH /],
  ['GitLab', gitlabPlace, '!12', /^PUT /],
] as const;

describe.each(PLACES)('%s', (name, openPlace, reference, update) => {
  let world: InboxWorld;
  let place: PlatformPlace;
  beforeEach(async () => {
    place = await openPlace();
    world = await openInboxWorld(() => place);
  });
  afterEach(() => world.close());

  const openIssues = (): ReturnType<PlatformPlace['issues']> => place.issues().filter(({ state }) => state === 'open');
  const body = (): string => openIssues()[0]?.body ?? '';

  test('nothing is said of a line that a request changes, and what was listed waits for it', async () => {
    place.put({ path: 'oneops.yaml', patch: replacing(13) });
    expect((await world.run([found(1)])).stdout).toBe('nothing changed: nothing was written\n');
    expect(place.writes()).toBe(0);
    await world.run([found(1, 2)]);
    expect(readIssueText(body())?.listed.map(({ id }) => id)).toEqual([sampleFinding(2).id]);
    place.settleRequests();
    await world.run([found(1, 2)]);
    expect(readIssueText(body())?.listed).toHaveLength(2);
    place.put({ path: 'oneops.yaml', patch: replacing(14) });
    await world.run([found(1, 2)]);
    expect(body()).toContain(`  - waits for ${reference.replace('12', '13')} <!-- waits -->`);
    expect(readIssueText(body())?.listed).toHaveLength(2);
  });

  test.each([
    ['another line', { path: 'oneops.yaml', patch: replacing(40) }],
    ['another file', { path: 'other.yaml', patch: replacing(13) }],
    ['a fork, whose author may not write', { path: 'oneops.yaml', patch: replacing(13), isForeign: true }],
    ['a file without a difference', { path: 'oneops.yaml', patch: '' }],
  ])('a request for %s keeps nothing silent', async (_, request) => {
    place.put(request);
    expect((await world.run([found(1)])).stdout).toMatch(/^opened/);
  });

  test('two runs at the same time leave one issue: the older one', async () => {
    await world.run([found(1)]);
    const text = body();
    place.edit('1', () => ({ state: 'closed', body: 'not there yet' }));
    // The other run opens its issue between the first look of this one and its own issue.
    place.before(/^POST .*issues$/, () => place.edit('1', () => ({ state: 'open', body: `mine\n${text}` })));
    expect((await world.run([found(1)])).stdout).toMatch(/^opened[^]*closed as a duplicate/);
    expect(openIssues().map(({ id }) => id)).toEqual(['1']);
    expect(place.issues()[1]?.body).toMatch(/^Duplicate of http/);
    expect((await world.run([found(1)])).stdout).toMatch(/^nothing changed/);
  });

  test('two issues that are open at the same time become one, and what people wrote stays in both', async () => {
    await world.run([found(1)]);
    const text = body();
    place.edit('1', () => ({ state: 'closed', body: 'of a person' }));
    await world.run([found(1)]);
    place.edit('1', () => ({ state: 'open', body: text }));
    place.edit('2', (issue) => ({ body: `mine\n${issue.body}` }));
    expect((await world.run([found(1)])).stdout).toMatch(/^closed as a duplicate/);
    expect(openIssues().map(({ id }) => id)).toEqual(['1']);
    expect(place.issues()[1]?.body).toMatch(/^mine\nDuplicate of http/);
  });

  test('an issue that is closed as not planned is respected', async () => {
    await world.run([found(1)]);
    place.edit('1', () => ({ state: 'declined' }));
    expect((await world.run([found(1)])).stdout).toMatch(/^nothing changed/);
    expect((await world.run([found(1, 2)])).stdout).toMatch(/^reopened/);
    expect(openIssues()).toHaveLength(1);
    // That it was not planned once says nothing of what it is about now.
    place.edit('1', () => ({ state: 'closed' }));
    expect((await world.run([found(1, 2)])).stdout).toMatch(/^reopened/);
    expect(openIssues()).toHaveLength(1);
  });

  test('what somebody writes between the look and the write stays', async () => {
    await world.run([found(1)]);
    place.before(/^GET .*issues\/1$/, () => place.edit('1', (issue) => ({ body: `mine\n\n${issue.body}` })));
    await world.run([found(1, 2)]);
    expect(body()).toMatch(/^mine\n\n<!-- pulumi-oneops inbox/);
    expect(readIssueText(body())?.listed).toHaveLength(2);
  });

  test('a long list is cut to what the platform takes, and is the same on the next run', async () => {
    const review = { ...largeReview(4_000), ...of };
    expect(await world.run([review])).toExitWith(0);
    place.writes();
    expect((await world.run([review])).stdout).toMatch(/^nothing changed/);
    expect(place.writes()).toBe(0);
    expect(body()).not.toContain(CANARY);
    place.edit('1', (issue) => ({ body: `${'x'.repeat(30_000)}\n${issue.body.slice(0, 30_000)}` }));
    expect(await world.run([review])).toExitWith(0);
  });

  test('more issues than a page, of other stacks', async () => {
    for (const stack of ['a', 'b', 'c', 'd', 'e']) await world.run([{ ...found(1), stack }]);
    expect(openIssues()).toHaveLength(5);
    await world.run([{ ...found(), stack: 'e' }]);
    expect(openIssues()).toHaveLength(4);
  });

  test.each([
    [401, {}, 4, /refuses the token of \w+_TOKEN: no: it may have expired/],
    [403, {}, 3, /the token of \w+_TOKEN may not GET \S+issues: no; it has to be one that may write issues/],
    [404, {}, 3, /does not show acme\/shop to the token/],
    [301, {}, 3, /has moved acme\/shop/],
    [429, { 'retry-after': '3600' }, 3, /accepts no more requests \(rate limit\): run again then/],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800000000' }, 3, /until 2027-01-15 08:00 UTC/],
  ])('%i %j on reading', async (status, headers: { readonly [header: string]: string }, code, message) => {
    place.fail(status, headers);
    const ended = await world.run([found(1)]);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) as string });
    expect(ended.stderr).toContain(name);
    expect(place.writes()).toBe(0);
  });

  test('a platform that cannot be reached is one message with what was asked, and exit code 3', async () => {
    const ended = await world.run([found(1)], '--api', 'http://127.0.0.1:9');
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toMatch(
      new RegExp(
        `^pulumi-oneops: the request GET \\S+issues to ${name} failed: http://127\\.0\\.0\\.1:9 cannot be reached`,
      ),
    );
  });

  test('an answer that is too large is one message, which names no option that there is not', async () => {
    const packed = gzipSync(Buffer.alloc(65 * 2 ** 20, ' '));
    const server = createServer((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ended = await world.run([found(1)], '--api', api).finally(() => server.close());
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain('the answer has more than 67108864 bytes');
    expect(ended.stderr).toContain(`check that --api is the API of ${name}: no page of it is so large`);
    expect(ended.stderr).not.toContain('answerLimit');
  });

  test.each([
    ['<https://elsewhere.test/2>; rel="next"', /the next page is at https:\/\/elsewhere\.test, not at http:\/\/127/],
    ['<http://[>; rel="next"', /the link to the next page of \S+ is no URL/],
  ])('a list that continues at %s is not followed', async (link, message) => {
    place.fail(200, { link });
    const ended = await world.run([found(1)]);
    expect(ended).toMatchObject({ stdout: '', stderr: expect.stringMatching(message) as string });
    expect(place.writes()).toBe(0);
  });

  test('a limit that requests a short wait, and a failure, are met by sending a GET again', async () => {
    place.fail(429, { 'retry-after': '0' });
    place.fail(502, { 'retry-after': '0' });
    expect((await world.run([found(1)])).stdout).toMatch(/^opened/);
    for (const status of [502, 503, 502]) place.fail(status, { 'retry-after': '0' });
    expect((await world.run([found(1)])).stderr).toMatch(/failed at GET \S+ \(502\): no: run again/);
  });

  test('an issue that cannot be written fails alone: the others are written, and the next run continues', async () => {
    const both = [
      { ...found(1), stack: 'a' },
      { ...found(1), stack: 'b' },
    ];
    await world.run(both);
    const grown = [
      { ...found(1, 2), stack: 'a' },
      { ...found(1, 2), stack: 'b' },
    ];
    place.before(update, () => place.fail(403, {}, 'the issue is locked'));
    const ended = await world.run(grown);
    expect(ended).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^Drift in acme shop a: .*the issue is locked/),
    });
    expect(ended.stdout).toMatch(/^edited: Drift in acme shop b/);
    expect((await world.run(grown)).stdout).toMatch(/^edited: Drift in acme shop a/);
  });

  test('the token is nowhere, also when the platform repeats it', async () => {
    const variable = `${name.toUpperCase()}_TOKEN`;
    place.fail(401, {}, `bad token ${PLATFORM_TOKEN}`);
    const refused = await world.run([sampleReview({ ...of, findings: SAMPLE_FINDINGS })]);
    expect(refused.stderr).toContain(`${variable}: bad token ***`);
    const ended = await world.run([sampleReview({ ...of, findings: SAMPLE_FINDINGS })]);
    expect(JSON.stringify([refused, ended, place.issues()])).not.toContain(PLATFORM_TOKEN);
  });

  test('without a token, and at an address that would show it, nothing is sent', async () => {
    const far = await world.run([found(1)], '--api', 'http://platform.acme.io/api');
    expect(far).toMatchObject({ code: 1, stderr: expect.stringContaining('is not https') as string });
    Object.assign(place.environment, { [`${name.toUpperCase()}_TOKEN`]: '' });
    expect(await world.run([found(1)])).toMatchObject({ code: 4, stderr: expect.stringMatching(/^there is no token/) });
    expect(place.calls()).toEqual([]);
  });

  describe('a ticked box', () => {
    const description = sampleFinding(1, {
      address: 'acme/shop/web/deployer',
      logicalName: 'web/deployer',
      attribute: 'attributes.description',
      code: value('deploys'),
      applied: value('deploys'),
      live: value('somebody was here'),
      at: { file: 'oneops.yaml', line: 8, column: 11 },
    });
    const other = sampleFinding(2, { address: 'acme/shop/web/gone', logicalName: 'web/gone' });
    const both = sampleReview({ ...of, findings: [description, other] });
    const tick = (id: string, word: string): void =>
      place.edit('1', (issue) => ({
        body: issue.body.replace(new RegExp(`(<!-- finding ${id}[^]*?- \\[) (\\] ${word})`), '$1x$2'),
      }));
    beforeEach(async () => {
      world.write('oneops.yaml', FILE);
      world.write('Pulumi.yaml', 'name: shop\nruntime: nodejs\n');
      await world.run([both]);
    });

    test('accept and ignore become one request, once, and its findings wait for it', async () => {
      tick(description.id, 'accept');
      tick(other.id, 'ignore');
      expect((await world.run([both])).stdout).toMatch(/^edited/);
      const [request, second] = place.proposed();
      expect(second).toBeUndefined();
      expect(request?.files['oneops.yaml']).toBe(FILE.replace('deploys', 'somebody was here'));
      expect(request?.files['drift-rules.yaml']).toMatch(new RegExp(`id: '${other.id}'[^]*decided in http`));
      if (name === 'GitLab') expect(request?.files['drift-rules.yaml']).toContain('owner: "ann"');
      expect(body().match(/waits for/g)).toHaveLength(2);
      expect(body()).not.toContain('[x]');
      place.writes();
      expect((await world.run([both])).stdout).toMatch(/^nothing changed/);
      expect(place.writes()).toBe(0);
      // Closed without a merge: it is asked again.
      place.settleRequests();
      await world.run([both]);
      expect(body().match(/- \[ \] accept/g)).toHaveLength(2);
      expect(place.proposed()).toHaveLength(1);
    });

    test('of two runs on one commit at the same time, the second one finds what the first one made', async () => {
      tick(description.id, 'accept');
      place.race(/^POST .*(?:git\/refs|repository\/commits|pulls|merge_requests)$/);
      expect(await world.run([both])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^edited/) });
      expect(place.proposed()).toHaveLength(1);
      expect(body()).toContain(`waits for ${reference} `);
      expect((await world.run([both])).stdout).toMatch(/^nothing changed/);
    });

    test('of two runs on two commits, the older request stays; what it leaves out is still ticked', async () => {
      tick(description.id, 'accept');
      tick(other.id, 'ignore');
      const made = `<!-- pulumi-oneops inbox request ${description.id} -->\nTicked`;
      place.before(/^POST .*(?:pulls|merge_requests)$/, () =>
        place.put({ path: 'oneops.yaml', patch: '', body: made }),
      );
      await world.run([both]);
      expect(body().match(/waits for (\S+) /)?.[1]).toBe(reference);
      expect(body()).toMatch(/- \[x\] ignore until/);
      await world.run([both]);
      const [withdrawn, rest] = place.proposed();
      expect([withdrawn?.isOpen, rest?.isOpen]).toEqual([false, true]);
      expect(Object.keys(rest?.files ?? {})).toEqual(['drift-rules.yaml']);
      expect((await world.run([both])).stdout).toMatch(/^nothing changed/);
    });

    test.each([
      ['the older one cannot be closed', 'closing', update],
      ['the requests cannot be listed', 'listing', /^GET .*(?:pulls|merge_requests)$/],
    ])(
      'if after its own request %s, the findings wait for it, and the issue says what to look at',
      async (_, did, call) => {
        tick(description.id, 'accept');
        const made = `<!-- pulumi-oneops inbox request ${description.id} -->\nTicked`;
        place.before(/^POST .*(?:pulls|merge_requests)$/, () => {
          place.put({ path: 'other.yaml', patch: '', body: made });
          place.before(call, () => place.fail(403, {}, 'no more'));
        });
        await world.run([both]);
        const own = reference.replace('12', '13');
        const shown = (): string =>
          body().replace(/&#(\d+);/g, (_entity, code) => String.fromCodePoint(Number(code)).replace('\u200b', ''));
        expect(place.proposed().map(({ isOpen }) => isOpen)).toEqual([true]);
        expect(body()).toContain(`waits for ${own} `);
        expect(body()).not.toMatch(/tick again|\[x\] accept/);
        expect(shown()).toMatch(
          did === 'closing' ? `close ${own}: ${reference} is older` : /older than \S+ settles the same.*no more/,
        );
        // The next run sees the older one.
        await world.run([both]);
        expect((await world.run([both])).stdout).toMatch(/^nothing changed/);
        expect(shown()).toContain(own);
        place.settleRequests();
        await world.run([both]);
        expect(shown()).not.toMatch(own);
      },
    );

    test('two issues that come to the same file have a request each', async () => {
      const stacks = ['a', 'b'].map((stack, index) =>
        sampleReview({ ...of, stack, findings: [{ ...description, id: `${index}bcdef0123` }] }),
      );
      await world.run(stacks);
      for (const id of ['2', '3'])
        place.edit(id, (issue) => ({ body: issue.body.replace('[ ] accept', '[x] accept') }));
      await world.run(stacks);
      expect(place.proposed().map((each) => requestedIds(each.body))).toEqual([['0bcdef0123'], ['1bcdef0123']]);
      expect(place.issues().flatMap((each) => /waits for (\S+) /.exec(each.body)?.[1] ?? [])).toEqual([
        reference,
        reference.replace('12', '13'),
      ]);
      place.writes();
      expect((await world.run(stacks)).stdout).toMatch(/^nothing changed/);
      expect(place.writes()).toBe(0);
    });

    test('a run that was killed after the request continues with it', async () => {
      tick(description.id, 'accept');
      place.before(update, () => place.fail(403, {}, 'killed'));
      await world.run([both]);
      expect(place.proposed()).toHaveLength(1);
      await world.run([both]);
      expect(place.proposed()).toHaveLength(1);
      expect(body()).toContain(`waits for ${reference}`);
    });

    test('a run that was killed before the request makes it on the branch that exists', async () => {
      tick(description.id, 'accept');
      place.before(/^POST .*(?:pulls|merge_requests)$/, () => place.fail(403, {}, 'killed'));
      await world.run([both]);
      expect(body()).toContain('killed');
      tick(description.id, 'accept');
      await world.run([both]);
      expect(place.proposed()).toHaveLength(1);
      expect(place.calls().filter((call) => /^POST .*(?:git\/refs|repository\/commits)$/.test(call))).toHaveLength(1);
    });

    test('what cannot be carried out is answered once, in the issue', async () => {
      tick(other.id, 'accept');
      tick(description.id, 'revert');
      await world.run([both]);
      expect(body()).toContain('the file does not declare Component');
      expect(body()).toContain(`drift revert ${description.id} --deploy`);
      expect(body()).not.toContain('[x]');
      expect((await world.run([both])).stdout).toMatch(/^nothing changed/);
      tick(description.id, 'revert');
      tick(description.id, 'ignore');
      await world.run([both]);
      expect(body()).toContain('tick one box, not revert and ignore');
      expect(place.proposed()).toEqual([]);
    });

    test('a finding whose file does not exist', async () => {
      const gone = { ...both, findings: [{ ...description, at: { file: 'gone.yaml', line: 1, column: 1 } }] };
      await world.run([gone]);
      tick(description.id, 'accept');
      expect(await world.run([gone])).toExitWith(0);
      expect(body()).toContain('cannot read gone.yaml');
    });

    test('a file that is no stack, and a tick while another one is carried out', async () => {
      world.write('oneops.yaml', 'platforms: [');
      tick(description.id, 'accept');
      // Read once to be listed, once to be carried out, once to be written.
      place.before(/^GET .*issues\/1$/, () => place.before(/^GET .*issues\/1$/, () => tick(other.id, 'ignore')));
      await world.run([both]);
      expect(body()).toContain('the files of the stack are not valid');
      expect(body()).toContain('- [x] ignore until');
      await world.run([both]);
      expect(place.proposed()[0]?.files['drift-rules.yaml']).toContain(other.id);
    });
  });
});
