// `pulumi-oneops doctor`: whether everything a run needs exists: settings, service, token, rights, dialect, clock, engine, Node.
// It must not know how a single check is made.
import type { ClientEvent } from '../../api/client';
import { parseWords, UsageError, type Command } from '../command';
import { runChecks, type CheckResult } from '../doctor/checks';
import { isAtLeast, OLDEST_PULUMI, pulumiVersion } from '../pulumi-cli';
import { apiOf, SETTINGS_HELP, SETTINGS_OPTIONS, commandSettings } from '../settings';

const HELP = `usage: pulumi-oneops doctor [options]

Checks everything that a run needs, and says what is wrong and how to correct it. Writes nothing: besides GETs it sends one create
that the service always refuses, to find out whether creates are allowed.

${SETTINGS_HELP}
  --json                findings as JSON

exit codes: 0 nothing wrong, 1 wrong use, 2 something is wrong, 4 the token is missing, unknown or refused`;

/** Oldest version of Node, as the dynamic host needs it. */
const OLDEST_NODE = [22, 13] as const;

const OPTIONS = {
  ...SETTINGS_OPTIONS,
  json: { type: 'boolean', default: false },
} as const;

/** The doctor command. */
export const doctorCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 0) throw new UsageError('doctor takes options only');
    const results = [...(await serviceResults(values)), await engineResult(), nodeResult()];
    if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
    else for (const result of results) process.stdout.write(lineOf(result));
    const wrong = results.filter(({ verdict }) => verdict === 'wrong');
    if (wrong.length === 0) return 0;
    return wrong.some(({ authentication }) => authentication) ? 4 : 2;
  },
};

const MARKS = { fine: '✓', unsure: '!', wrong: '✗' };

const lineOf = ({ subject, verdict, says, advice }: CheckResult): string =>
  `${MARKS[verdict]} ${subject.padEnd(13)} ${says}\n${advice === undefined ? '' : `${' '.repeat(16)}${advice}\n`}`;

const TOKEN = 'oneops:token';

/** As after `pulumi new -c oneops:token=…`: the engine encrypts no value that is given so, whatever the template says. */
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
