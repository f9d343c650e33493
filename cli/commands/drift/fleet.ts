// `pulumi-oneops drift --all` and `--backend`: the review of many stacks.
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Api } from '../../../api/client';
import { WrongInput } from '../../../api/errors';
import {
  FORMATS,
  fleetOf,
  isInShard,
  readState,
  reviewFleet,
  type Fleet,
  type FleetTarget,
  type OpenedStack,
  type Review,
  SEVERITIES,
  sideBySide,
  type Severity,
  type Shard,
} from '../../../drift';
import { masked } from '../../../provider/secrets';
import { resolveSettings, type Settings } from '../../../provider/session/settings';
import { EXIT, UsageError, isNotLetIn } from '../../exit';
import { policiesHere } from '../../here/policies';
import { closing, usable } from '../../here/settings';
import {
  connected,
  reviewHeldTo,
  inExport,
  numberOf,
  openReview,
  stackExport,
  type Connect,
  type OpenedReview,
} from './sources';
import type { Terminal } from '../../prompts';
import { decideOn, terminalHere, type DecidedStack } from './decide';
import { reviewCodeOf, isOnTerminal, isOpenWork, reportsOf, show } from './reports';
import { pathsMatching } from '../../../stack';
import type { ValuesOf } from '../../command';
import { flag, POLICIES_OPTION, reportOptions, SOURCE_OPTIONS, text, texts } from '../../options';
import { stackNames } from '../../pulumi-cli';

const FLEET_OPTIONS = {
  all: texts(
    'FOLDERS',
    `reviews every stack of every project in these folders: --all 'stacks/*'; can be repeated.
      --organization NAME then also reports the assemblies of NAME that none of the stacks declares`,
  ),
  backend: flag('the same for every stack of the backend: its states and the service, without files'),
  concurrency: text('N', 'stacks of a fleet that are reviewed at the same time; default 4'),
  shard: text('N/OF', 'reviews one of OF parts of a fleet; drift merge joins the parts'),
} as const;

/** What a review takes, of one stack or of many. */
export const REVIEW_OPTIONS = {
  'fail-on': {
    ...text('SEVERITY', `lowest severity that counts: ${SEVERITIES.join(', ')}; default low`),
    default: 'low',
  },
  ...reportOptions(FORMATS),
  history: text('FILE', 'records since when each difference has been seen'),
  checks: flag(
    `also runs the checks of deployments (deploy.checks), from where the review runs and without any token;
      one that does not pass is drift`,
  ),
  'no-prompt': flag(
    `asks for no decisions. On a terminal, a review otherwise ends with a list: accept, revert or ignore
      each finding, or all findings of a cause`,
  ),
  policies: {
    ...POLICIES_OPTION.policies,
    words: `policies that the records in the service must keep; default: policies.yaml in this folder, if it
      exists; in a fleet, policies.yaml in the folder of each stack`,
  },
  ...SOURCE_OPTIONS,
  ...FLEET_OPTIONS,
} as const;

/** The options of a review, with its threshold as a word that is known. */
export type ReviewWords = ValuesOf<typeof REVIEW_OPTIONS> & {
  readonly failOn: Severity;
  /** What was named besides options. */
  readonly file: string | undefined;
};

/** Whether many stacks are reviewed. Throws UsageError for options of such a review only. */
export function isFleet(words: ValuesOf<typeof FLEET_OPTIONS>): boolean {
  if (words.all.length > 0 && words.backend)
    throw new UsageError('--all and --backend are two fleets: take one of them');
  if (words.all.length > 0 || words.backend) return true;
  const lost = (['concurrency', 'shard'] as const).find((name) => words[name] !== undefined);
  if (lost !== undefined) throw new UsageError(`--${lost} goes with --all or --backend`);
  return false;
}

/** Options of a review that mean one stack: in a fleet, each folder has its own. */
const OF_ONE_STACK = ['state', 'stack', 'url', 'rules', 'history', 'policies'] as const;

/** Reviews a fleet and writes its reports. Returns the exit code. */
export async function fleetReview(words: ReviewWords): Promise<number> {
  const wrong = OF_ONE_STACK.find((name) => words[name] !== undefined);
  if (wrong !== undefined)
    throw new UsageError(`--${wrong} is about one stack: it does not go with --all or --backend`);
  if (words.file !== undefined)
    throw new UsageError(
      `a review of a fleet takes no file: quote the pattern, --all 'stacks/*', or leave out ${words.file}`,
    );
  const reports = reportsOf(words);
  const shard = words.shard === undefined ? undefined : shardOf(words.shard);
  const fleet = await reviewed(words, shard);
  show(reports, fleet);
  const prompts = !words['no-prompt'] && reports.some(isOnTerminal);
  const terminal = prompts && isOpenWork(fleet) ? terminalHere() : undefined;
  if (terminal === undefined) return reviewCodeOf(fleet);
  const decided = await decideOnFleet(fleet, words, terminal);
  if (decided === 'nothing') return reviewCodeOf(fleet);
  const next = await fleetReview({ ...words, 'no-prompt': true, report: [], json: false });
  return decided === 'failed' ? EXIT.inPart : next;
}

async function decideOnFleet(
  { stacks, causes }: Fleet,
  words: ReviewWords,
  terminal: Terminal,
): ReturnType<typeof decideOn> {
  const clients = newClients();
  // Each stack is opened in its own folder.
  const decided = stacks.flatMap(({ name, stack, folder, review }): readonly DecidedStack[] => {
    if (review === undefined || folder === undefined) return [];
    const open = (): Promise<OpenedReview> => openReview({ stack }, undefined, clients.connect);
    return [{ name, folder, review, files: [], rules: undefined, open }];
  });
  return closing(clients, () => decideOn(decided, causes, terminal));
}

async function reviewed(words: ReviewWords, shard: Shard | undefined): Promise<Fleet> {
  const limits = {
    maxCalls: numberOf('--max-calls', words['max-calls']),
    concurrency: numberOf('--concurrency', words.concurrency),
    timeout: numberOf('--timeout', words.timeout),
  };
  const { all, backend, organization, failOn } = words;
  const { targets, notes, problems } = await (backend ? stacksOfBackend() : stacksInFolders(all));
  return closing(newClients(), async (clients) => {
    const facts = await reviewFleet(
      // The shards of stacks that could not be listed are not known: each shard says so.
      targets.filter(({ name }) => shard === undefined || problems.has(name) || isInShard(name, shard)),
      {
        ...limits,
        timeout: limits.timeout === undefined ? undefined : limits.timeout * 1000,
        open: (target) => {
          const problem = problems.get(target.name);
          if (problem !== undefined) return Promise.reject(problem);
          return (backend ? openOfBackend : openInFolder)(target, clients.connect, words.checks);
        },
        isUnauthorized: isNotLetIn,
        organizations: () => (organization === undefined ? [] : clients.of(organization)),
        failOn,
      },
    );
    // An organization that no client could be made for was not looked at.
    const problem = 'no stack is in it, and ONEOPS_URL or ONEOPS_TOKEN is not set';
    const isLookedAt = organization === undefined || facts.organizations.length > 0;
    const organizations = isLookedAt ? facts.organizations : [{ service: '', organization, assemblies: [], problem }];
    return fleetOf({ ...facts, ...(shard === undefined ? {} : { shard }), organizations, notes });
  });
}

function shardOf(text: string): Shard {
  const [, number = NaN, of = NaN] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (number >= 1 && number <= of) return { number, of };
  throw new UsageError(`--shard takes a number and how many there are, as in 3/16, not ${JSON.stringify(text)}`);
}

async function openInFolder(
  { stack, folder = '.' }: FleetTarget,
  connect: Connect,
  checks: boolean,
): Promise<OpenedStack> {
  const policies = policiesHere(undefined, folder);
  const opened = await openReview({ stack, directory: folder, checks }, undefined, connect);
  if (policies.length === 0) return opened;
  const hold = (review: Review): Review => reviewHeldTo(policies, review, opened, stack);
  return { ...opened, hold };
}

/** A stack with only a state: its records name the organization; the service is configured. */
async function openOfBackend(
  { stack }: FleetTarget,
  connect: Connect,
  checks: boolean,
): Promise<OpenedStack | undefined> {
  const found = await stackExport({ stack }, true);
  if ('absent' in found) throw new Error(found.absent);
  const state = inExport(found, readState);
  const [organization, second] = [...new Set(state.records.map(({ id }) => id.split('/')[0] ?? ''))];
  if (organization === undefined) return undefined;
  if (second !== undefined)
    throw new Error(`its records are of two organizations, ${organization} and ${second}: review it in its folder`);
  const settings = usable({ resolved: settingsFor(organization), note: undefined });
  return {
    ...connect(settings),
    ...(checks ? { checks: { hide: (text: string) => masked(text, [settings.token]) } } : {}),
    state,
    notes: ['no file took part: the stack was found in the backend; state and service are compared'],
  };
}

/** The settings that the environment alone gives for an organization. */
const settingsFor = (organization: string): ReturnType<typeof resolveSettings> =>
  resolveSettings((key) => (key === 'oneops:organization' ? organization : undefined), process.env);

/** One client for all stacks of a service, organization and user, to share reads. */
function newClients() {
  const clients = new Map<string, ReturnType<Connect> & { readonly settings: Settings }>();
  const connect = (settings: Settings): ReturnType<Connect> => {
    const key = JSON.stringify(settings);
    const client = clients.get(key) ?? { ...connected(settings), settings };
    clients.set(key, client);
    return client;
  };
  return {
    connect,
    /** One client for each service of an organization; none when it is not known. */
    of: (organization: string): readonly Api[] => {
      const own = [...clients.values()].filter(({ settings }) => settings.organization === organization);
      const services = new Map(own.map(({ api }) => [api.url, api]));
      const resolved = settingsFor(organization);
      if (services.size === 0 && 'settings' in resolved) return [connect(resolved.settings).api];
      return [...services.values()];
    },
    close: (): void => clients.forEach(({ api }) => api.close()),
  };
}

interface FoundStacks {
  readonly targets: readonly FleetTarget[];
  readonly notes: readonly string[];
  /** Why the stacks of a project could not be listed: its folder is one failed target. */
  readonly problems: ReadonlyMap<string, Error>;
}

const AT_ONCE = 4;

/** The stacks of projects in the folders. Throws Error for a pattern without a match. */
async function stacksInFolders(patterns: readonly string[]): Promise<FoundStacks> {
  const folders = [...new Set(patterns.flatMap(projectFolders))].sort();
  const targets: FleetTarget[] = [];
  const notes: string[] = [];
  const problems = new Map<string, Error>();
  await sideBySide(folders, AT_ONCE, async (folder) => {
    try {
      const stacks = await stackNames([], folder);
      if (stacks.length === 0) notes.push(`${folder}: its project has no stack`);
      for (const stack of stacks) targets.push({ name: folder === '.' ? stack : `${folder}/${stack}`, stack, folder });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      problems.set(folder, error);
      targets.push({ name: folder, stack: '', folder });
    }
  });
  return { targets: targets.sort((left, right) => (left.name < right.name ? -1 : 1)), notes: notes.sort(), problems };
}

function projectFolders(pattern: string): readonly string[] {
  const folders = pathsMatching(pattern.replace(/\/+$/, ''), process.cwd())
    .map((path) => relative(process.cwd(), resolve(path)) || '.')
    .filter((folder) => existsSync(join(folder, 'Pulumi.yaml')));
  if (folders.length === 0)
    throw new WrongInput(
      `no folder with a Pulumi.yaml matches ${pattern}: name folders of projects, as in --all 'stacks/*'`,
    );
  return folders;
}

/** Every stack of the backend that is logged in to. */
async function stacksOfBackend(): Promise<FoundStacks> {
  const names = await stackNames(['--all'], '.');
  // A self-managed backend has one organization, which it calls so.
  const targets = names.map((stack) => ({ name: stack.replace(/^organization\//, ''), stack }));
  return { targets, notes: targets.length === 0 ? ['the backend contains no stack'] : [], problems: new Map() };
}
