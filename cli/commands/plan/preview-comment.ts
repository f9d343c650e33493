// `pulumi-oneops preview-comment`: a preview as a comment for a pull request.
import {
  isPreviewForPeople,
  type Plan,
  previewMarkdown,
  previewResources,
  readPreview,
  withLive,
} from '../../../preview';
import { violationLines, type UnjudgedPolicy } from '../../../policy';
import { commandOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { judgeRun, policiesHere } from '../../here/policies';
import { textFrom } from '../../here/project';
import { apiOf, closing, commandSettings, type SettingsOptions } from '../../here/settings';
import { flag, POLICIES_OPTION, SETTINGS_OPTIONS, text } from '../../options';

export const command = commandOf({
  usage: ['preview-comment [FILE] [options]'],
  about: `Turns the output of "pulumi preview --json" into Markdown for a pull request: risks first, then the environments that will deploy, then every changed attribute, in at most 60,000 characters. FILE, or the standard input, can also be the output of a failed preview: the comment then shows the errors. Its first line, <!-- pulumi-oneops preview STACK -->, is the same in every run, so that a pipeline can find its comment and edit it. Secrets stay hidden. Do not use --show-secrets for the preview: it removes the marks of values that only the program declares as secret. Use --show-sames, with which it lists unchanged records, too: policies judge all that are listed, and --live looks for what others took away of them.

Without --live, only --stack of the settings has an effect: it names the stack if the preview does not.`,
  options: {
    title: text('TEXT', 'headline; default "Preview of STACK"'),
    json: flag('the same as JSON, for programs'),
    digest: text('DIGEST', 'names the saved plan that does this (output of plan digest), for its approval'),
    ...POLICIES_OPTION,
    live: flag(
      `ask the service, with GETs only, which running instances are affected, and for the cost by its offerings`,
    ),
    ...SETTINGS_OPTIONS,
  },
  exits: {
    done: 'the comment is written',
    failed: 'the preview failed: the comment shows why',
    notLetIn: 'with --live: the token is missing, or the service refuses it',
    policy: 'a mandatory policy is broken, whatever could not be read',
    inPart: `with --live, something could not be read, or a mandatory policy could not be judged in full. The
      comment is written with each of these codes`,
  },
  after: `example
  pulumi preview --json --show-sames > preview.json || true
  pulumi-oneops preview-comment preview.json > comment.md`,
  most: 1,
  async run({ values, positionals: [name = '-'] }) {
    if (!values.live && (values.url !== undefined || values.organization !== undefined))
      throw new UsageError('--url and --organization choose the service: they need --live');
    const text = textFrom(name, name === '-' ? 0 : name);
    if (isPreviewForPeople(text))
      throw new UsageError('this is what pulumi preview prints for people: give the output of pulumi preview --json');
    const read = readPreview(text, {
      stack: values.stack,
      organization: values.organization ?? process.env['ONEOPS_ORGANIZATION'],
    });
    const digest = read.failed ? undefined : digestOption(values.digest);
    const bound = digest === undefined ? read : { ...read, service: (await commandSettings(values)).service };
    return writePlan(bound, { ...values, digest }, (plan) =>
      judgeRun(plan.failed ? [] : policiesHere(values.policies), plan, previewResources(text)),
    );
  },
});

/** The digest of an option. Throws UsageError for what is none. */
export function digestOption(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-f]{64}$/.test(text)) return text;
  throw new UsageError(`--digest takes the 64 digits that plan digest prints, not ${JSON.stringify(text)}`);
}

interface PlanOptions extends SettingsOptions {
  readonly title?: string | undefined;
  readonly json: boolean;
  readonly live: boolean;
  readonly digest?: string | undefined;
}

export async function writePlan(
  read: Plan,
  values: PlanOptions,
  judge?: (plan: Plan) => ReturnType<typeof judgeRun>,
): Promise<number> {
  const asked = values.live && !read.failed ? await lively(read, values) : read;
  const { digest } = values;
  const { records: _records, unlisted: _unlisted, ...published } = asked;
  const plan = digest === undefined ? published : { ...published, digest };
  const judged = judge?.(plan) ?? { violations: [], unjudged: [] };
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ ...plan, ...(judge ? { policies: judged } : {}) }, null, 2)}\n`
      : previewMarkdown(plan, { ...values, policies: violationLines(judged.violations, judged.unjudged) }),
  );
  const isRefused = judged.violations.some(({ level }) => level === 'mandatory');
  // Pipelines go on where something could not be read: a broken policy counts more.
  return isRefused ? EXIT.policy : exitCode(plan, judged.unjudged);
}

/** Read-only, so that nothing but GETs can be sent. */
async function lively(plan: Plan, options: SettingsOptions): Promise<Plan> {
  const { resolved, note } = await commandSettings(options);
  if ('problem' in resolved) {
    const said = `${note === undefined ? '' : `${note}; `}${resolved.problem}`.replace(/\s*\n\s*/g, '; ');
    const facts = { touched: [], waiting: [], costs: [], withoutOffering: 0, unpriced: [] };
    const live = { ...facts, unread: [said], authentication: resolved.lacksToken };
    return { ...plan, live };
  }
  return closing(apiOf(resolved.settings, { readOnly: true }), (api) => withLive(plan, api));
}

function exitCode({ failed, live }: Plan, unjudged: readonly UnjudgedPolicy[]): number {
  if (failed) return EXIT.failed;
  if (live?.authentication) return EXIT.notLetIn;
  const isUnknown = unjudged.some(({ level }) => level === 'mandatory') || (live?.unread ?? []).length > 0;
  return isUnknown ? EXIT.inPart : EXIT.done;
}
