// The demo: runs examples/storefront from its first `up` to `destroy` on the real engine and the embedded service, each step with its command line.
// It uses commands and requests only, as a user would.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const WORK = mkdtempSync(join(tmpdir(), 'storefront-'));
const JOURNAL = join(WORK, 'requests.jsonl');
const colour = process.stdout.isTTY ? (code, text) => `\u001b[${code}m${text}\u001b[0m` : (_, text) => text;
const started = Date.now();
const table = [];
let service;
let base;

function say(text = '') {
  process.stdout.write(`${text}\n`);
}

function engineFolder() {
  const found = spawnSync(process.execPath, [join(ROOT, 'engine', 'provide.mjs'), '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (found.status !== 0) throw new Error('no Pulumi CLI: see "make engine"');
  return join(JSON.parse(found.stdout).root, 'bin');
}

const ENVIRONMENT = {
  ...process.env,
  PULUMI_BACKEND_URL: `file://${join(WORK, 'state')}`,
  PULUMI_HOME: join(WORK, 'home'),
  PULUMI_CONFIG_PASSPHRASE: '',
  PULUMI_SKIP_UPDATE_CHECK: 'true',
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
  ONEOPS_URL: '',
  ONEOPS_ORGANIZATION: '',
  ONEOPS_TOKEN: '',
};
for (const name of ['ONEOPS_URL', 'ONEOPS_ORGANIZATION', 'ONEOPS_TOKEN']) delete ENVIRONMENT[name];

/** Runs a command line, and shows it and its output. Throws unless it exits with `expected`. */
function run(line, { expected = 0, quiet = false } = {}) {
  say(colour('36', `$ ${line}`));
  const words = line.match(/'[^']*'|\S+/g).map((word) => word.replace(/^'|'$/g, ''));
  const ran = spawnSync(words[0], words.slice(1), {
    cwd: join(WORK, 'storefront'),
    env: ENVIRONMENT,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const printed = `${ran.stdout}${ran.stderr}`.trimEnd();
  if (!quiet || ran.status !== expected) say(printed.replace(/^/gm, '  '));
  if (expected !== 0 && ran.status === expected) say(colour('33', `  (exit code ${ran.status})`));
  if (ran.status !== expected) throw new Error(`"${line}" ended with ${ran.status}, expected ${expected}`);
  return printed;
}

function requests() {
  if (!existsSync(JOURNAL)) return [];
  return readFileSync(JOURNAL, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** One step of the story: title, what happens, and what it cost in time and requests. */
async function step(title, job) {
  say();
  say(colour('1', `── ${table.length + 1}. ${title}`));
  const before = requests().length;
  const start = Date.now();
  await job();
  const sent = requests().slice(before);
  const count = (method) => sent.filter((entry) => entry.method === method).length;
  table.push({
    title,
    seconds: (Date.now() - start) / 1000,
    GET: count('GET'),
    POST: count('POST'),
    PUT: count('PUT'),
    DELETE: count('DELETE'),
  });
}

/** Edits the stack file and shows the edit as a diff would. */
function edit(removed, added) {
  const file = join(WORK, 'storefront', 'oneops.yaml');
  const text = readFileSync(file, 'utf8');
  if (!text.includes(removed)) throw new Error(`oneops.yaml has no such lines:\n${removed}`);
  say('  oneops.yaml:');
  for (const line of removed.trimEnd().split('\n')) say(colour('31', `  - ${line}`));
  for (const line of added.trimEnd().split('\n').filter(Boolean)) say(colour('32', `  + ${line}`));
  writeFileSync(file, text.replace(removed, added));
}

/** Sends a request of another user, and shows it as a curl command. */
async function somebodyElse(method, path, body) {
  say(
    colour(
      '36',
      `$ curl -u maria-token: -X ${method} -H 'Content-Type: application/json' ${base}${path}${body ? ` -d '${JSON.stringify(body)}'` : ''}`,
    ),
  );
  return sendAs(path, method, body);
}

async function sendAs(path, method = 'GET', body = undefined) {
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from('maria-token:').toString('base64')}`,
      'content-type': 'application/json',
      accept: 'application/json',
      connection: 'close',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  const text = await answer.text();
  return text === '' ? undefined : JSON.parse(text);
}

async function look(path) {
  return somebodyElse('GET', path);
}

/** Repeats a request, without showing it, until the answer is as expected. */
async function until(path, settled) {
  for (let tries = 0; tries < 600; tries++) {
    if (settled(await sendAs(path))) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${path} did not settle`);
}

/** The value of the attribute on the running instance. */
async function threads() {
  const running = await sendAs(`${SHOP}/instances?instances_state=all`);
  return running.find(
    (instance) => instance.nsPath.startsWith('/acme/storefront/staging/') && instance.ciName.startsWith('tomcat-'),
  ).ciAttributes.max_threads;
}

/** How many machines of platform web run in production. */
async function machinesInProduction() {
  const running = await sendAs(`${SHOP}/instances?instances_state=all`);
  return running.filter(
    ({ nsPath, ciName }) => nsPath.startsWith('/acme/storefront/prod/bom/web/') && ciName.startsWith('compute-'),
  ).length;
}

/** Commits and deploys an environment as another user, and waits until it is done. */
async function somebodyElseDeploys(environment) {
  const at = `${SHOP}/transition/environments/${environment}`;
  await somebodyElse('POST', `${at}/commit`, {});
  await until(at, ({ ciState }) => ciState === 'default');
  const { releaseId } = await look(`${at}/releases/bom`);
  await somebodyElse('POST', `${at}/deployments/`, {
    cms_deployment: { releaseId, nsPath: `/acme/storefront/${environment}/bom` },
  });
  await until(`${at}/deployments/latest`, ({ deploymentState }) => deploymentState === 'complete');
}

function startService() {
  const words = [
    'serve',
    '--port',
    '0',
    '--db',
    join(WORK, 'oneops.db'),
    '--speed',
    '20',
    '--journal',
    JOURNAL,
    '--user',
    'admin:demo-token',
    '--user',
    'maria:maria-token',
  ];
  say(
    colour(
      '36',
      '$ pulumi-oneops serve --port 0 --db oneops.db --speed 20 --journal requests.jsonl --user admin:demo-token --user maria:maria-token &',
    ),
  );
  return new Promise((resolve, reject) => {
    service = spawn(process.execPath, [join(ROOT, 'bin', 'pulumi-oneops'), ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    service.stdout.on('data', (chunk) => {
      const found = /http:\/\/\S+/.exec(String(chunk));
      if (found) resolve(found[0]);
    });
  });
}

function expectNames(what, names, gone) {
  const there = gone.filter((name) => names.includes(name));
  if (there.length > 0) throw new Error(`${what} still holds ${there.join(', ')}`);
  say(`  ${what}: ${names.join(', ') || 'nothing'}`);
}

const project = join(WORK, 'storefront');
cpSync(join(ROOT, 'examples', 'storefront'), project, { recursive: true });
mkdirSync(join(project, 'node_modules'));
mkdirSync(join(WORK, 'state'));
symlinkSync(ROOT, join(project, 'node_modules', 'pulumi-oneops'), 'dir');
symlinkSync(join(ROOT, 'node_modules', '@pulumi'), join(project, 'node_modules', '@pulumi'), 'dir');
ENVIRONMENT.PATH = [engineFolder(), join(ROOT, 'bin'), process.env.PATH].join(delimiter);

const SHOP = '/acme/assemblies/storefront';
const STAGING = `${SHOP}/transition/environments/staging`;
const PRODUCTION = `${SHOP}/transition/environments/prod`;
try {
  say(
    'A web shop, declared in examples/storefront/oneops.yaml (both environments use one template), on the real Pulumi CLI and the embedded service.',
  );
  await step('Serve the API from a new database, and create a stack', async () => {
    base = await startService();
    run('pulumi-oneops setup', { quiet: true });
    run('pulumi stack init dev', { quiet: true });
    run(`pulumi config set oneops:url ${base}`);
    run('pulumi config set oneops:organization acme');
    run('pulumi config set --secret oneops:token demo-token');
    run('pulumi config set --secret downloadPassword s3cret');
  });
  await step('Up: from YAML to running instances', () => run('pulumi up --yes --skip-preview'));
  await step('Up again: nothing to do', () => run('pulumi up --yes --skip-preview --expect-no-changes'));
  await step('Another user changes an attribute and deploys it; a refresh finds it', async () => {
    const tomcat = await look(`${SHOP}/design/platforms/web/components/tomcat`);
    await somebodyElse('PUT', `${SHOP}/design/platforms/web/components`, {
      cms_dj_ci: { ciId: tomcat.ciId, ciName: 'tomcat', ciAttributes: { max_threads: '5' } },
    });
    await somebodyElse('POST', `${STAGING}/pull`, {});
    await until(STAGING, (environment) => environment.ciState === 'default');
    await somebodyElseDeploys('staging');
    say(`  max_threads on the machine: ${await threads()}`);
    run('pulumi refresh --preview-only --expect-no-changes --diff', { expected: 7 });
  });
  await step('Repair it, and deploy the repair', async () => {
    run('pulumi up --yes --skip-preview --refresh');
    const repaired = await threads();
    say(`  max_threads on the machine: ${repaired}`);
    if (repaired !== '100') throw new Error('the repair did not reach the machine');
  });
  await step('Another user changes and deletes records; a review finds it', async () => {
    const tomcat = await look(`${SHOP}/design/platforms/web/components/tomcat`);
    await somebodyElse('PUT', `${SHOP}/design/platforms/web/components`, {
      cms_dj_ci: { ciId: tomcat.ciId, ciName: 'tomcat', ciAttributes: { max_threads: '150' } },
    });
    const web = await look(`${SHOP}/design/platforms/web`);
    await somebodyElse('PUT', `${SHOP}/design/platforms/web`, {
      cms_dj_ci: { ciId: web.ciId, ciName: 'web', ciAttributes: { description: 'Shop front, see the wiki' } },
      links_to: ['db'],
    });
    await somebodyElse('DELETE', `${SHOP}/design/platforms/web/components/deployer/attachments/motd`);
    run('pulumi-oneops drift --report text --report json=review.json --report html=review.html', { expected: 2 });
  });
  await step('Accept one, revert one, ignore one with a reason; no drift is left', () => {
    const { findings } = JSON.parse(readFileSync(join(project, 'review.json'), 'utf8'));
    const idOf = (kind) => findings.find((finding) => finding.kind === kind).id;
    run(`pulumi-oneops drift accept ${idOf('Component')} --from review.json`);
    run(`pulumi-oneops drift revert ${idOf('Attachment')} --from review.json --yes`);
    run(
      `pulumi-oneops drift ignore ${idOf('Platform')} --from review.json --reason 'a note of the support team' --owner maria --until 2027-12-31`,
    );
    run('pulumi-oneops drift');
  });
  await step('Up: what was accepted and reverted is deployed', async () => {
    run('pulumi up --yes --skip-preview --refresh');
    const deployed = await threads();
    say(`  max_threads on the machine: ${deployed}`);
    if (deployed !== '150') throw new Error('what was accepted did not reach the machine');
  });
  await step('Another user takes production down; a review says who', async () => {
    say(`  machines of web in prod: ${await machinesInProduction()}`);
    const { ciId } = await look(`${PRODUCTION}/platforms/web`);
    await somebodyElse('PUT', `${PRODUCTION}/disable`, { platformCiIds: [ciId] });
    await somebodyElseDeploys('prod');
    say(`  machines of web in prod: ${await machinesInProduction()}`);
    run('pulumi-oneops drift', { expected: 2 });
  });
  await step('One command brings production back', async () => {
    run('pulumi up --yes --skip-preview --refresh');
    const machines = await machinesInProduction();
    say(`  machines of web in prod: ${machines}`);
    if (machines === 0) throw new Error('production is still down');
    run('pulumi-oneops drift');
  });
  await step('Edit the file; up deploys the edit', () => {
    edit(
      '                Welcome to the storefront.\n',
      '                Welcome to the storefront. Open till late.\n',
    );
    run('pulumi preview --diff');
    run('pulumi up --yes --skip-preview');
  });
  await step('Remove an attachment and a platform; one up removes them everywhere', async () => {
    edit(
      `            licences: # from a URL, behind a password
              path: /opt/licences.tgz
              source: https://files.acme.io/licences.tgz
              basic_auth_user: reader
              basic_auth_password: '\${config.downloadPassword}'
              runs_on: [after-add]
              priority: 2
`,
      '',
    );
    edit('  cache:\n    pack: oneops/redisio:1\n', '');
    run('pulumi up --yes --skip-preview');
    const names = async (path) => (await look(path)).map((record) => record.ciName);
    expectNames('the design', await names(`${SHOP}/design/platforms`), ['cache']);
    expectNames('its attachments', await names(`${SHOP}/design/platforms/web/components/deployer/attachments`), [
      'licences',
    ]);
    const running = (await look(`${SHOP}/instances?instances_state=all`)).map(
      (instance) => instance.nsPath.split('/')[5],
    );
    expectNames('what runs', [...new Set(running)], ['cache']);
    run('pulumi up --yes --skip-preview --expect-no-changes');
  });
  await step('Destroy: the service is empty', async () => {
    run('pulumi destroy --yes --skip-preview');
    expectNames(
      'the organization',
      (await look('/acme/assemblies')).map((record) => record.ciName),
      ['storefront'],
    );
  });
  say();
  say(`${'step'.padEnd(72)}${['seconds', 'GET', 'POST', 'PUT', 'DELETE'].map((name) => name.padStart(8)).join('')}`);
  for (const row of table) {
    say(
      `${row.title.padEnd(72)}${row.seconds.toFixed(1).padStart(8)}${['GET', 'POST', 'PUT', 'DELETE'].map((name) => String(row[name]).padStart(8)).join('')}`,
    );
  }
  say(`${'all of it'.padEnd(72)}${((Date.now() - started) / 1000).toFixed(1).padStart(8)}`);
} catch (error) {
  say();
  say(colour('31', `the demo stopped: ${error.message}`));
  process.exitCode = 1;
} finally {
  service?.removeAllListeners('exit');
  service?.kill('SIGTERM');
  rmSync(WORK, { recursive: true, force: true });
}
