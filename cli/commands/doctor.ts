// `pulumi-oneops doctor`: whether everything a run needs is there: settings, service, token, rights, dialect, clock, engine, Node.
// It must not know how a single check is made.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ClientEvent } from '../../api/client';
import { parseWords, UsageError, type Command } from '../command';
import { runChecks, type CheckResult } from '../doctor/checks';
import { apiOf, SETTINGS_HELP, SETTINGS_OPTIONS, commandSettings } from '../settings';

const HELP = `usage: pulumi-oneops doctor [options]

Checks everything that a run needs, and says what is wrong and how to correct it. Writes nothing: besides GETs it sends one create
that the service always refuses, to find out whether creates are allowed.

${SETTINGS_HELP}
  --json                findings as JSON

exit codes: 0 nothing wrong, 1 wrong use, 2 something is wrong, 4 the token is missing, unknown or refused`;

/** Oldest versions that are tried; Pulumi's as package.json says, Node's as the dynamic host needs it. */
const OLDEST = { node: [20, 19], pulumi: [3, 248] } as const;

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

async function serviceResults(options: Parameters<typeof commandSettings>[0]): Promise<readonly CheckResult[]> {
  const { resolved, note } = await commandSettings(options);
  const noted: readonly CheckResult[] = note === undefined ? [] : [{ subject: 'stack', verdict: 'unsure', says: note }];
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
  const { settings } = resolved;
  const events: ClientEvent[] = [];
  const api = apiOf(settings, { observe: (event) => void events.push(event), attempts: 1 });
  try {
    const said = `${settings.url}, organization ${settings.organization}`;
    return [...noted, { subject: 'settings', verdict: 'fine', says: said }, ...(await runChecks({ api, events }))];
  } finally {
    api.close();
  }
}

async function engineResult(): Promise<CheckResult> {
  try {
    const { stdout } = await promisify(execFile)('pulumi', ['version'], { encoding: 'utf8', env: process.env });
    const version = stdout.trim();
    if (isAtLeast(version, OLDEST.pulumi)) return { subject: 'engine', verdict: 'fine', says: `Pulumi ${version}` };
    const advice = `${OLDEST.pulumi.join('.')} is the oldest that is tried; install a newer one`;
    return { subject: 'engine', verdict: 'unsure', says: `Pulumi ${version}`, advice };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const says = isMissing ? 'there is no pulumi on PATH' : 'the pulumi on PATH does not tell its version';
    return { subject: 'engine', verdict: 'wrong', says, advice: 'install it as its pages say, and put it on PATH' };
  }
}

function nodeResult(): CheckResult {
  const says = `Node ${process.versions.node}`;
  if (isAtLeast(process.versions.node, OLDEST.node)) return { subject: 'node', verdict: 'fine', says };
  return { subject: 'node', verdict: 'wrong', says, advice: `install Node ${OLDEST.node.join('.')} or later` };
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, ours = '0', its = '0'] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(ours) > major || (Number(ours) === major && Number(its) >= minor);
}
