// `pulumi-oneops demo`: a web shop on the embedded service, from `up` to a review and the repair.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi } from '../../../api/client';
import { routes } from '../../../api/contract';
import { commandOf } from '../../command';
import { EXIT } from '../../exit';
import { closing } from '../../here/settings';
import { flag } from '../../options';
import { PACKAGE, usablePulumi } from '../../pulumi-cli';
import { openStage, runOn, untilStopped, type Stage } from '../../stage/stage';

export const command = commandOf({
  usage: ['demo [--no-open]'],
  about: `Shows in less than a minute what this package does: serves the API from memory, brings a web shop up from a YAML file, lets another user change it, reviews the drift and repairs it. Needs Node and Pulumi's CLI; it downloads nothing, and sends nothing to any other machine.

Everything happens in a temporary folder, which is removed at the end, as is everything after Ctrl-C. Only the report of the review stays, as an HTML page. Ctrl-C ends it with 130.`,
  options: {
    'no-open': flag('print where the report is, and do not open it'),
  },
  exits: { done: 'shown', failed: `Pulumi's CLI is missing or too old, or a step failed` },
  most: 0,
  async run({ values }) {
    await usablePulumi('demo');
    const project = join(PACKAGE, 'examples', 'storefront');
    return untilStopped(async (stop) => {
      const opened = await openStage({ project, users: ['admin', 'maria'], speed: SPEED });
      return closing(opened, async (stage) => {
        await play(stage, stop);
        const report = keptReport(stage);
        say(`The report of the review: ${report}`);
        if (!values['no-open']) open(report);
        return EXIT.done;
      });
    });
  },
});

const REPORT = 'drift.html';

async function play(stage: Stage, stop: AbortSignal): Promise<void> {
  const play = (words: string, more: Omit<Line, 'words'> = {}): Promise<void> => run({ words, ...more }, stage, stop);
  say('A web shop in oneops.yaml: 3 platforms, 2 environments, 2 clouds. The service');
  say('runs in this process, and simulates the machines twenty times faster.\n');
  await play('pulumi stack init dev', { quiet: true });
  await play(`pulumi config set oneops:url ${stage.url}`, { quiet: true });
  await play('pulumi config set oneops:organization acme', { quiet: true });
  await play('pulumi config set --secret oneops:token', { quiet: true, input: stage.tokens['admin'] ?? '' });
  await play('pulumi config set --secret downloadPassword', { quiet: true, input: 's3cret' });
  await play('pulumi up --yes --skip-preview');
  say('Meanwhile, maria raises max_threads of web/tomcat, and deletes an attachment.\n');
  await edits(stage);
  await play(`pulumi-oneops drift --report text --report html=${REPORT}`, { expected: 2 });
  say('The file is right: the next run repairs the service before this is deployed.\n');
  await play('pulumi up --yes --skip-preview --refresh');
  await play('pulumi-oneops drift');
}

/** What another user does in the service. */
async function edits({ url, tokens }: Stage): Promise<void> {
  const api = createApi({ url, organization: 'acme', token: tokens['maria'] ?? '', dialect: 'documented' });
  const platform = { assembly: 'storefront', platform: 'web' };
  await closing(api, async (maria) => {
    const tomcat = await maria.call(routes.components.read, { address: { ...platform, component: 'tomcat' } });
    await maria.call(routes.components.update, {
      address: { ...platform, component: 'tomcat' },
      body: { cms_dj_ci: { ciId: tomcat.ciId, ciName: 'tomcat', ciAttributes: { max_threads: '150' } } },
    });
    await maria.call(routes.attachments.delete, {
      address: { ...platform, component: 'deployer', attachment: 'motd' },
    });
  });
}

/** Where the report stays: in a folder that only this user can read. */
function keptReport({ project }: Stage): string {
  const kept = join(mkdtempSync(join(tmpdir(), 'pulumi-oneops-report-')), REPORT);
  copyFileSync(join(project, REPORT), kept);
  return kept;
}

/** Opens a page in the browser, if there is one. Its place has been printed. */
function open(file: string): void {
  const [program, ...words] = {
    darwin: ['open', file],
    win32: ['cmd', '/c', 'start', '', file],
  }[process.platform as string] ?? ['xdg-open', file];
  const opener = spawn(program ?? '', words, { detached: true, stdio: 'ignore' });
  opener.once('error', () => say('There is no program here that opens it.'));
  opener.unref();
}

/** How much faster than real the service's own work goes. */
const SPEED = 20;

interface Line {
  /** `pulumi` or `pulumi-oneops`, and its words. */
  readonly words: string;
  /** Exit code of a success; default: 0. */
  readonly expected?: number;
  /** Not shown unless it fails. */
  readonly quiet?: boolean;
  /** Text for its standard input. */
  readonly input?: string;
}

const say = (text = ''): void => void process.stdout.write(`${text}\n`);

/** Lines of Pulumi with progress, an unchanged resource, or the whole stack. */
const PROGRESS =
  /^\s*$|^@ |^(Updating|Duration)|pulumi:pulumi:Stack|oneops:index:(?!.* (created|updated|deleted|replaced) \()/;

/** What Pulumi printed, as far as it says what was done. */
const resultsIn = (printed: string): readonly string[] =>
  printed
    .split('\n')
    .filter((line) => !PROGRESS.test(line))
    .map((line) => line.replace(/ \[diff: .*/, ''));

/** Runs a line on the stage. Throws with its output for another end, or Stopped. */
async function run(line: Line, stage: Stage, stop: AbortSignal): Promise<void> {
  const { words, expected = 0, quiet = false, input } = line;
  if (!quiet) say(process.stdout.isTTY ? `\u001b[1m$ ${words}\u001b[0m` : `$ ${words}`);
  const { code, printed } = await runOn(stage, words, stop, input === undefined ? {} : { input });
  if (code !== expected) throw new Error(`"${words}" ended with ${code}:\n${printed.trimEnd()}`);
  if (quiet) return;
  const lines = words.startsWith('pulumi ') ? resultsIn(printed) : printed.trimEnd().split('\n');
  say(`${lines.join('\n').replace(/^(?=.)/gm, '  ')}\n`);
}
