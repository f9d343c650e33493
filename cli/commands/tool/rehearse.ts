// `pulumi-oneops rehearse`: the next run of a stack on a copy of what the live service has.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApi, type Api } from '../../../api/client';
import { routes } from '../../../api/contract';
import { firstOf, orNone, plural, WrongInput } from '../../../api/errors';
import { readState } from '../../../drift';
import { readPreview, withLive } from '../../../preview';
import type { Inputs } from '../../../provider';
import { notRun } from '../../../provider/kinds';
import { textsIn } from '../../../provider/secrets';
import { isPlainObject } from '../../../provider/values';
import type { Project } from '../../../stack';
import { commandOf } from '../../command';
import { EXIT } from '../../exit';
import { apiOf, commandSettings, selectedStack, usable, type SettingsOptions } from '../../here/settings';
import { bareName, inFolder } from '../../here/project';
import { JSON_OPTION, SETTINGS_OPTIONS } from '../../options';
import { usablePulumi } from '../../pulumi-cli';
import { copyStack, readLive, withCopied, type Copy } from '../../stage/copy';
import {
  catalogueWith,
  checksIn,
  placeholdersFor,
  renderedData,
  secretsIn,
  settingsOf,
  stagedProject,
  withPlaceholders,
} from '../../stage/settings';
import { failureIn, openStage, runOn, STAGE_SPEED, stoppable, untilStopped, type Stage } from '../../stage/stage';
import { progressOf, releaseOf } from '../operate/deployments';
import type { Rehearsal, RehearsedDeployment } from '../operate/outputs';
import { codeOf, inExport, stackExport } from '../drift/sources';

export const command = commandOf({
  usage: ['rehearse [FOLDER] [options]'],
  about: `Makes the next run of a stack with Pulumi's CLI on a copy of what the live service has, in this process
and in a temporary folder. The live service is only read, and neither the state nor the files of the project
change. It prints what others did since the last run, what the run does in its order, risks, which instances are
touched, how long that takes in simulated time, and what is refused and why. Secrets have placeholders, and count
as unchanged. Ctrl-C ends it with 130.`,
  options: { ...SETTINGS_OPTIONS, ...JSON_OPTION },
  exits: {
    done: 'the run succeeds on the copy',
    differs: 'the run is refused or fails on the copy',
    notLetIn: 'the token is missing, or the service refuses it',
    inPart: 'the run succeeds on the copy, and something could not be copied',
  },
  most: 1,
  async run({ values, positionals: [folder = '.'], print }) {
    process.chdir(folder);
    const project = stagedProject('rehearse', folder);
    await usablePulumi('rehearse');
    return untilStopped(async (stop) => {
      const rehearsal = await rehearsed(await sourcesOf(project, values), stop);
      print(rehearsal, rehearsalText);
      if (rehearsal.refused !== undefined) return EXIT.differs;
      return rehearsal.notCopied.length > 0 ? EXIT.inPart : EXIT.done;
    });
  },
});

const UNKNOWN: readonly string[] = [
  'secrets, which the service masks: they have placeholders, and count as unchanged',
  'which text of a secret list or map is the secret: beside the value of a setting, other texts stay as they are',
  'machines and their clouds: each machine comes up, and each cloud is a copy of the embedded one, with its services and offerings',
  'packs of the live service: those of this package take their place',
  'numbers and times: releases, records and deployments have those of the copy',
  'when others set a value in an environment: it counts as set since the last run',
  'what a deployment in progress or a failed one left half done',
];

type Sources = Awaited<ReturnType<typeof sourcesOf>>;

/** What a rehearsal is made of. The exported state has placeholders for secrets. */
async function sourcesOf(project: Project, options: SettingsOptions) {
  const stack = options.stack ?? (await selectedStack());
  if (stack === undefined) throw new WrongInput('no stack is selected: use --stack NAME');
  const found = await commandSettings({ ...options, stack });
  const { organization } = usable(found);
  const text = await stackExport({ stack, state: undefined, directory: undefined }, true);
  if ('absent' in text) throw new WrongInput(text.absent);
  const hidden = placeholdersFor(found.configuration, found.secrets);
  const masked = (written?: ReadonlySet<string>) => {
    const exported = inExport(text, (json) => withPlaceholders(json, hidden, written));
    return { exported, state: inExport(text, () => readState(exported, stack)) };
  };
  const { code } = codeOf({ file: undefined, project, found, organization, state: masked().state, stack });
  const { exported, state } = masked(new Set(code?.flatMap(({ inputs }) => textsIn(inputs))));
  const assemblies = [...state.records, ...(code ?? [])].flatMap(({ kind, inputs }) => {
    const name = inputs[kind.token === 'Assembly' ? 'name' : 'assembly'];
    return typeof name === 'string' ? [`${organization}/${name}`] : [];
  });
  return { stack, found, exported, state, assemblies: [...new Set(assemblies)] };
}

async function rehearsed(sources: Sources, stop: AbortSignal): Promise<Rehearsal> {
  const { stack, found, state, assemblies } = sources;
  const settings = usable(found);
  const { organization } = settings;
  const live = stoppable(apiOf(settings, { readOnly: true }), stop);
  const opened: { close(): unknown }[] = [live];
  try {
    const there = await readLive(live, assemblies, state);
    // What the stack made itself, the copy gets from its state.
    const made = state.records.filter(({ kind, inputs }) => kind.token === 'Cloud' && inputs['existing'] !== true);
    const clouds = (await live.call(routes.clouds.list, {})).map(({ ciName }) => ciName);
    const others = clouds.filter((name) => !made.some(({ inputs }) => inputs['name'] === name));
    const stage = await openStage({
      project: '.',
      users: there.users,
      speed: STAGE_SPEED,
      catalogue: catalogueWith(organization, others),
      dialect: await live.dialect(),
      resources: state.records.some(({ urn }) => urn.includes('pulumi-nodejs:dynamic')) ? 'dynamic' : 'plugin',
    });
    const client = (token: string): Api =>
      stoppable(createApi({ url: stage.url, organization, token, dialect: 'auto' }), stop);
    const apis = new Map(Object.entries(stage.tokens).map(([name, token]) => [name, client(token)]));
    opened.unshift(...apis.values(), stage);
    const as = (name: string): Api => apis.get(name) as Api;
    const copy = await copyStack(there, state, as);
    const [user = ''] = there.users;
    const run = await runOnCopy({ ...sources, stage, copy, api: as(user), user, stop });
    const records = [...there.assemblies.values()].flatMap((each) => each.records).length;
    const facts = { version: 1 as const, stack, service: settings.url, records, since: copy.since };
    const checks = checksIn(inFolder(stage.project, () => renderedData(bareName(stack))));
    const unknown = checks === 0 ? UNKNOWN : [...UNKNOWN, `whether the environments answer: ${notRun(checks)}`];
    return { ...facts, ...run, notCopied: copy.left, unknown };
  } finally {
    for (const each of opened) await each.close();
  }
}

interface Running extends Sources {
  readonly stage: Stage;
  readonly copy: Copy;
  readonly api: Api;
  readonly user: string;
  readonly stop: AbortSignal;
}

async function runOnCopy(running: Running): Promise<Pick<Rehearsal, 'plan' | 'deployments' | 'refused'>> {
  const { stage, found, api, user, stop } = running;
  const { organization } = usable(found);
  const stack = bareName(running.stack);
  const variables = { ONEOPS_URL: stage.url, ONEOPS_ORGANIZATION: organization, ONEOPS_TOKEN: stage.tokens[user] };
  const run = (words: string): ReturnType<typeof runOn> => runOn(stage, words, stop, { variables });
  const must = async (words: string): Promise<void> => {
    const ended = await run(words);
    if (ended.code !== 0) throw new Error(`"${words}" failed on the copy:\n${failureIn(ended)}`);
  };
  const settings = settingsOf(stack, {});
  const secrets = secretsIn(settings);
  const clear = Object.fromEntries(Object.entries(settings).filter(([key]) => !secrets.includes(key)));
  writeFileSync(join(stage.project, `Pulumi.${stack}.yaml`), JSON.stringify({ config: clear }));
  await must(`pulumi stack init ${stack}`);
  if (secrets.length > 0)
    await must(`pulumi config set-all ${secrets.map((key) => `--secret ${key}=${String(settings[key])}`).join(' ')}`);
  writeFileSync(join(stage.project, STATE), JSON.stringify(stateOnCopy(running)));
  await must(`pulumi stack import --file ${STATE}`);
  const preview = await run('pulumi preview --json --show-sames');
  const {
    records: _,
    unlisted: __,
    ...plan
  } = await withLive(readPreview(preview.stdout, { stack, organization }), api);
  if (preview.code !== 0) {
    const errors = plan.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    return { plan, deployments: [], refused: errors.join('\n') || failureIn(preview) };
  }
  const started = Date.now();
  const up = await run('pulumi up --yes --skip-preview');
  const deployments = await deploymentsIn(api, running.assemblies, started);
  return { plan, deployments, ...(up.code === 0 ? {} : { refused: failureIn(up) }) };
}

const STATE = 'rehearsed-state.json';

/** The state of the stack as the last run would have left it on the copy. */
function stateOnCopy({ stack, exported, state, copy, stage, found }: Running): unknown {
  const { deployment } = exported as { readonly deployment: { readonly resources?: readonly unknown[] } };
  const service = `${stage.url} ${usable(found).organization}`;
  const kinds = new Map(state.records.map(({ urn, kind }) => [urn, kind]));
  const resources = (deployment.resources ?? []).map((resource) => {
    const urn = isPlainObject(resource) ? String(resource['urn']) : '';
    const [kind, copied] = [kinds.get(urn), copy.values.get(urn)];
    if (!isPlainObject(resource) || kind === undefined || copied === undefined) return resource;
    const inputs = withCopied(kind, resource['inputs'] as Inputs, copied);
    const outputs = withCopied(kind, { ...(resource['outputs'] as Inputs), __api: service }, copied);
    return { ...resource, inputs, outputs };
  });
  // Secrets are in clear, as placeholders: the stage encrypts them by its own key.
  const settings = readFileSync(join(stage.project, `Pulumi.${bareName(stack)}.yaml`), 'utf8');
  const salt = /encryptionsalt\W+([\w+/=:]+)/.exec(settings)?.[1];
  const { pending_operations: _, ...rest } = deployment as { readonly [name: string]: unknown };
  const provider = { type: 'passphrase', state: { salt } };
  return { version: 3, deployment: { ...rest, secrets_providers: provider, resources } };
}

/** The deployments of the assemblies in the copy since a time, in their order. */
async function deploymentsIn(
  api: Api,
  assemblies: readonly string[],
  since: number,
): Promise<readonly RehearsedDeployment[]> {
  const found: (RehearsedDeployment & { readonly id: number })[] = [];
  for (const assembly of assemblies.map((id) => id.split('/')[1] ?? ''))
    for (const { ciName } of (await orNone(api.call(routes.environments.list, { address: { assembly } }))) ?? []) {
      const place = { assembly, environment: ciName };
      const all = await api.call(routes.deployments.list, { address: place });
      for (const each of all.filter(({ created }) => (created ?? 0) >= since)) {
        const { orders } = await progressOf({ api, place }, each, await releaseOf({ api, place }, each));
        found.push({
          id: each.deploymentId,
          environment: `${assembly}/${ciName}`,
          state: each.deploymentState,
          seconds: Math.round((Math.max(0, (each.updated ?? 0) - (each.created ?? 0)) * STAGE_SPEED) / 1000),
          orders: orders.map(({ name, action, state }) => ({ name, action, state })),
        });
      }
    }
  return found.sort((left, right) => left.id - right.id).map(({ id: _, ...deployment }) => deployment);
}

const MOST = 20;

function part(title: string, lines: readonly string[]): readonly string[] {
  const shown = lines.map((line) => `  ${line.replaceAll('\n', '\n    ')}`);
  return lines.length === 0 ? [] : [title, ...firstOf(shown, MOST, (rest) => `  ${rest} more: --json has them`)];
}

/** A rehearsal for people: each part with at most 20 lines. */
export function rehearsalText({
  stack,
  service,
  records,
  since,
  plan,
  deployments,
  refused,
  ...rest
}: Rehearsal): string {
  const steps = [
    ...plan.changes.map(({ operation, kind, address }) => `${operation} ${kind} ${address}`),
    ...Object.entries(plan.commits).map(([design, members]) => `commit the design of ${design}: ${members.join(' ')}`),
    ...plan.deployments.map(({ environment, does, because }) => `${environment} ${does}: ${because.join(' ')}`),
  ];
  const touched = (plan.live?.touched ?? []).map(({ environment, effect, instances }) => {
    const counts = Object.entries(instances).map(([component, names]) => `${names.length} of ${component}`);
    return `${environment}: ${counts.join(', ')} ${effect === 'go' ? 'go' : 'change'}`;
  });
  const lines = [
    `rehearsal of ${stack} on a copy of ${service}, ${plural(records, 'record')}`,
    ...part('since the last run:', since),
    ...part('the run, in its order:', steps.length === 0 && refused === undefined ? ['nothing changes'] : steps),
    ...part(
      'risks:',
      plan.risks.map(({ severity, address, message }) => `${severity} ${address}: ${message}`),
    ),
    ...part(
      'warnings:',
      plan.diagnostics.flatMap(({ severity, subject, message }) =>
        severity === 'warning' ? [subject === undefined ? message : `${subject}: ${message}`] : [],
      ),
    ),
    ...part('instances that are touched:', touched),
    ...deployments.flatMap(({ environment, state, seconds, orders }) =>
      part(
        `deployment of ${environment}, ${state} after ${seconds} s of simulated time:`,
        orders.map(({ name, action, state: ended }) => `${action} ${name}${ended === 'complete' ? '' : `: ${ended}`}`),
      ),
    ),
    ...part(
      'the run is refused, or fails; releases have the numbers of the copy:',
      refused === undefined ? [] : [refused],
    ),
    ...part('not copied:', rest.notCopied),
    ...part('a copy does not know:', rest.unknown),
  ];
  return `${lines.join('\n')}\n`;
}
