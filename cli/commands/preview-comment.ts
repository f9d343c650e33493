// `pulumi-oneops preview-comment`: what `pulumi preview --json` printed, as a comment for a pull request.
// It must not know how a preview is read, nor how a comment looks.
import { previewMarkdown, readPreview, withLive, type Plan } from '../../drift';
import { parseWords, UsageError, type Command } from '../command';
import { textFrom } from '../project';
import { apiOf, problemOf, SETTINGS_HELP, SETTINGS_OPTIONS, commandSettings } from '../settings';

const HELP = `usage: pulumi-oneops preview-comment [FILE] [options]

Turns the output of "pulumi preview --json" into Markdown for a pull request: risks first, then the environments that will deploy, then
every changed attribute, in at most 60,000 characters. FILE, or the standard input, can also hold the output of a failed preview: the
comment then shows the errors. Its first line, <!-- pulumi-oneops preview STACK -->, is the same in every run, so that a pipeline can
find its comment and edit it. Secrets stay hidden. Do not use --show-secrets for the preview: it removes the marks of values that
only the program declares as secret.

  --title TEXT          headline; default "Preview of STACK"
  --json                the same as JSON, for programs
  --live                ask the service, with GETs only, which running instances are affected, and for the cost by its offerings

${SETTINGS_HELP}
                        Without --live, only --stack has an effect: it names the stack if the preview does not

exit codes: 0 the comment is written; 1 wrong use, FILE cannot be read; 2 the preview failed: the comment shows why; 3 with --live:
something could not be read; 4 with --live: the service refused the token. The comment is written with 2, 3 and 4 as well

example
  pulumi preview --json > preview.json || true
  pulumi-oneops preview-comment preview.json > comment.md`;

const OPTIONS = {
  ...SETTINGS_OPTIONS,
  title: { type: 'string' },
  json: { type: 'boolean', default: false },
  live: { type: 'boolean', default: false },
} as const;

/** The preview-comment command. */
export const previewCommentCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 1) throw new UsageError('preview-comment takes one file');
    if (!values.live && (values.url !== undefined || values.organization !== undefined))
      throw new UsageError('--url and --organization say whom to ask: they need --live');
    const [name = '-'] = positionals;
    const text = textFrom(name, name === '-' ? 0 : name);
    const read = readPreview(text, {
      stack: values.stack,
      organization: values.organization ?? process.env['ONEOPS_ORGANIZATION'],
    });
    const plan = values.live && !read.failed ? await lively(read, values) : read;
    process.stdout.write(values.json ? `${JSON.stringify(plan, null, 2)}\n` : previewMarkdown(plan, values));
    return exitCode(plan);
  },
};

/** Read-only, so that nothing but GETs can be sent. */
async function lively(plan: Plan, options: Parameters<typeof commandSettings>[0]): Promise<Plan> {
  const { resolved, note } = await commandSettings(options);
  if ('problem' in resolved) {
    const said = problemOf(resolved, note).replace(/\s*\n\s*/g, '; ');
    const live = { touched: [], costs: [], withoutOffering: 0, unread: [said], authentication: resolved.lacksToken };
    return { ...plan, live };
  }
  const api = apiOf(resolved.settings, { readOnly: true });
  try {
    return await withLive(plan, api);
  } finally {
    api.close();
  }
}

function exitCode({ failed, live }: Plan): number {
  if (failed) return 2;
  if (live === undefined || live.unread.length === 0) return 0;
  return live.authentication ? 4 : 3;
}
