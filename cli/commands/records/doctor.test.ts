// The doctor: each thing that can be wrong is named with its cure, the exit code says which kind it is, and no token is ever shown.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, listen, manualClock, type Listening, type Service } from '../../../service';
import { runToEnd, type Outcome } from '../../../test/run-command';
import { type CheckResult, doctorCommand } from './doctor';

let service: Service;
let listening: Listening;
beforeAll(async () => {
  service = createService({
    database: ':memory:',
    dialect: 'classic',
    clock: manualClock(Date.now()),
    users: [
      { name: 'ann', token: 'canary-full' },
      { name: 'eve', token: 'canary-read', rights: 'read' },
    ],
  });
  listening = await listen(service, { port: 0 });
});
afterAll(async () => {
  await listening.close();
  service.close();
});

const doctor = (environment: { readonly [name: string]: string }, ...words: readonly string[]): Promise<Outcome> =>
  runToEnd(doctorCommand, environment, ...words);

const settings = (token: string, url = listening.url) => ({
  ONEOPS_URL: url,
  ONEOPS_ORGANIZATION: 'acme',
  ONEOPS_TOKEN: token,
});

const bySubject = ({ stdout }: Outcome): { readonly [subject: string]: CheckResult } =>
  Object.fromEntries((JSON.parse(stdout) as readonly CheckResult[]).map((finding) => [finding.subject, finding]));

/** Whatever pulumi this machine has, or has not, is no concern of these tests. */
const withoutEngine = (findings: { readonly [subject: string]: CheckResult }): readonly string[] =>
  Object.values(findings)
    .filter(({ subject }) => subject !== 'engine')
    .filter(({ verdict }) => verdict !== 'fine')
    .map(({ subject, verdict }) => `${subject} ${verdict}`);

test('finds nothing wrong, and writes nothing', async () => {
  const before = service.journal().length;
  const found = bySubject(await doctor(settings('canary-full'), '--json'));
  expect(withoutEngine(found)).toEqual([]);
  expect(found).toMatchObject({
    token: { says: 'is that of user ann' },
    dialect: { says: expect.stringContaining('classic') as string },
    organization: { says: 'acme: 0 assemblies, 2 clouds' },
    rights: { says: 'may create assemblies' },
    clock: { verdict: 'fine' },
  });
  const sent = service.journal().slice(before);
  expect(sent.filter(({ method }) => method !== 'GET').map(({ route, status }) => `${route} ${status}`)).toEqual([
    'assemblies.create 422',
  ]);
});

test('says what a token may not do', async () => {
  const found = bySubject(await doctor(settings('canary-read'), '--json'));
  expect(withoutEngine(found)).toEqual(['rights unsure']);
  expect(found['rights']).toMatchObject({ says: 'may not create assemblies' });
});

test('a token the service does not know ends with 4, and is not shown', async () => {
  const done = await doctor(settings('canary-wrong'));
  expect(done.code).toBe(4);
  expect(done.stdout).toMatch(/✗ token {9}the service does not know it\n {16}make a new one/);
  expect(done.stdout).not.toContain('canary');
});

test('settings that are missing are all named, with the command that sets each', async () => {
  const done = await doctor({});
  expect(done.code).toBe(4);
  expect(done.stdout).toMatch(/oneops:url, oneops:organization, oneops:token are missing/);
  expect(done.stdout).toMatch(/pulumi config set --secret oneops:token/);
});

test('another organization than there is', async () => {
  const found = bySubject(await doctor({ ...settings('canary-full'), ONEOPS_ORGANIZATION: 'nowhere' }, '--json'));
  expect(found['organization']).toMatchObject({ verdict: 'wrong' });
});

/** Where `pulumi` is what a person has: nothing, or a script. */
async function withPulumi<T>(script: string | undefined, job: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'oneops-doctor-'));
  try {
    if (script !== undefined) {
      await writeFile(join(folder, 'pulumi'), `#!/bin/sh\n${script}\n`);
      await chmod(join(folder, 'pulumi'), 0o755);
    }
    return await job(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test.each([
  ['in clear', '{"oneops:token":{"value":"canary-full","secret":false}}', 'unsure'],
  ['encrypted', '{"oneops:token":{"value":"canary-full","secret":true}}', undefined],
])('a token that the stack contains %s', async (_, configuration, verdict) => {
  await withPulumi(`[ "$1" = version ] && echo v3.259.0 || echo '${configuration}'`, async (PATH) => {
    const before = process.cwd();
    await writeFile(join(PATH, 'Pulumi.yaml'), 'name: shop\n');
    process.chdir(PATH);
    try {
      const done = await doctor({ ONEOPS_URL: listening.url, ONEOPS_ORGANIZATION: 'acme', PATH }, '--json');
      expect(bySubject(done)['stack']?.verdict).toBe(verdict);
      expect(done.stdout).not.toContain('canary');
    } finally {
      process.chdir(before);
    }
  });
});

describe('the engine', () => {
  const OLD = '3.259 is the oldest that is tried; install a newer one';
  const MISSING = 'install it as its pages say, and put it on PATH';

  test.each<[string, string | undefined, number, Partial<CheckResult>]>([
    ['is missing', undefined, 1, { verdict: 'wrong', says: 'there is no pulumi on PATH', advice: MISSING }],
    ['is broken', 'exit 3', 1, { verdict: 'wrong', says: 'the pulumi on PATH does not print its version' }],
    ['is too old', 'echo v3.258.9', 0, { verdict: 'unsure', says: 'Pulumi v3.258.9', advice: OLD }],
    ['is of another age', 'echo v2.300.0', 0, { verdict: 'unsure', says: 'Pulumi v2.300.0', advice: OLD }],
    ['is the oldest that is tried', 'echo v3.259.0', 0, { verdict: 'fine', says: 'Pulumi v3.259.0' }],
    ['is of the next age', 'echo v4.0.1', 0, { verdict: 'fine', says: 'Pulumi v4.0.1' }],
  ])('%s', async (_, script, code, expected) => {
    await withPulumi(script, async (PATH) => {
      const done = await doctor({ ...settings('canary-full'), PATH }, '--json');
      expect([done.code, bySubject(done)['engine']]).toEqual([
        code,
        { subject: 'engine', ...expected, ...adviceOf(expected) },
      ]);
    });
  });

  const adviceOf = ({ verdict, advice = MISSING }: Partial<CheckResult>) => (verdict === 'fine' ? {} : { advice });
});

describe('a clock', () => {
  const at = async (apart: number): Promise<Outcome> => {
    const server = createServer((request, response) => {
      const { authorization = '', accept = '', 'content-type': type = '' } = request.headers;
      const headers = { authorization, accept, 'content-type': type };
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const asked = { method: request.method ?? '', path: request.url ?? '', headers };
        const body = Buffer.concat(chunks).toString('utf8');
        void service.handle(body === '' ? asked : { ...asked, body }).then((answer) => {
          const date = new Date(Date.now() + apart).toUTCString();
          response.writeHead(answer.status, { ...answer.headers, date }).end(answer.body);
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      return await doctor(
        settings('canary-full', `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
        '--json',
      );
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  };

  test.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('%s by an hour deserves a look, and fails nothing', async (_, apart) => {
    const { clock = { says: '' } } = bySubject(await at(apart)) as { readonly clock?: Partial<CheckResult> };
    expect(clock).toMatchObject({ verdict: 'unsure', advice: expect.stringContaining('NTP') as string });
    expect(Math.abs(Number(/^(\d+) s from/.exec(clock.says ?? '')?.[1]) - 3600)).toBeLessThanOrEqual(5);
  });

  test('a second apart is fine', async () => {
    expect(bySubject(await at(1000))['clock']).toMatchObject({ verdict: 'fine' });
  });
});

describe('an address', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test('where something else answers', async () => {
    const done = await doctor(settings('canary-full', url));
    expect(done).toMatchObject({ code: 1, stdout: expect.stringMatching(/✗ service/) as string });
    expect(done.stdout).not.toContain('canary');
  });

  test('where nothing answers', async () => {
    const done = await doctor(settings('canary-full', 'http://127.0.0.1:9'));
    expect(done).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ service {7}.*cannot be reached/) as string,
    });
  });

  test('to which the token would go in clear', async () => {
    const done = await doctor(settings('canary-full', 'http://oneops.example.com'));
    expect(done).toMatchObject({ code: 3, stdout: expect.stringMatching(/unencrypted/) as string });
  });
});
