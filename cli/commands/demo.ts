// `pulumi-oneops demo`: a web shop on the embedded service, from `up` over another user's change to a review and the repair.
// It must not know how a stage is made, nor how a command runs.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '../../api/contract';
import { parseWords, UsageError, type Command } from '../command';
import { openStage, type DemoStage } from '../demo/stage';
import { run, say, Stopped, type Line } from '../demo/terminal';
import { usablePulumi } from '../pulumi-cli';
import { stopAsked } from '../stop-asked';

const OPTIONS = { 'no-open': { type: 'boolean', default: false } } as const;

const HELP = `usage: pulumi-oneops demo [--no-open]

Shows in less than a minute what this package does: serves the API from memory,
brings a web shop up from a YAML file, lets another user change it, reviews the
drift and repairs it. Needs Node and Pulumi's CLI; it downloads nothing, and
sends nothing to any other machine.

Everything happens in a temporary folder, which is removed at the end, as is
everything after Ctrl-C. Only the report of the review stays, as an HTML page.

  --no-open             print where the report is, and do not open it

exit codes: 0 shown, 1 Pulumi's CLI is missing or too old, or a step failed,
130 stopped by Ctrl-C`;

/** The demo command. */
export const demoCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 0) throw new UsageError('demo takes options only');
    await usablePulumi('demo');
    const stop = new AbortController();
    void stopAsked().then(() => stop.abort());
    // The terminal is closed, or nobody reads any more, as behind `| head`: what was made is removed all the same.
    process.once('SIGHUP', () => stop.abort());
    process.stdout.on('error', () => stop.abort());
    const stage = await openStage();
    try {
      await play(stage, stop.signal);
      const report = keptReport(stage);
      say(`The report of the review: ${report}`);
      if (!values['no-open']) open(report);
      return 0;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      say('\nstopped; nothing is left behind');
      return 130;
    } finally {
      await stage.close();
    }
  },
};

const REPORT = 'drift.html';

/** The story. */
async function play(stage: DemoStage, stop: AbortSignal): Promise<void> {
  const play = (words: string, more: Omit<Line, 'words'> = {}): Promise<void> =>
    run({ words: words.split(' '), ...more }, stage, stop);
  say('A web shop in oneops.yaml: 3 platforms, 2 environments, 2 clouds. The service');
  say('runs in this process, and simulates the machines twenty times faster.\n');
  await play('pulumi stack init dev', { quiet: true });
  await play(`pulumi config set oneops:url ${stage.url}`, { quiet: true });
  await play('pulumi config set oneops:organization acme', { quiet: true });
  await play('pulumi config set --secret oneops:token', { quiet: true, input: stage.token });
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
async function edits({ maria }: DemoStage): Promise<void> {
  const platform = { assembly: 'storefront', platform: 'web' };
  const tomcat = await maria.call(routes.components.read, { address: { ...platform, component: 'tomcat' } });
  await maria.call(routes.components.update, {
    address: { ...platform, component: 'tomcat' },
    body: { cms_dj_ci: { ciId: tomcat.ciId, ciName: 'tomcat', ciAttributes: { max_threads: '150' } } },
  });
  await maria.call(routes.attachments.delete, { address: { ...platform, component: 'deployer', attachment: 'motd' } });
}

/** Where the report stays: in a folder that only this user can read. */
function keptReport({ project }: DemoStage): string {
  const kept = join(mkdtempSync(join(tmpdir(), 'pulumi-oneops-report-')), REPORT);
  copyFileSync(join(project, REPORT), kept);
  return kept;
}

/** Opens a page in the browser of this machine. Without one, nothing happens: its place has been printed. */
function open(file: string): void {
  const [program, ...words] = {
    darwin: ['open', file],
    win32: ['cmd', '/c', 'start', '', file],
  }[process.platform as string] ?? ['xdg-open', file];
  const opener = spawn(program ?? '', words, { detached: true, stdio: 'ignore' });
  opener.once('error', () => say('There is no program here that opens it.'));
  opener.unref();
}
