// What a review is made of, as a command finds it: service, files, state and drift.yaml.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Api, Observe } from '../../../api/client';
import { messageOf, WrongInput } from '../../../api/errors';
import {
  jsonOf,
  readCode,
  readState,
  UnusableCode,
  type CodeRecord,
  type ReviewOptions,
  type StackState,
  nearestPlace,
  wasLetIn,
  reviewedElsewhere,
  readReview,
  reviewStack,
  type DriftFinding,
  type Review,
  heldTo,
  type BrokenPolicy,
} from '../../../drift';
import { Unauthorized, UsageError } from '../../exit';
import type { Settings } from '../../../provider/session/settings';
import { DRIFT_FILE, ownConfig, readDriftFile, STANDARD_FILE, type DriftFile, type Project } from '../../../stack';
import { bareName, projectHere, textFrom } from '../../here/project';
import type { ValuesOf } from '../../command';
import type { CHOICE_OPTIONS, SOURCE_OPTIONS } from '../../options';
import { pulumiPrints, pulumiReason } from '../../pulumi-cli';
import { knownHere, levelHere } from '../../here/read-stack';
import {
  apiOf,
  closing,
  hiding,
  usable,
  commandSettings,
  selectedStack,
  type FoundSettings,
  type SettingsOptions,
} from '../../here/settings';
import { judgeRecords, liveRecords, type PolicyEntry, type PolicyViolation } from '../../../policy';
import { defined } from '../../../provider/values';

/** `checks`: whether the checks of deployments are run; default: no. */
export type SourceOptions = ValuesOf<typeof SOURCE_OPTIONS> & SettingsOptions & { readonly checks?: boolean };

/** Everything reviewStack takes; the client is to be closed afterwards. */
export type OpenedReview = ReviewOptions & {
  readonly api: Api;
  /** First file of the stack as it was named; undefined when none took part. */
  readonly file: string | undefined;
  /** Takes the token, and the secrets of the stack's configuration, out of texts. */
  readonly hide: (text: string) => string;
};

/** The drift.yaml of a folder, or a named file. Throws WrongInput for an unusable file. */
function rulesIn(directory: string, named: string | undefined): DriftFile | undefined {
  if (named !== undefined) return readDriftFile(textIn(named));
  const path = join(directory, DRIFT_FILE);
  return existsSync(path) ? readDriftFile({ name: DRIFT_FILE, text: textFrom(path) }) : undefined;
}

/**
 * Opens what a review needs, in the current folder. Throws WrongInput for what was requested and
 * does not exist, or is wrong; Unauthorized without a token. A source that is merely absent is a
 * note.
 */
export async function openReview(
  options: SourceOptions,
  file: string | undefined,
  connect: Connect = connected,
): Promise<OpenedReview> {
  const { directory = '.', stack } = options;
  const rules = rulesIn(directory, options.rules);
  const seconds = numberOf('--timeout', options.timeout);
  const maxCalls = numberOf('--max-calls', options['max-calls']);
  const project = projectHere(directory);
  // Begun beside the settings: each call of the CLI derives its key from a passphrase for a second.
  const readingState = stateOf(options, project !== undefined);
  readingState.catch(() => undefined); // An error of the settings is thrown first.
  const found = await commandSettings(options);
  const { resolved } = found;
  // Pulumi listed this stack: what its unreadable configuration lacks is not known.
  if ('problem' in resolved && found.unread !== undefined && options.directory !== undefined)
    throw new Error(found.unread);
  const settings = usable(found);
  const hide = hiding(settings, found);
  const { state, note: noState } = await readingState;
  const { organization } = settings;
  expectOrganizationOf(state, organization);
  const { code, notes, name } = codeOf({ file, project, found, organization, state, stack, directory });
  if (code === undefined && state === undefined)
    throw new WrongInput(
      ['there is neither a stack file nor a state to compare with', ...notes, noState ?? ''].join('\n').trim(),
    );
  return {
    ...connect(settings),
    file: name,
    hide,
    code,
    state,
    notes: [found.note, ...(('settings' in resolved && resolved.warnings) || []), ...notes, noState].filter(
      (note) => note !== undefined,
    ),
    ...defined({ rules, maxCalls, timeout: seconds && seconds * 1000 }),
    ...(options.checks === true ? { checks: { hide } } : {}),
  };
}

/** Throws WrongInput where the settings name another organization than every record of the state. */
function expectOrganizationOf(state: StackState | undefined, organization: string): void {
  const [own, ...more] = new Set(state?.records.map(({ id }) => id.slice(0, id.indexOf('/'))));
  if (own === undefined || own === organization || more.includes(organization)) return;
  throw new WrongInput(
    `the records of the stack are in organization ${own}, and the settings name ${organization}: correct oneops:organization, ONEOPS_ORGANIZATION or --organization; nothing was sent`,
  );
}

/** Works with what a review needs, and closes its client. */
export async function withReview<T>(
  options: SourceOptions,
  file: string | undefined,
  work: (opened: OpenedReview) => Promise<T>,
): Promise<T> {
  const opened = await openReview(options, file);
  return closing(opened.api, () => work(opened));
}

export type Connect = (settings: Settings) => { readonly api: Api; readonly ahead: () => number };

export const connected: Connect = (settings) => {
  const { observe, ahead } = serviceTime();
  return { api: apiOf(settings, { observe }), ahead };
};

/** By how many milliseconds the service's clock is ahead of this one, as its last answer says. */
export function serviceTime(): { readonly observe: Observe; readonly ahead: () => number } {
  let ahead = 0;
  return {
    observe: (event) => {
      if (event.kind === 'response' && event.date !== undefined) ahead = event.date - Date.now();
    },
    ahead: () => ahead,
  };
}

/** A whole number above 0. Throws WrongInput for another word. */
export function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text);
  throw new UsageError(`${option} takes a whole number above 0, not ${JSON.stringify(text)}`);
}

export const textIn = (name: string): { readonly text: string; readonly name: string } => ({
  name,
  text: textFrom(name),
});

export interface CodePlace {
  readonly file: string | undefined;
  readonly project: Project | undefined;
  readonly found: Pick<FoundSettings, 'configuration' | 'secrets' | 'unread'>;
  readonly organization: string;
  readonly state: StackState | undefined;
  readonly stack: string | undefined;
  /** Folder of the stack; default: the current one. */
  readonly directory?: string;
}

/** What the file declares, or why it takes no part. Throws WrongInput for a wrong file. */
export function codeOf({ file, project, found, organization, state, stack, directory = '.' }: CodePlace): {
  readonly code: readonly CodeRecord[] | undefined;
  readonly notes: readonly string[];
  readonly name: string | undefined;
} {
  const standard = existsSync(join(directory, STANDARD_FILE)) ? [STANDARD_FILE] : undefined;
  const files = file !== undefined ? [file] : project ? project.files : standard;
  if (files === undefined) {
    const why = project ? 'a program declares this stack' : `there is no ${STANDARD_FILE} here`;
    return { code: undefined, name: undefined, notes: [`no file took part: ${why}; state and service are compared`] };
  }
  const own = ownConfig(found.configuration, project?.name ?? '', (key) => found.secrets.has(key));
  const texts = Object.entries(own.config).map(
    ([name, value]) => [name, typeof value === 'string' ? value : undefined] as const,
  );
  const { 'oneops:overlay': overlay, 'oneops:catalogue': catalogue } = found.configuration;
  const read = readCode(
    {
      files,
      directory: resolve(directory),
      known: knownHere(directory),
      // The stack's own file says the level where Pulumi does not read the configuration.
      catalogue: levelHere({
        catalogue: typeof catalogue === 'string' ? catalogue : directory === '.' ? undefined : 'auto',
        stack: stack ?? state?.stack,
      }),
      organization,
      config: Object.fromEntries(texts),
      secretConfig: own.secretConfig,
      ...(typeof overlay === 'string' ? { overlay } : {}),
      ...defined({ project: project?.name, stack: stack && bareName(stack) }),
    },
    state,
  );
  if ('problem' in read) throw new UnusableCode(read, files, found.unread);
  return { code: read.code, name: files[0], notes: read.warnings };
}

/** The state of the stack; without one, why. Throws Error when it was requested by name. */
async function stateOf(
  options: SourceOptions,
  hasProject: boolean,
): Promise<{ readonly state: StackState | undefined; readonly note?: string }> {
  const found = await stackExport(options, hasProject);
  if ('absent' in found) return { state: undefined, note: found.absent };
  const { state: file, stack } = options;
  const state = inExport(found, (exported) => readState(exported, file === undefined ? undefined : stack));
  // A stack without resources does not name itself, and its name chooses what the files declare.
  const named = state.stack ?? stack?.split('/').at(-1) ?? (file === undefined ? await selectedStack() : undefined);
  const project = state.project ?? (file === undefined ? projectHere(options.directory)?.name : undefined);
  return { state: { ...state, ...defined({ stack: named, project }) } };
}

interface StackExport {
  readonly text: string;
  readonly name: string;
  /** What to do when it cannot be used. */
  readonly remedy: string;
}

/** The export of the stack; without one, why. Throws Error when it was requested by name. */
export async function stackExport(
  { state: file, stack, directory }: Pick<SourceOptions, 'state' | 'stack' | 'directory'>,
  hasProject: boolean,
): Promise<StackExport | { readonly absent: string }> {
  const absent = (why: string): { readonly absent: string } => {
    if (stack !== undefined) throw new Error(`the state of stack ${stack} was not read: ${why}`);
    return { absent: `no state took part: ${why}; what the file says is taken for applied` };
  };
  if (file !== undefined) return { ...textIn(file), remedy: `write it again with: pulumi stack export --file ${file}` };
  if (!hasProject) return absent('there is no Pulumi.yaml here');
  const words = ['stack', 'export', '--non-interactive', ...(stack === undefined ? [] : ['--stack', stack])];
  try {
    const text = await pulumiPrints([...words, '--show-secrets'], { directory }).catch(() =>
      pulumiPrints(words, { directory }),
    );
    const remedy = 'run "pulumi stack export" to see what it prints';
    return { text, name: 'the output of "pulumi stack export"', remedy };
  } catch (error) {
    const said = pulumiReason(error);
    // Without its state a review would report everything wrong that the state alone explains.
    if (DAMAGED_STATE.test(said))
      throw new WrongInput(`the state of the stack is damaged: ${said}\n${RESTORE}`, { cause: error });
    return absent(said);
  }
}

/** What the CLI of Pulumi reports about a state that it cannot read. */
const DAMAGED_STATE = /failed to load checkpoint|end of JSON input|invalid character/;

const RESTORE =
  'restore it: a file backend keeps the previous state next to it, as STACK.json.bak; an earlier export is restored by "pulumi stack import --file FILE"';

/** What a reader makes of an export. Throws Error without the parser's words, which quote. */
export function inExport<T>({ text, name, remedy }: StackExport, read: (exported: unknown) => T): T {
  const unusable = (why: string): Error =>
    new WrongInput(`${name} cannot be used as the state of the stack: ${why}; ${remedy}`);
  if (text.trim() === '') throw unusable('it is empty');
  const parsed = jsonOf(text);
  if (parsed === undefined)
    throw unusable(text.trim().startsWith('{') ? 'its JSON is cut off or damaged' : 'it is not JSON');
  try {
    return read(parsed);
  } catch (error) {
    throw unusable(messageOf(error));
  }
}

/** The saved review, if one is named. */
export const savedReview = ({ from }: ValuesOf<typeof CHOICE_OPTIONS>): Review | undefined =>
  from === undefined ? undefined : readReview(textIn(from));

/** The saved review when one is named, else one made now. */
export const reviewFrom = async (options: ValuesOf<typeof CHOICE_OPTIONS>): Promise<Review> =>
  savedReview(options) ?? withReview(options, undefined, reviewNow);

/** A review, and the drift.yaml that rules it: empty where it is made now. */
export async function reviewToRule(
  options: ValuesOf<typeof CHOICE_OPTIONS>,
  saved?: Review,
): Promise<{ readonly review: Review; readonly file: { readonly name: string; readonly text: string } }> {
  const name = options.rules ?? DRIFT_FILE;
  const isThere = existsSync(name);
  const review = saved ?? (await reviewFrom({ ...options, rules: isThere ? name : undefined }));
  return { review, file: isThere ? textIn(name) : { name, text: '' } };
}

export async function reviewNow(opened: OpenedReview): Promise<Review> {
  const review = await reviewStack(opened);
  if (!wasLetIn(review)) throw new Unauthorized(review.summary);
  return review;
}

const SHORTEST = 4;

/** The one that an id, or its beginning, names. Throws UsageError for none, and for several. */
export function named<T extends { readonly id: string }>(all: readonly T[], id: string, missing: string): T {
  const fitting = all.filter((each) => (id.length < SHORTEST ? each.id === id : each.id.startsWith(id)));
  const [first, second] = fitting;
  if (first === undefined) throw new UsageError(missing);
  if (second !== undefined) throw new UsageError(`${id} may be ${fitting.map((each) => each.id).join(' or ')}`);
  return first;
}

/** The findings with these ids, or beginnings of ids. Throws UsageError for others. */
export function chosen(review: Review, ids: readonly string[]): readonly DriftFinding[] {
  const all = [...review.findings, ...review.ignored.map(({ finding }) => finding)];
  return [...new Set(ids.map((id) => named(all, id, `the review has no finding ${id}: its report lists the ids`)))];
}

/** Throws WrongInput for the review of another stack or service than the opened one. */
export function expectReviewOf(review: Review, { api, state }: OpenedReview): void {
  const other = reviewedElsewhere(review, { ...state, service: api.url, organization: api.organization });
  if (other !== undefined)
    throw new WrongInput(`${other}: call this where the review was made, or make a new review here; nothing was sent`);
}

/** The review with broken policies, if there are any policies. `stack`: as it was given. */
export function reviewHeldTo(
  policies: readonly PolicyEntry[],
  review: Review,
  { code, state }: Pick<ReviewOptions, 'code' | 'state'>,
  stack: string | undefined,
): Review {
  if (policies.length === 0) return review;
  const records = liveRecords(code ?? state?.records ?? [], review);
  const violations = judgeRecords(policies, records, { stack: stack?.split('/').at(-1) ?? state?.stack });
  const broken = violations.flatMap((violation): readonly BrokenPolicy[] => {
    const { policy, level, address, message } = violation;
    const at = placeIn(code, violation);
    return level === 'disabled' ? [] : [{ policy, level, address, message, ...defined({ at }) }];
  });
  return heldTo(review, broken);
}

/** Where the files declare what breaks a policy: the argument, what contains it, or the record. */
function placeIn(code: ReviewOptions['code'], { kind, address, path = [] }: PolicyViolation): BrokenPolicy['at'] {
  const record = code?.find((each) => each.kind.token === kind && each.id === address);
  return nearestPlace(path, (argument) => record?.places.get(argument)) ?? record?.at;
}
