// `pulumi-oneops drift inbox`: keeps an issue for each stack with what differs in it, until it is settled.
import { filePath, isCauseKey, stackKey, threadsByCause, threadsByStack, type Review } from '../../../drift';
import { parseWords, Unauthorized, UsageError, type Command } from '../../command';
import { directoryTracker } from '../../inbox/directory';
import { githubTracker } from '../../inbox/github';
import { gitlabTracker } from '../../inbox/gitlab';
import { newsText, notify, noticesFor } from '../../inbox/notify';
import { commitHere, ownersAt } from '../../inbox/repository';
import { runInbox, type InboxOutcome } from '../../inbox/run-inbox';
import { TrackerError, type Tracker } from '../../inbox/tracker';
import { repositoryOf } from '../../project';
import { SETTINGS_HELP } from '../../settings';
import { newDecisions } from './inbox-decisions';
import { reviewsFrom } from './inbox-reviews';
import { SOURCE_HELP, SOURCE_OPTIONS } from './sources';

const HELP = `usage: pulumi-oneops drift inbox PLACE [options]

Keeps one issue for each stack with everything that differs in it. It is edited
and never repeated: what healed is ticked off, and the issue is closed when
everything is settled, and opened again when something returns. What people write
above or below the marked part stays. A run without a change writes nothing.
It says nothing about a finding while a pull or merge request of a user who may
write to the repository changes the line that declares it. Ticked boxes are carried
out by the next run: accept and ignore as a pull or merge request, or a patch. Where
the review of a fleet ran, it carries out those of all stacks, each in its folder; in
the folder of a project, those of this project alone, and leaves the others ticked.

  --github OWNER/REPO   keeps the issues in a repository on GitHub; token: GITHUB_TOKEN
  --gitlab PROJECT      keeps them in a project on GitLab; token: GITLAB_TOKEN
  --api URL             address of the API, for example https://github.acme.io/api/v3;
                        default: GITHUB_API_URL or CI_API_V4_URL, as pipelines set it
  --directory DIR       keeps the issues as Markdown files in a folder
  --from REVIEW         a saved review (drift --json > REVIEW), or one of a fleet
                        (drift --all FOLDERS --json > REVIEW); can be repeated;
                        default: a new review of the stack in this folder
  --by stack|cause      an issue for each stack, or for each cause: who wrote which
                        value of which attribute, in however many stacks; default stack
  --notify RECEIVER     sends what is new, has other values or is settled, when there is any:
                        slack, teams or webhook (JSON); can be repeated. Addresses come from
                        SLACK_WEBHOOK_URL, TEAMS_WEBHOOK_URL and ONEOPS_WEBHOOK_URL
  --commit SHA          the commit that is named where something is settled; default:
                        that of the pipeline, or of this folder
${SETTINGS_HELP}
${SOURCE_HELP}

exit codes: 0 the inbox shows what was found, whatever it is, 1 wrong use,
3 not everything could be read or written, 4 a token is missing or refused,
5 so many records are missing that the review is not believed`;

const OPTIONS = {
  ...SOURCE_OPTIONS,
  github: { type: 'string' },
  gitlab: { type: 'string' },
  directory: { type: 'string' },
  api: { type: 'string' },
  from: { type: 'string', multiple: true, default: [] as string[] },
  by: { type: 'string', default: 'stack' },
  notify: { type: 'string', multiple: true, default: [] as string[] },
  commit: { type: 'string' },
} as const;

/** The inbox command. */
export const inboxCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 0) throw new UsageError('drift inbox takes no argument: name reviews with --from');
    const notices = noticesFor(values.notify);
    const tracker = placeOf(values);
    try {
      const commit = commitHere(values.commit);
      const { stacks, missing } = await reviewsFrom(values);
      const reviews = stacks.map(({ review }) => review);
      const { answer, left } = newDecisions(stacks);
      const run = { ...threadsOf(reviews, values.by), reviews, world: world(tracker, commit), answer };
      const outcome = await runInbox(tracker, run);
      const undelivered = await notify(notices, outcome.written, reviews);
      const told = { ...outcome, failed: [...outcome.failed, ...undelivered, ...missing] };
      tell(told, reviews);
      for (const line of left()) process.stdout.write(`${line}\n`);
      return exitCode(told, reviews);
    } catch (error) {
      if (!(error instanceof TrackerError) || error.isToken) throw forPeople(error);
      process.stderr.write(`pulumi-oneops: ${error.message}\n`);
      return 3;
    } finally {
      tracker.close();
    }
  },
};

/** What a place refuses, as other commands have it: a refused token has another exit code. */
const forPeople = (error: unknown): unknown =>
  error instanceof TrackerError && error.isToken ? new Unauthorized(error.message) : error;

function placeOf(options: PlaceOptions): Tracker {
  try {
    return trackerFor(options);
  } catch (error) {
    throw forPeople(error);
  }
}

interface PlaceOptions {
  readonly github?: string | undefined;
  readonly gitlab?: string | undefined;
  readonly directory?: string | undefined;
  readonly api?: string | undefined;
}

function trackerFor({ github, gitlab, directory, api }: PlaceOptions): Tracker {
  const [place, second] = [
    ...(github === undefined ? [] : [() => githubTracker(github, api)]),
    ...(gitlab === undefined ? [] : [() => gitlabTracker(gitlab, api)]),
    ...(directory === undefined ? [] : [() => directoryTracker(directory)]),
  ];
  if (place === undefined || second !== undefined)
    throw new UsageError('drift inbox takes one of --github OWNER/REPOSITORY, --gitlab PROJECT and --directory DIR');
  return place();
}

/** Throws UsageError for two reviews of one stack. */
function threadsOf(reviews: readonly Review[], by: string): Pick<Parameters<typeof runInbox>[1], 'threads' | 'isOurs'> {
  if (by !== 'stack' && by !== 'cause') throw new UsageError('--by takes stack or cause');
  const double = reviews.find((review, index) =>
    reviews.some((other, at) => at < index && stackKey(other) === stackKey(review)),
  );
  if (double) throw new UsageError(`two reviews are of the same stack: ${stackKey(double)}`);
  return by === 'stack'
    ? { threads: threadsByStack(reviews), isOurs: () => false }
    : { threads: threadsByCause(reviews), isOurs: isCauseKey };
}

function world(tracker: Tracker, commit: string | undefined): Parameters<typeof runInbox>[1]['world'] {
  const folder = process.cwd();
  const places = { root: repositoryOf(folder), folder };
  const owners = ownersAt(places.root, tracker.syntax);
  return {
    commit,
    today: new Date().toISOString().slice(0, 10),
    places,
    owners: ({ at }) => (at === undefined ? [] : owners(filePath(at.file, places))),
  };
}

function tell({ written, failed }: InboxOutcome, reviews: readonly Review[]): void {
  for (const { is, title, url, news } of written) {
    process.stdout.write(`${is}: ${title}\n  ${newsText(news)}; ${url}\n`);
  }
  if (written.length === 0 && failed.length === 0) process.stdout.write('nothing changed: nothing was written\n');
  for (const message of failed) process.stderr.write(`${message}\n`);
  for (const { outcome, organization, stack = '', summary } of reviews)
    if (outcome !== 'in-sync' && outcome !== 'drift')
      process.stderr.write(`${organization} ${stack}: ${summary}; none of its findings counts as settled\n`);
}

function exitCode({ failed }: InboxOutcome, reviews: readonly Review[]): number {
  const has = (outcome: Review['outcome']): boolean => reviews.some((review) => review.outcome === outcome);
  if (has('authentication')) return 4;
  if (has('refused')) return 5;
  return has('incomplete') || failed.length > 0 ? 3 : 0;
}
