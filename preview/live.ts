// What the service says about a plan: its instances, what comes along, costs. GETs only.
import type { Api } from '../api/client';
import { routes, type Instance, type Record as WireRecord } from '../api/contract';
import { addressNames, componentOf, parseId, parseMemberPath, platformOf, scopeOfId } from '../provider';
import { effectText, foreseenLosses, lossLine, type Loss } from '../provider/deploy';
import { instancesAt, kindOf, kinds } from '../provider/kinds';
import { newSession, remembering } from '../provider/session';
import { parsePropertyPath } from '../provider/values';
import { plural } from '../api/errors';
import { knownReleases, type LiveReader, newLiveReader, type WaitingRelease, waitingReleases } from '../drift';
import { LEFT, type LiveFacts, type Plan, type ResourceChange, type PlannedRisk, type TouchedInstances } from './plan';

/** The plan with what the service says about it; what could not be read is listed. */
export async function withLive(plan: Plan, connected: Api): Promise<Plan> {
  const reader = newLiveReader();
  const api = remembering(connected, newSession(kinds).answers);
  const assemblies = [...new Set(plan.deployments.map(({ environment }) => environment.split('/')[1] ?? ''))];
  const [found, waiting] = await Promise.all([
    Promise.all(assemblies.map((assembly) => instancesOf(api, reader, assembly))),
    waitingFor(plan, api, reader),
  ]);
  const instances = found.flat();
  const there = new Set(instances.map((each) => whereIs(each).environment));
  // The stack deploys for the first time what others deployed before.
  const left = { does: 'deploys', because: [LEFT] } as const;
  const deployments = plan.deployments.map((each) =>
    each.does === 'first' && there.has(each.environment) ? { ...each, ...left } : each,
  );
  const deploying = { ...plan, deployments };
  const lost = (
    await Promise.all(plan.deployments.map((each) => lostIn(plan, each, api, { reader, instances })))
  ).flat();
  const touched = touchedBy(withMembers(deploying, waiting, lost), instances);
  reader.unread.push(...unforeseen(plan), ...uncounted(deploying, waiting));
  const machines = touched.some(({ instances: byComponent }) => Object.keys(byComponent).length > 0);
  const offerings = machines
    ? await reader.read('offerings', async () => offeringsOf(await api.call(routes.catalogue.offerings, {})))
    : undefined;
  const costs = offerings && costsOf(plan, touched, instances, offerings);
  const { unread, authentication } = reader;
  const units = offerings && { units: [...new Set(offerings.map(({ unit }) => unit))] };
  const unpriced = grownIn(plan);
  const live: LiveFacts = {
    touched: touched.map(named),
    waiting,
    ...(costs ?? { costs: [], withoutOffering: 0 }),
    unpriced,
    ...units,
    unread,
    authentication,
  };
  return { ...deploying, risks: [...lost.map(refusalOf), ...plan.risks.map((risk) => withCount(risk, touched))], live };
}

/** What others took away in an environment that a plan deploys: a run is refused for it. */
interface Lost {
  readonly environment: string;
  readonly loss: Loss;
  /** Whether all that runs of its platform goes. */
  readonly isWhole: boolean;
}

async function lostIn(
  { records = [] }: Plan,
  { environment, does, pulls = false }: Plan['deployments'][number],
  api: Api,
  { reader, instances }: { readonly reader: LiveReader; readonly instances: readonly Instance[] },
): Promise<readonly Lost[]> {
  if (does !== 'deploys') return [];
  const losses = await reader.read(`what others took away in ${environment}`, () =>
    foreseenLosses(api, records, { environment, pulls }),
  );
  return (losses ?? []).map((loss) => {
    const places = instances.map(whereIs);
    const running = places.filter((each) => each.environment === environment && each.platform === loss.subject);
    return { environment, loss, isWhole: running.length > 0 && loss.instances >= running.length };
  });
}

function refusalOf({ environment, loss }: Lost): PlannedRisk {
  const message = `${lossLine(loss)}: ${effectText([loss])}. pulumi up refuses this unless the file accepts it`;
  return { severity: 'high', address: environment, message };
}

/** The releases that come along to the environments that a plan pulls into, or deploys. */
const waitingFor = (
  { deployments, records = [] }: Plan,
  api: Api,
  reader: LiveReader,
): Promise<readonly WaitingRelease[]> =>
  waitingReleases(
    { api, reader, known: knownReleases(records.map((each) => ({ ...each, computed: each.outputs ?? {} }))) },
    deployments
      .filter(({ does }) => does !== 'tears-down' && does !== 'lets-go')
      .map(({ environment, does, pulls }) => ({ environment, pulls: pulls === true, deploys: does !== 'pulls' })),
  );

/** A plan whose environments also deploy what comes along. */
const withMembers = (plan: Plan, waiting: readonly WaitingRelease[], lost: readonly Lost[]): Plan => ({
  ...plan,
  deployments: plan.deployments.map((each) => ({
    ...each,
    because: [
      ...each.because,
      ...waiting
        .filter(({ environments }) => environments.includes(each.environment))
        .flatMap(({ members = [] }) => members),
      ...lost.flatMap(({ environment, loss: { subject }, isWhole }) =>
        isWhole && environment === each.environment ? [`-${subject}`] : [],
      ),
    ],
  })),
});

/** Why it is not known what others took away: the preview does not list all records. */
const unforeseen = ({ deployments, unlisted = 0 }: Plan): readonly string[] =>
  unlisted > 0 && deployments.some(({ does }) => does === 'deploys')
    ? [
        `what others took away of ${plural(unlisted, 'unchanged record')}: the preview does not list them; make it with pulumi preview --json --show-sames`,
      ]
    : [];

/** Why it is not known how many instances a plan touches: what comes along, or is left, may touch more. */
const uncounted = ({ deployments }: Plan, waiting: readonly WaitingRelease[]): readonly string[] => [
  ...deployments
    .filter(({ because }) => because.includes(LEFT))
    .map(({ environment }) => `${LEFT} in ${environment}: which instances it touches is not known`),
  ...waiting.flatMap(({ isCountable, environments, releaseId, address }) => {
    const deploying = deployments.filter(
      ({ does, environment }) => does === 'deploys' && environments.includes(environment),
    );
    if (isCountable || deploying.length === 0) return [];
    return [`release ${releaseId} of ${address}: which instances it touches is not known`];
  }),
];

const instancesOf = async (api: Api, reader: LiveReader, assembly: string): Promise<readonly Instance[]> =>
  (await reader.read(`instances of assembly ${assembly}`, () => instancesAt({ api, at: { assembly } }))) ?? [];

/** Instances of one environment that a plan touches, as records. */
interface Touched extends Omit<TouchedInstances, 'instances'> {
  readonly instances: readonly Instance[];
}

/** Where an instance runs, and of what it is one, by its namespace and its name. */
const whereIs = (instance: Instance) => ({
  environment: instance.nsPath.split('/').slice(1, 4).join('/'),
  platform: platformOf(instance),
  component: componentOf(instance),
});

const cloudOf = ({ deployedTo }: Instance): string => deployedTo?.ciName ?? '';

function touchedBy(plan: Plan, instances: readonly Instance[]): readonly Touched[] {
  return plan.deployments.flatMap(({ environment, does, because }) => {
    if (does !== 'deploys' && does !== 'tears-down') return [];
    const here = instances.filter((instance) => whereIs(instance).environment === environment);
    const isGoing = (each: Instance): boolean =>
      does === 'tears-down' || goes(plan.changes, because, environment, each);
    const going = here.filter(isGoing);
    const changing = here.filter((each) => !going.includes(each) && changes(because, each));
    const touched = [
      { environment, effect: 'go', instances: going },
      { environment, effect: 'change', instances: changing },
    ] as const;
    return touched.filter((each) => each.instances.length > 0);
  });
}

/** Its platform or component leaves, is replaced, or its cloud leaves or goes offline. */
function goes(
  all: readonly ResourceChange[],
  because: readonly string[],
  environment: string,
  instance: Instance,
): boolean {
  const { platform, component } = whereIs(instance);
  if (because.includes(`-${platform}`) || because.includes(`-${platform}/${component}`)) return true;
  const assembly = environment.split('/').slice(0, 2).join('/');
  const where = { assembly, environment, platform, cloud: cloudOf(instance) };
  return all.some((each) => kindOf(each.kind)?.impact?.takesDown?.(factsOf(each), where) ?? false);
}

/** A change as kinds look at it. */
const factsOf = ({ operation, address, attributes }: ResourceChange) => ({
  ...{ operation, address },
  attributes: attributes.map(({ path, before, after }) => ({
    path: (parsePropertyPath(path) ?? [path]).map(String),
    before,
    after,
  })),
});

/** Environments that get instances in addition to those that run there. */
function grownIn({ changes: all, deployments }: Plan): readonly string[] {
  const grows = (environment: string): boolean => {
    const assembly = environment.split('/').slice(0, 2).join('/');
    return all.some(
      (each) => kindOf(each.kind)?.impact?.makesInstances?.(factsOf(each), { assembly, environment }) ?? false,
    );
  };
  return deployments
    .filter(({ environment, does }) => does === 'first' || (does === 'deploys' && grows(environment)))
    .map(({ environment }) => environment);
}

/** Its component, or something in it, was written, in the design or in this environment alone. */
function changes(because: readonly string[], instance: Instance): boolean {
  const { platform, component } = whereIs(instance);
  const own = `${platform}/${component}`;
  return because.some((member) => {
    const path = member.slice(1);
    if (path === own || path.startsWith(`${own}/`)) return true;
    const inside = parseMemberPath(kinds, 'environment', path)?.inside;
    return inside?.['platform'] === platform && inside['component'] === component;
  });
}

function named({ environment, effect, instances }: Touched): TouchedInstances {
  const byComponent: { [component: string]: string[] } = {};
  for (const instance of instances) {
    const { platform, component } = whereIs(instance);
    (byComponent[`${platform}/${component}`] ??= []).push(instance.ciName);
  }
  return { environment, effect, instances: byComponent };
}

/** Deleting an environment in which nothing runs is no outage. */
function withCount(risk: PlannedRisk, touched: readonly Touched[]): PlannedRisk {
  const going = touched.filter(({ effect, environment }) => effect === 'go' && environment === risk.address);
  const count = going.flatMap(({ instances }) => instances).length;
  return count === 0 ? risk : { ...risk, message: `${risk.message} (${count} instances now)` };
}

/** Sums over the machines that are touched: as they are, and as the plan makes them. */
function costsOf(
  plan: Plan,
  touched: readonly Touched[],
  instances: readonly Instance[],
  offerings: readonly CloudOffering[],
): Pick<LiveFacts, 'costs' | 'withoutOffering'> {
  const sums = new Map<string, LiveFacts['costs'][number]>();
  let withoutOffering = 0;
  for (const machine of instances.filter(({ ciClassName }) => /\.compute$/i.test(ciClassName))) {
    const effect = touched.find((each) => each.instances.includes(machine))?.effect;
    if (effect === undefined) continue;
    const attributes = { ...machine.ciAttributes, ...(effect === 'change' ? declaredFor(plan, machine) : {}) };
    const rateOf = (values: Machine['attributes']): CloudOffering | undefined =>
      offeringFor(offerings, cloudOf(machine), { className: machine.ciClassName, attributes: values });
    const before = rateOf(machine.ciAttributes);
    const after = effect === 'go' ? { unit: before?.unit ?? '', rate: 0 } : rateOf(attributes);
    if (before === undefined || after === undefined || before.unit !== after.unit) {
      withoutOffering += 1;
      continue;
    }
    const { unit } = before;
    const sum = sums.get(unit) ?? { before: 0, after: 0, machines: 0 };
    sums.set(unit, {
      unit,
      before: sum.before + before.rate,
      after: sum.after + after.rate,
      machines: sum.machines + 1,
    });
  }
  return { costs: [...sums.values()], withoutOffering };
}

/** Attributes that the plan gives the component a machine is an instance of. */
function declaredFor(plan: Plan, machine: Instance): Machine['attributes'] {
  const { environment, platform, component } = whereIs(machine);
  const [organization, assembly] = environment.split('/');
  const design = `${organization}/${assembly}/${platform}/${component}`;
  const isOwn = ({ kind, address }: ResourceChange): boolean => {
    const of = kindOf(kind);
    const scope = of && scopeOfId(of, address);
    if (scope === undefined || addressNames(scope).at(-1) !== 'component') return false;
    const named = parseId(scope, address)?.address;
    return (
      address.startsWith(`${environment}/`) && named?.['platform'] === platform && named['component'] === component
    );
  };
  // What is declared in the environment wins.
  const found = [plan.changes.find(({ address }) => address === design), plan.changes.find(isOwn)];
  return Object.fromEntries(
    found
      .flatMap((change) => change?.attributes ?? [])
      .flatMap(({ path, after }) => {
        const [, name] = /^attributes\.(\w+)$/.exec(path) ?? [];
        return name === undefined || after.is !== 'value' ? [] : [[name, String(after.value)]];
      }),
  );
}

interface CloudOffering {
  readonly cloud: string;
  /** `USD` */
  readonly unit: string;
  readonly rate: number;
  /** Undefined when the criteria are of an unknown form: such an offering fits nothing. */
  readonly fits: ((machine: Machine) => boolean) | undefined;
}

/** A machine as criteria look at it. */
interface Machine {
  readonly className: string;
  readonly attributes: { readonly [name: string]: string | null };
}

/** The offerings of clouds; those without a rate are left out. */
function offeringsOf(byType: { readonly [type: string]: readonly WireRecord[] }): readonly CloudOffering[] {
  return Object.values(byType)
    .flat()
    .flatMap(({ nsPath, ciAttributes }) => {
      const cloud = /\/_clouds\/([^/]+)\//.exec(nsPath)?.[1];
      const rate = Number(ciAttributes['cost_rate']);
      const unit = ciAttributes['cost_unit'];
      if (cloud === undefined || !Number.isFinite(rate) || typeof unit !== 'string' || unit === '') return [];
      return [{ cloud, unit, rate, fits: criteriaOf(String(ciAttributes['criteria'] ?? '')) }];
    });
}

/** The cheapest offering of a cloud that fits a machine. */
function offeringFor(offerings: readonly CloudOffering[], cloud: string, machine: Machine): CloudOffering | undefined {
  return offerings
    .filter((offering) => offering.cloud === cloud && offering.fits?.(machine) === true)
    .sort((left, right) => left.rate - right.rate)[0];
}

/** Criteria joined by AND: `(ciClassName matches 'bom…Compute') AND ciAttributes['size']=='M'`. */
function criteriaOf(text: string): CloudOffering['fits'] {
  const parts = text.split(/\s+(?:AND|and|&&)\s+/).map((part) =>
    part
      .trim()
      .replace(/^\((.*)\)$/s, '$1')
      .trim(),
  );
  const tests = parts.map(criterionOf);
  if (tests.some((test) => test === undefined)) return undefined;
  return (machine) => tests.every((test) => test?.(machine) === true);
}

function criterionOf(text: string): CloudOffering['fits'] {
  const [, pattern] = /^ciClassName matches '([^']*)'$/.exec(text) ?? [];
  if (pattern !== undefined) return ({ className }) => matches(className, pattern);
  const [, name, value] = /^ciAttributes\['(\w+)'\]\s*==\s*'([^']*)'$/.exec(text) ?? [];
  return name === undefined ? undefined : ({ attributes }) => attributes[name] === value;
}

/** Only patterns of classes and dots: others could take for ever, and come from outside. */
function matches(className: string, pattern: string): boolean {
  if (!/^[\w.\-[\]*]+$/.test(pattern)) return false;
  try {
    return new RegExp(`^(?:${pattern})$`).test(className);
  } catch {
    // Unbalanced brackets: it matches nothing.
    return false;
  }
}
