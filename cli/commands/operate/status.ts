// `pulumi-oneops status`: what is deployed, what waits, and what runs, for each environment.
import { routes } from '../../../api/contract';
import { orNone } from '../../../api/errors';
import { tableText } from '../../../drift';
import { parseWords, type Command } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { flag, JSON_OPTION, SETTINGS_OPTIONS } from '../../options';
import { openRelease, type OpenRelease, type ReleaseKind } from './open-release';
import { goesOn, progressOf, releaseOf, type Progress } from './deployments';
import { instancesOf, type ShownInstance } from './instances';
import { operate, type InEnvironment, type Operation } from './place';
import { follow, moment, print } from './text';

/** What an environment is like, without a comparison with the file: `pulumi-oneops drift` compares. */
type Verdict = 'DEPLOYED' | 'NOT DEPLOYED' | 'DEPLOYING' | 'WAITS FOR APPROVAL' | 'PAUSED' | 'FAILED';

interface EnvironmentStatus {
  readonly environment: string;
  readonly verdict: Verdict;
  /** The newest deployment with its work orders; undefined if nothing was ever deployed. */
  readonly progress: Progress | undefined;
  /** Open releases of the environment: changes that are not committed, and plans that are not deployed. */
  readonly open: readonly OpenRelease[];
  readonly instances: readonly ShownInstance[];
}

/** The assembly's open design release, and its environments. */
interface AssemblyStatus {
  readonly assembly: string;
  readonly design: OpenRelease | undefined;
  readonly environments: readonly EnvironmentStatus[];
}

async function statusOf(operation: Operation): Promise<AssemblyStatus> {
  const { api, place } = operation;
  const { assembly } = place;
  const names =
    place.environment === undefined
      ? (await api.call(routes.environments.list, { address: { assembly } })).map(({ ciName }) => ciName).sort()
      : [place.environment];
  const environments: EnvironmentStatus[] = [];
  for (const environment of names)
    environments.push(await environmentStatus({ ...operation, place: { ...place, environment } }));
  return { assembly, design: await openRelease(api, { assembly }, 'design'), environments };
}

const OPEN: readonly ReleaseKind[] = ['manifest', 'bom'];

async function environmentStatus(operation: Operation<InEnvironment>): Promise<EnvironmentStatus> {
  const { api, place } = operation;
  const { assembly, environment } = place;
  const newest = await orNone(api.call(routes.deployments.latest, { address: { assembly, environment } }));
  const progress = newest && (await progressOf(operation, newest, await releaseOf(operation, newest)));
  const found = await Promise.all(OPEN.map((kind) => openRelease(api, { assembly, environment }, kind)));
  const open = found.filter((each) => each !== undefined);
  const instances = await instancesOf(operation);
  return { environment, verdict: verdictOf(progress, open.length > 0), progress, open, instances };
}

const VERDICTS: { readonly [state: string]: Verdict } = {
  active: 'DEPLOYING',
  pausing: 'DEPLOYING',
  pending: 'WAITS FOR APPROVAL',
  paused: 'PAUSED',
  failed: 'FAILED',
};

const verdictOf = (progress: Progress | undefined, isOpen: boolean): Verdict =>
  VERDICTS[progress?.deployment.deploymentState ?? ''] ??
  (isOpen || progress?.deployment.deploymentState !== 'complete' ? 'NOT DEPLOYED' : 'DEPLOYED');

const OPTIONS = {
  watch: flag('shows it again and again on a terminal, until Ctrl-C or until no deployment goes on'),
  ...JSON_OPTION,
  ...SETTINGS_OPTIONS,
} as const;

/** The status command. */
export const statusCommand: Command = {
  usage: ['status [ENVIRONMENT] [options]'],
  about: `Shows for each environment of the stack in this folder, or of an address (acme/shop): the last
deployment, what waits to be committed or deployed and by whom, and what runs where with its health. Only
reads. It does not compare with the file: "pulumi-oneops drift" does.`,
  options: OPTIONS,
  exits: { done: 'shown', notLetIn: 'the token is missing, or the service refuses it' },
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (values.watch && !process.stdout.isTTY) throw new UsageError('--watch needs a terminal');
    return operate(positionals[0], values, async (operation) => {
      const show = (status: AssemblyStatus): void =>
        print(values.json, status, () => statusText(status), operation.hidden);
      if (!values.watch) show(await statusOf(operation));
      else
        await follow(
          () => statusOf(operation),
          ({ environments }) => !environments.some(({ progress }) => progress && goesOn(progress.deployment)),
          (status) => {
            process.stdout.write('\u001b[H\u001b[2J');
            show(status);
          },
        );
      return EXIT.done;
    });
  },
};

function statusText({ assembly, design, environments }: AssemblyStatus): string {
  const sections = environments.map((each) => environmentText(each));
  const begin = design === undefined ? [] : [`${assembly}: ${openText(design)}\n`];
  return environments.length === 0 ? `${assembly} has no environments\n` : [...begin, ...sections].join('\n');
}

const NOUNS: { readonly [kind in ReleaseKind]: string } = {
  design: 'changes of the design are not committed',
  manifest: 'changes are not committed',
  bom: 'a plan is not deployed',
};

function openText({ kind, changes, createdBy }: OpenRelease): string {
  const users = [...new Set(changes.flatMap(({ by }) => by))];
  const count = kind === 'bom' ? '' : `${changes.length} `;
  return `${count}${NOUNS[kind]}, by ${(users.length === 0 ? [createdBy || 'somebody'] : users).join(' and ')}`;
}

function environmentText({ environment, verdict, progress, open, instances }: EnvironmentStatus): string {
  const deployment = progress?.deployment;
  const last =
    progress === undefined || deployment === undefined
      ? 'nothing was ever deployed'
      : `deployment ${deployment.deploymentId} by ${deployment.createdBy ?? 'somebody'} at ${moment(deployment.updated)}, ${progress.line}`;
  const lines = [
    `${environment}: ${verdict}`,
    `  ${last}`,
    ...(progress === undefined ? [] : progress.failures.map((line) => `  ${line}`)),
    ...open.map((release) => `  ${openText(release)}`),
  ];
  return `${lines.join('\n')}\n${instances.length === 0 ? '  nothing runs\n' : runningText(instances)}`;
}

/** Counts of instances by platform and cloud, with the unhealthy ones. */
function runningText(instances: readonly ShownInstance[]): string {
  const groups = new Map<string, ShownInstance[]>();
  for (const each of instances) {
    const key = `${each.platform}\n${each.cloud}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const rows = [...groups.values()].map((group) => {
    const [{ platform = '', cloud = '' } = {}] = group;
    const unwell = group.filter(({ health }) => health !== '' && health !== 'good');
    const addresses = group.flatMap(({ publicAddress, privateAddress }) => publicAddress || privateAddress || []);
    return [
      platform,
      cloud,
      String(group.length),
      unwell.length === 0 ? 'good' : `${unwell.length} not good`,
      addresses[0] ?? '',
    ];
  });
  return tableText(rows, ['PLATFORM', 'CLOUD', 'INSTANCES', 'HEALTH', 'ADDRESS'], '  ');
}
