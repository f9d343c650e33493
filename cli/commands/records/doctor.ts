// `pulumi-oneops doctor`: whether everything that a run needs exists.
import type { ClientEvent, Api } from '../../../api/client';
import { commandOf } from '../../command';
import { EXIT } from '../../exit';
import { isAtLeast, isHostFound, OLDEST_PULUMI, pulumiVersion } from '../../pulumi-cli';
import { needsInstalledHost } from '../../here/project';
import { apiOf, closing, commandSettings } from '../../here/settings';
import type { Settings } from '../../../provider/session/settings';
import { CLOCK_TOLERANCE } from '../../../drift';
import { DIALECT_HEADER, routes } from '../../../api/contract';
import { isApiError, messageOf, plural, ReadOnly, Unauthenticated } from '../../../api/errors';
import { defined } from '../../../provider/values';
import { flag, SETTINGS_OPTIONS } from '../../options';

/** Oldest version of Node, as the dynamic host needs it. */
const OLDEST_NODE = [22, 13] as const;

export const command = commandOf({
  usage: ['doctor [options]'],
  about: `Checks everything that a run needs, and says what is wrong and how to correct it. Writes
nothing: besides GETs it sends one create that the service always refuses, to find out whether creates
are allowed.`,
  options: { ...SETTINGS_OPTIONS, json: flag('findings as JSON') },
  exits: {
    done: 'nothing wrong',
    failed: 'something is wrong',
    wrong: 'the settings are wrong, or wrong use',
  },
  most: 0,
  async run({ values, print }) {
    const results = [...(await serviceResults(values)), await engineResult(), ...hostResult(), nodeResult()];
    print(results, (all) => all.map(lineOf).join(''));
    const faults = results.filter(({ verdict }) => verdict === 'wrong');
    if (faults.length === 0) return EXIT.done;
    if (faults.some(({ authentication }) => authentication)) return EXIT.notLetIn;
    return faults.some(({ subject }) => subject === 'settings') ? EXIT.wrong : EXIT.failed;
  },
});

const MARKS = { fine: '✓', unsure: '!', wrong: '✗' };

const lineOf = ({ subject, verdict, says, advice }: CheckResult): string =>
  `${MARKS[verdict]} ${subject.padEnd(13)} ${says}\n${advice === undefined ? '' : `${' '.repeat(16)}${advice}\n`}`;

const TOKEN = 'oneops:token';

const resultAs =
  (verdict: CheckResult['verdict']) =>
  (subject: string, says: string, advice?: string): CheckResult => ({ subject, verdict, says, ...defined({ advice }) });

const [fine, unsure, wrong] = [resultAs('fine'), resultAs('unsure'), resultAs('wrong')];

/** What is wrong, by a text of which the first line says so, and the others what to do. */
function wrongAs(subject: string, text: string, between: string): CheckResult {
  const [says = '', ...advice] = text.split('\n');
  return wrong(subject, says, advice.length > 0 ? advice.map((line) => line.trim()).join(between) : undefined);
}

const failed = (subject: string, error: unknown): CheckResult => ({
  ...wrongAs(subject, messageOf(error), '; '),
  ...(isApiError(error) && [401, 403].includes(error.status) ? { authentication: true } : {}),
});

/** The token is in clear, as after `pulumi new -c oneops:token=…`. */
const TOKEN_IN_CLEAR = unsure(
  'stack',
  `the configuration of the stack contains ${TOKEN} in clear`,
  `pulumi config set --secret ${TOKEN} encrypts it; make a new one if others saw the file`,
);

async function serviceResults(options: Parameters<typeof commandSettings>[0]): Promise<readonly CheckResult[]> {
  const found = await commandSettings(options).catch((error: unknown) => failed('settings', error));
  if ('verdict' in found) return [found];
  const { resolved, note, configuration, secrets } = found;
  const noted: readonly CheckResult[] = [
    ...(note === undefined ? [] : [unsure('stack', note)]),
    ...(configuration[TOKEN] === undefined || secrets.has(TOKEN) ? [] : [TOKEN_IN_CLEAR]),
  ];
  if ('problem' in resolved) {
    const result = wrongAs('settings', resolved.problem, `\n${' '.repeat(16)}`);
    return [...noted, { ...result, authentication: resolved.lacksToken }];
  }
  const { settings, warnings = [] } = resolved;
  const events: ClientEvent[] = [];
  // A dialect that is set would hide the one that the service speaks.
  const api = apiOf({ ...settings, dialect: 'auto' }, { observe: (event) => void events.push(event), attempts: 1 });
  return [
    ...noted,
    fine('settings', `${settings.url}, organization ${settings.organization}`),
    ...warnings.map((says) => unsure('settings', says)),
    ...(await closing(api, () => runChecks(api, settings.dialect, events))),
  ];
}

async function engineResult(): Promise<CheckResult> {
  const found = await pulumiVersion();
  if ('problem' in found) return wrong('engine', found.problem, 'install it as its pages say, and put it on PATH');
  const says = `Pulumi ${found.version}`;
  if (isAtLeast(found.version, OLDEST_PULUMI)) return fine('engine', says);
  return unsure('engine', says, `${OLDEST_PULUMI.join('.')} is the oldest that is tried; install a newer one`);
}

function hostResult(): readonly CheckResult[] {
  if (!needsInstalledHost()) return [];
  if (isHostFound()) return [fine('host', 'the language host of runtime oneops is installed')];
  return [wrong('host', 'Pulumi finds no language host for runtime oneops', 'npx pulumi-oneops setup installs it')];
}

function nodeResult(): CheckResult {
  const says = `Node ${process.versions.node}`;
  if (isAtLeast(process.versions.node, OLDEST_NODE)) return fine('node', says);
  return wrong('node', says, `install Node ${OLDEST_NODE.join('.')} or later`);
}

export interface CheckResult {
  /** `service`, `token`, … */
  readonly subject: string;
  /** `unsure`: not found out, or something to look at. It does not fail the command. */
  readonly verdict: 'fine' | 'unsure' | 'wrong';
  readonly says: string;
  readonly advice?: string;
  /** Whether the token is the reason: the command then has another exit code. */
  readonly authentication?: boolean;
}

/** Checks the service with GETs, and one create that cannot succeed. */
async function runChecks(
  api: Api,
  given: Settings['dialect'],
  events: readonly ClientEvent[],
): Promise<readonly CheckResult[]> {
  const reached = await reach(api);
  if (reached.some(({ verdict }) => verdict === 'wrong')) return reached;
  const dialect = orFailed('dialect', async () => {
    const says = `${await api.dialect()} (found by the header ${DIALECT_HEADER}, or by one GET)`;
    if (['auto', await api.dialect()].includes(given)) return fine('dialect', says);
    const advice = 'pulumi config rm oneops:dialect: without it, the client finds the dialect';
    return unsure('dialect', `${says}, and oneops:dialect is ${given}`, advice);
  });
  const organization = await orFailed('organization', () => organizationOf(api));
  // Who may not read the organization has no rights in it to look for.
  const rights = organization.verdict === 'wrong' ? [] : [await rightsOf(api)];
  return [...reached, await dialect, organization, ...rights, clockOf(events)];
}

const orFailed = (subject: string, check: () => Promise<CheckResult>): Promise<CheckResult> =>
  check().catch((error: unknown) => failed(subject, error));

async function reach(api: Api): Promise<readonly CheckResult[]> {
  const start = Date.now();
  try {
    const { username } = await api.call(routes.profile.read, {});
    const answers = fine('service', `answers at ${api.url} in ${Date.now() - start} ms`);
    return [answers, fine('token', `is that of user ${username}`)];
  } catch (error) {
    if (!(error instanceof Unauthenticated)) return [failed('service', error)];
    const advice = 'make a new one in the service and set it: ONEOPS_TOKEN, or pulumi config set --secret oneops:token';
    const token = wrong('token', 'the service does not know it', advice);
    return [fine('service', `answers at ${api.url}`), { ...token, authentication: true }];
  }
}

async function organizationOf(api: Api): Promise<CheckResult> {
  const [assemblies, clouds] = await Promise.all([
    api.call(routes.assemblies.list, {}),
    api.call(routes.clouds.list, {}),
  ]);
  const all = assemblies.length === 1 ? '1 assembly' : `${assemblies.length} assemblies`;
  const says = `${api.organization}: ${all}, ${plural(clouds.length, 'cloud')}`;
  if (clouds.length > 0) return fine('organization', says);
  return unsure('organization', says, 'an environment needs a cloud to deploy to');
}

/** Every service refuses an assembly without a name; its status shows the user's rights. */
async function rightsOf(api: Api): Promise<CheckResult> {
  try {
    await api.call(routes.assemblies.create, { body: { cms_ci: { ciName: '', ciAttributes: {} } } });
    return unsure('rights', 'the service took an assembly without a name');
  } catch (error) {
    if (error instanceof ReadOnly)
      return unsure('rights', 'not requested: settings are read-only, so that nothing is sent');
    if (!isApiError(error)) return failed('rights', error);
    if ([400, 422].includes(error.status)) return fine('rights', 'may create assemblies');
    if (![401, 403].includes(error.status)) return failed('rights', error);
    const advice = 'enough for previews, refreshes and drift reviews; pulumi up needs rights on design and transition';
    return unsure('rights', 'may not create assemblies', advice);
  }
}

function clockOf(events: readonly ClientEvent[]): CheckResult {
  const dated = events.findLast((event) => event.kind === 'response' && event.date !== undefined);
  if (dated?.kind !== 'response' || dated.date === undefined)
    return unsure('clock', 'the service does not report its time');
  const apart = Math.abs(Date.now() - dated.date);
  const says = `${Math.round(apart / 1000)} s from the service's`;
  return apart <= CLOCK_TOLERANCE ? fine('clock', says) : unsure('clock', says, 'set both clocks by NTP');
}
