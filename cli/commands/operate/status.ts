// `pulumi-oneops status`: what is deployed, what waits, and what runs, for each environment.
import { routes, type Release } from '../../../api/contract';
import { orNone, plural } from '../../../api/errors';
import {
  countsForOutcome,
  isDrift,
  isWhole,
  knownReleases,
  reviewStack,
  type DriftFinding,
  type Review,
} from '../../../drift';
import { addressNames, platformOf } from '../../../provider';
import { causeOf, newestPull, plannedChanges, releasesNotPulled } from '../../../provider/history';
import { kindOf } from '../../../provider/kinds';
import { commandOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { flag, JSON_OPTION, SETTINGS_OPTIONS } from '../../options';
import { reviewCodeOf } from '../drift/reports';
import { withReview } from '../drift/sources';
import { goesOn, progressOf, releaseOf, supportOf, waitingApprovals } from './deployments';
import { instancesOf } from './instances';
import { openRelease, type OpenRelease, type ReleaseKind } from './open-release';
import type { EnvironmentStatus, Outputs, Progress, RunningCount, ShownInstance, Verdict } from './outputs';
import { addressOf, assemblyOrEnvironment, operate, type InEnvironment, type Operation } from './place';
import { follow, moment, table } from '../../here/terminal';
import { defined } from '../../../provider/values';

type AssemblyStatus = Outputs['status'];

/** A review, and what the stack under review says of the assembly. */
interface Compared {
  readonly review: Review;
  readonly declared: ReadonlySet<string>;
  /** The releases of the design that its state has as pulled, by environment. */
  readonly pulled: ReadonlyMap<string, number>;
}

async function statusOf(operation: Operation, compared: Compared | undefined): Promise<AssemblyStatus> {
  const { api, place } = operation;
  const { assembly } = place;
  const names =
    place.environment === undefined
      ? (await api.call(routes.environments.list, { address: { assembly } })).map(({ ciName }) => ciName).sort()
      : [place.environment];
  const environments: EnvironmentStatus[] = [];
  for (const environment of names)
    environments.push(await environmentStatus({ ...operation, place: { ...place, environment } }, compared));
  const missing = place.environment === undefined ? [...(compared?.declared ?? [])] : [];
  for (const environment of missing.filter((name) => !names.includes(name)))
    environments.push({ environment, verdict: 'NOT DEPLOYED', missing: true, ...NOTHING_THERE });
  const design = await openRelease(api, { assembly }, 'design');
  return { assembly, ...(design === undefined ? {} : { design }), environments };
}

const NOTHING_THERE = { waitsFor: [], open: [], notPulled: [], counts: [] };

const OPEN: readonly ReleaseKind[] = ['manifest', 'bom'];

async function environmentStatus(
  operation: Operation<InEnvironment>,
  compared: Compared | undefined,
): Promise<EnvironmentStatus> {
  const { api, place } = operation;
  const { assembly, environment } = place;
  const newest = await orNone(api.call(routes.deployments.latest, { address: { assembly, environment } }));
  const progress = newest && (await progressOf(operation, newest, await releaseOf(operation, newest)));
  const approvals = newest?.deploymentState === 'pending' ? await waitingApprovals(operation, newest) : [];
  const found = await Promise.all(OPEN.map((kind) => openRelease(api, { assembly, environment }, kind)));
  const open = found.filter((each) => each !== undefined);
  const notPulled = newest === undefined ? [] : await notPulledBy(operation, compared?.pulled.get(environment));
  const isUndeclared = compared?.declared.has(environment) === false;
  const review = isUndeclared ? undefined : compared?.review;
  const differing = review && isWhole(review.outcome) ? differencesIn(place, review) : undefined;
  const planned = await plannedIn(operation, progress, open);
  const counts = await countsOf(operation, planned);
  // A deployment may leave platforms out, and after a canceled one nothing may be left to deploy.
  const isDone = planned === undefined ? progress?.deployment.deploymentState === 'complete' : planned.length === 0;
  const isUndeployed = !isDone || open.length > 0 || notPulled.length > 0;
  const drift = differing?.filter(isDrift).length;
  return {
    environment,
    verdict: verdictOf(progress, isUndeployed || counts.length === 0, differing),
    ...(isUndeclared ? { undeclared: true as const } : {}),
    ...defined({ drift, progress }),
    waitsFor: approvals.map(supportOf),
    open,
    notPulled: notPulled.map((release) => ({ releaseId: release.releaseId, by: causeOf(release).who })),
    counts,
  };
}

/**
 * Committed releases of the design that the environment has not pulled; none before the first.
 * `known`: what a run pulled, since a pull that changes nothing is in no list.
 */
async function notPulledBy({ api, place }: Operation<InEnvironment>, known = 0): Promise<readonly Release[]> {
  const at = addressOf(place);
  const pulled = await newestPull({ api, at }, { known });
  return pulled === 0 ? [] : releasesNotPulled({ api, at }, pulled);
}

/** The differences of a review in an environment, or in the design of its assembly. */
const differencesIn = (
  { assembly, environment }: InEnvironment,
  { findings, failOn }: Review,
): readonly DriftFinding[] =>
  findings.filter((finding) => {
    const of = kindOf(finding.kind);
    const isWithin = (name: string, kind: string): boolean =>
      of?.token === kind || (of !== undefined && addressNames(of).includes(name));
    const [, first, second] = finding.address.split('/');
    if (isWithin('assembly', 'Assembly') && first !== assembly) return false;
    return countsForOutcome(finding, failOn) && (!isWithin('environment', 'Environment') || second === environment);
  });

const VERDICTS: { readonly [state: string]: Verdict } = {
  active: 'DEPLOYING',
  pausing: 'DEPLOYING',
  pending: 'WAITS FOR APPROVAL',
  paused: 'PAUSED',
  failed: 'FAILED',
};

/** What goes on, else the verdict of a review, else what is seen here: the file may let nothing run. */
function verdictOf(
  progress: Progress | undefined,
  isUndeployed: boolean,
  differing: readonly DriftFinding[] | undefined,
): Verdict {
  const going = VERDICTS[progress?.deployment.deploymentState ?? ''];
  if (going !== undefined) return going;
  if (differing === undefined) return isUndeployed ? 'NOT DEPLOYED' : 'DEPLOYED';
  return differing.some(isDrift) ? 'DRIFT' : differing.length > 0 ? 'NOT DEPLOYED' : 'IN SYNC';
}

/** An instance that a plan or a deployment creates or removes. */
interface Planned {
  /** `web/compute-1130-1`: the number between is that of the cloud. */
  readonly name: string;
  readonly action: string;
}

/** The instances by platform and cloud: how many run, and how many will. */
async function countsOf(
  operation: Operation<InEnvironment>,
  planned: readonly Planned[] | undefined,
): Promise<readonly RunningCount[]> {
  const instances = await instancesOf(operation);
  const coming = planned?.filter(({ action }) => action === 'add') ?? [];
  const clouds = coming.length === 0 ? [] : await operation.api.call(routes.clouds.list, {});
  const cloudNames = new Map(clouds.map(({ ciId, ciName }) => [String(ciId), ciName]));
  const keyOf = ({ name }: Planned): string =>
    `${name.split('/')[0] ?? ''} ${cloudNames.get(/-(\d+)-\d+$/.exec(name)?.[1] ?? '') ?? '?'}`;
  const keys = new Set([...instances.map(({ platform, cloud }) => `${platform} ${cloud}`), ...coming.map(keyOf)]);
  return [...keys].sort().map((key) => {
    const [platform = '', cloud = ''] = key.split(' ');
    const own = instances.filter((each) => each.platform === platform && each.cloud === cloud);
    const isLeaving = ({ name }: ShownInstance): boolean =>
      planned?.some((each) => each.action === 'delete' && each.name === `${platform}/${name}`) === true;
    const addresses = own.map(({ publicAddress, privateAddress }) => publicAddress || privateAddress);
    const leaving = own.filter(isLeaving).length;
    const declared = own.length - leaving + coming.filter((each) => keyOf(each) === key).length;
    return {
      platform,
      cloud,
      running: own.length,
      ...(planned === undefined ? {} : { declared, leaving }),
      unwell: own.filter(({ health }) => health !== '' && health !== 'good').length,
      address: addresses.find((each) => each !== '') ?? '',
    };
  });
}

/** What is left to deploy of what is committed; undefined where the service does not plan it. */
async function plannedIn(
  { api, place: { assembly, environment } }: Operation<InEnvironment>,
  progress: Progress | undefined,
  open: readonly OpenRelease[],
): Promise<readonly Planned[] | undefined> {
  const left = progress?.orders.filter(({ state }) => state !== 'complete') ?? [];
  if (left.length > 0 && progress?.deployment.deploymentState !== 'canceled') return left;
  const plan = open.find(({ kind }) => kind === 'bom');
  if (plan !== undefined) return plan.changes.map(({ what, action }) => ({ name: what.replace(/^\S+ /, ''), action }));
  const planned = await plannedChanges({ api, at: { assembly, environment } });
  if ('refusal' in planned) return undefined;
  return planned.changes.map((each) => ({ name: `${platformOf(each)}/${each.ciName}`, action: each.rfcAction ?? '' }));
}

export const command = commandOf({
  usage: ['status [ENVIRONMENT] [options]'],
  about: `Shows for each environment of the stack in this folder, or of an address (acme/shop): the last
deployment, what waits to be committed or deployed and by whom, and what runs where with its health. Only
reads. Whether the service differs from the file is not known without --drift.`,
  options: {
    drift: flag('also compares with the stack file of this folder, as pulumi-oneops drift does'),
    watch: flag('shows it again and again on a terminal, until Ctrl-C or until no deployment goes on'),
    ...JSON_OPTION,
    ...SETTINGS_OPTIONS,
  },
  exits: {
    done: 'shown; with --drift: in sync',
    differs: 'with --drift: drift, or not deployed',
    inPart: 'with --drift: not everything could be read',
  },
  most: 1,
  async run({ values, positionals }) {
    if (values.watch && !process.stdout.isTTY) throw new UsageError('--watch needs a terminal');
    if (values.watch && values.drift) throw new UsageError('--watch does not go with --drift, which compares once');
    return operate(positionals[0], values, assemblyOrEnvironment, async (operation) => {
      const compared = values.drift ? await reviewOf(operation, values) : undefined;
      const review = compared?.review;
      if (review !== undefined && !isWhole(review.outcome)) process.stderr.write(`drift unknown: ${review.summary}\n`);
      const { environments } = await follow(
        () => statusOf(operation, compared),
        (now) => !values.watch || !now.environments.some(({ progress }) => progress && goesOn(progress.deployment)),
        (status) => {
          if (values.watch) process.stdout.write('\u001b[H\u001b[2J');
          operation.print(status, statusText);
        },
      );
      if (review === undefined) return EXIT.done;
      const declared = environments.filter(({ undeclared }) => undeclared !== true);
      if (!isWhole(review.outcome) || declared.length === 0) return reviewCodeOf(review);
      return declared.every(({ verdict }) => verdict === 'IN SYNC') ? EXIT.done : EXIT.differs;
    });
  },
});

/** The review of the stack here. Throws UsageError for a stack of another assembly. */
function reviewOf(
  { place: { assembly } }: Operation,
  values: { readonly stack?: string | undefined },
): Promise<Compared> {
  return withReview(values, undefined, async (opened) => {
    const records = opened.code ?? opened.state?.records ?? [];
    if (!records.some(({ inputs }) => inputs['assembly'] === assembly))
      throw new UsageError(`the stack in this folder is not of assembly "${assembly}": call --drift in its folder`);
    const own = records.filter(({ kind, inputs }) => kind.token === 'Environment' && inputs['assembly'] === assembly);
    const pulled = Object.entries(knownReleases(opened.state?.records ?? []).environments).flatMap(([id, known]) => {
      const [, of, name = ''] = id.split('/');
      return of === assembly ? [[name, known.pulled] as const] : [];
    });
    const declared = new Set(own.map(({ inputs }) => String(inputs['name'])));
    return { review: await reviewStack(opened), declared, pulled: new Map(pulled) };
  });
}

function statusText({ assembly, design, environments }: AssemblyStatus): string {
  const begin = design === undefined ? [] : [`${assembly}: ${openText(design)}\n`];
  return environments.length === 0
    ? `${assembly} has no environments\n`
    : [...begin, ...environments.map((each) => environmentText(each))].join('\n');
}

function openText({ kind, changes, createdBy }: OpenRelease): string {
  const users = [...new Set(changes.flatMap(({ by }) => by))];
  const count = `${plural(changes.length, 'change')}${kind === 'design' ? ' of the design' : ''}`;
  const is = changes.length === 1 ? 'is' : 'are';
  return `${kind === 'bom' ? 'a plan is not deployed' : `${count} ${is} not committed`}, by ${(users.length === 0 ? [createdBy || 'somebody'] : users).join(' and ')}`;
}

function notPulledText({ environment, notPulled }: EnvironmentStatus): string {
  const users = [...new Set(notPulled.map(({ by }) => by || 'somebody'))];
  const are = notPulled.length === 1 ? 'is' : 'are';
  return `${plural(notPulled.length, 'design release')} ${are} not in ${environment}, by ${users.join(' and ')}`;
}

function environmentText(status: EnvironmentStatus): string {
  const { environment, verdict, undeclared, missing, drift, progress, waitsFor, open, notPulled, counts } = status;
  if (missing) return `${environment}: ${verdict}\n  the service does not have it\n`;
  const { deploymentId, createdBy, created } = progress?.deployment ?? {};
  const last =
    progress === undefined
      ? 'nothing was ever deployed'
      : `deployment ${deploymentId} by ${createdBy ?? 'somebody'} at ${moment(created)}, ${progress.line.replace(/^deployment \d+ /, '')}`;
  const compared = undeclared
    ? ', not declared by this stack'
    : drift === undefined
      ? ', drift unknown'
      : drift > 0
        ? `, ${plural(drift, 'difference')}: see pulumi-oneops drift`
        : '';
  const lines = [
    `${environment}: ${verdict}${compared}`,
    `  ${last}`,
    ...waitsFor.map((cloud) => `  waits for the approval of ${cloud}`),
    ...(progress === undefined ? [] : progress.failures.map((line) => `  ${line.trimStart()}`)),
    ...open.map((release) => `  ${openText(release)}`),
    ...(notPulled.length === 0 ? [] : [`  ${notPulledText(status)}`]),
  ];
  return `${lines.join('\n')}\n${counts.length === 0 ? '  nothing runs\n' : runningText(counts)}`;
}

/** `5 of 7`; `7, 3 leaving`; `7` where the service plans nothing. */
const countText = ({ running, declared, leaving = 0 }: RunningCount): string =>
  `${running}${leaving > 0 ? `, ${leaving} leaving` : declared === undefined ? '' : ` of ${declared}`}`;

const runningText = (counts: readonly RunningCount[]): string =>
  table(
    ['PLATFORM', 'CLOUD', 'RUNNING', 'HEALTH', 'ADDRESS'],
    counts.map((each) => [
      each.platform,
      each.cloud,
      countText(each),
      each.running === 0 ? '' : each.unwell === 0 ? 'good' : `${each.unwell} not good`,
      each.address,
    ]),
    '  ',
  );
