// `pulumi-oneops doctor`: whether everything a run needs exists: settings, service, token, rights,
// dialect, clock, engine, Node.
import type { ClientEvent, Api } from '../../../api/client';
import { parseWords, type Command } from '../../command';
import { EXIT } from '../../exit';
import { isAtLeast, OLDEST_PULUMI, pulumiVersion } from '../../pulumi-cli';
import { apiOf, commandSettings } from '../../here/settings';
import { CLOCK_TOLERANCE } from '../../../drift';
import { DIALECT_HEADER, routes } from '../../../api/contract';
import { isApiError, messageOf, ReadOnly, Unauthenticated } from '../../../api/errors';
import { flag, SETTINGS_OPTIONS } from '../../options';

/** Oldest version of Node, as the dynamic host needs it. */
const OLDEST_NODE = [22, 13] as const;

const OPTIONS = { ...SETTINGS_OPTIONS, json: flag('findings as JSON') } as const;

export const doctorCommand: Command = {
  usage: ['doctor [options]'],
  about: `Checks everything that a run needs, and says what is wrong and how to correct it. Writes
nothing: besides GETs it sends one create that the service always refuses, to find out whether creates
are allowed.`,
  options: OPTIONS,
  exits: {
    done: 'nothing wrong',
    failed: 'something is wrong',
    wrong: 'the settings are wrong, or wrong use',
  },
  async run(words) {
    const { values } = parseWords(words, OPTIONS, 0);
    const results = [...(await serviceResults(values)), await engineResult(), nodeResult()];
    if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
    else for (const result of results) process.stdout.write(lineOf(result));
    const wrong = results.filter(({ verdict }) => verdict === 'wrong');
    if (wrong.length === 0) return EXIT.done;
    if (wrong.some(({ authentication }) => authentication)) return EXIT.notLetIn;
    return wrong.some(({ subject }) => subject === 'settings') ? EXIT.wrong : EXIT.failed;
  },
};

const MARKS = { fine: '✓', unsure: '!', wrong: '✗' };

const lineOf = ({ subject, verdict, says, advice }: CheckResult): string =>
  `${MARKS[verdict]} ${subject.padEnd(13)} ${says}\n${advice === undefined ? '' : `${' '.repeat(16)}${advice}\n`}`;

const TOKEN = 'oneops:token';

/** The token is in clear, as after `pulumi new -c oneops:token=…`. */
const TOKEN_IN_CLEAR: CheckResult = {
  subject: 'stack',
  verdict: 'unsure',
  says: `the configuration of the stack contains ${TOKEN} in clear`,
  advice: `pulumi config set --secret ${TOKEN} encrypts it; make a new one if others saw the file`,
};

async function serviceResults(options: Parameters<typeof commandSettings>[0]): Promise<readonly CheckResult[]> {
  const { resolved, note, configuration, secrets } = await commandSettings(options);
  const noted: readonly CheckResult[] = [
    ...(note === undefined ? [] : [{ subject: 'stack', verdict: 'unsure', says: note } as const]),
    ...(configuration[TOKEN] === undefined || secrets.has(TOKEN) ? [] : [TOKEN_IN_CLEAR]),
  ];
  if ('problem' in resolved) {
    const [says = '', ...advice] = resolved.problem.split('\n');
    const result: CheckResult = {
      subject: 'settings',
      verdict: 'wrong',
      says,
      ...(advice.length > 0 ? { advice: advice.map((line) => line.trim()).join(`\n${' '.repeat(16)}`) } : {}),
      authentication: resolved.lacksToken,
    };
    return [...noted, result];
  }
  const { settings, warnings = [] } = resolved;
  const events: ClientEvent[] = [];
  const api = apiOf(settings, { observe: (event) => void events.push(event), attempts: 1 });
  try {
    const said = `${settings.url}, organization ${settings.organization}`;
    return [
      ...noted,
      { subject: 'settings', verdict: 'fine', says: said },
      ...warnings.map((says) => ({ subject: 'settings', verdict: 'unsure', says }) as const),
      ...(await runChecks({ api, events })),
    ];
  } finally {
    api.close();
  }
}

async function engineResult(): Promise<CheckResult> {
  const found = await pulumiVersion();
  if ('problem' in found) {
    const advice = 'install it as its pages say, and put it on PATH';
    return { subject: 'engine', verdict: 'wrong', says: found.problem, advice };
  }
  const says = `Pulumi ${found.version}`;
  if (isAtLeast(found.version, OLDEST_PULUMI)) return { subject: 'engine', verdict: 'fine', says };
  const advice = `${OLDEST_PULUMI.join('.')} is the oldest that is tried; install a newer one`;
  return { subject: 'engine', verdict: 'unsure', says, advice };
}

function nodeResult(): CheckResult {
  const says = `Node ${process.versions.node}`;
  if (isAtLeast(process.versions.node, OLDEST_NODE)) return { subject: 'node', verdict: 'fine', says };
  return { subject: 'node', verdict: 'wrong', says, advice: `install Node ${OLDEST_NODE.join('.')} or later` };
}

export interface CheckResult {
  /** `service`, `token`, … */
  readonly subject: string;
  /**
   * `unsure`: the check did not find out, or found something to look at. It does not fail the
   * command.
   */
  readonly verdict: 'fine' | 'unsure' | 'wrong';
  readonly says: string;
  readonly advice?: string;
  /** Whether the token is the reason: the command then has another exit code. */
  readonly authentication?: boolean;
}

/** A client and the events it has reported so far. */
interface DoctorInput {
  readonly api: Api;
  readonly events: readonly ClientEvent[];
}

const fine = (subject: string, says: string): CheckResult => ({ subject, verdict: 'fine', says });

/** Checks the service with GETs, and one create that cannot succeed. */
async function runChecks({ api, events }: DoctorInput): Promise<readonly CheckResult[]> {
  const reached = await reach(api);
  if (reached.some(({ verdict }) => verdict === 'wrong')) return reached;
  return [...reached, await dialectOf(api), await organizationOf(api), await rightsOf(api), clockOf(events)];
}

async function reach(api: Api): Promise<readonly CheckResult[]> {
  const start = Date.now();
  try {
    const profile = await api.call(routes.profile.read, {});
    const name = (profile as { readonly username?: unknown }).username;
    return [
      fine('service', `answers at ${api.url} in ${Date.now() - start} ms`),
      fine('token', typeof name === 'string' ? `is that of user ${name}` : 'is known to the service'),
    ];
  } catch (error) {
    if (error instanceof Unauthenticated) {
      return [
        fine('service', `answers at ${api.url}`),
        {
          subject: 'token',
          verdict: 'wrong',
          says: 'the service does not know it',
          advice: 'make a new one in the service and set it: ONEOPS_TOKEN, or pulumi config set --secret oneops:token',
          authentication: true,
        },
      ];
    }
    return [wrong('service', error)];
  }
}

async function dialectOf(api: Api): Promise<CheckResult> {
  try {
    return fine('dialect', `${await api.dialect()} (found by the header ${DIALECT_HEADER}, or by one GET)`);
  } catch (error) {
    return wrong('dialect', error);
  }
}

async function organizationOf(api: Api): Promise<CheckResult> {
  try {
    const [assemblies, clouds] = await Promise.all([
      api.call(routes.assemblies.list, {}),
      api.call(routes.clouds.list, {}),
    ]);
    const says = `${api.organization}: ${counted(assemblies.length, 'assembly', 'assemblies')}, ${counted(clouds.length, 'cloud', 'clouds')}`;
    if (clouds.length > 0) return fine('organization', says);
    return { subject: 'organization', verdict: 'unsure', says, advice: 'an environment needs a cloud to deploy to' };
  } catch (error) {
    return wrong('organization', error);
  }
}

/** Every service refuses an assembly without a name; its status shows the user's rights. */
async function rightsOf(api: Api): Promise<CheckResult> {
  try {
    await api.call(routes.assemblies.create, { body: { cms_ci: { ciName: '', ciAttributes: {} } } });
    return { subject: 'rights', verdict: 'unsure', says: 'the service took an assembly without a name' };
  } catch (error) {
    if (error instanceof ReadOnly)
      return {
        subject: 'rights',
        verdict: 'unsure',
        says: 'not requested: settings are read-only, so that nothing is sent',
      };
    if (!isApiError(error)) return wrong('rights', error);
    if ([400, 422].includes(error.status)) return fine('rights', 'may create assemblies');
    if ([401, 403].includes(error.status))
      return {
        subject: 'rights',
        verdict: 'unsure',
        says: 'may not create assemblies',
        advice: 'enough for previews, refreshes and drift reviews; pulumi up needs rights on design and transition',
      };
    return wrong('rights', error);
  }
}

function clockOf(events: readonly ClientEvent[]): CheckResult {
  const dated = events.findLast((event) => event.kind === 'response' && event.date !== undefined);
  if (dated?.kind !== 'response' || dated.date === undefined)
    return { subject: 'clock', verdict: 'unsure', says: 'the service does not report its time' };
  const apart = Math.abs(Date.now() - dated.date);
  const says = `${Math.round(apart / 1000)} s from the service's`;
  if (apart <= CLOCK_TOLERANCE) return fine('clock', says);
  return {
    subject: 'clock',
    verdict: 'unsure',
    says,
    advice: 'set both clocks by NTP',
  };
}

const wrong = (subject: string, error: unknown): CheckResult => {
  const [says = '', ...advice] = messageOf(error).split('\n');
  return {
    subject,
    verdict: 'wrong',
    says,
    ...(advice.length > 0 ? { advice: advice.map((line) => line.trim()).join('; ') } : {}),
    ...(isApiError(error) && [401, 403].includes(error.status) ? { authentication: true } : {}),
  };
};

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
