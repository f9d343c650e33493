// Whether the service contains and runs a declared stack, as after its first run in a new service.
// That such a run writes what is declared is judged for each kind (kinds/lifecycle, kinds/values).
import type { Api } from '../../api/client';
import { type Dialect, ENCRYPTED, type Record as WireRecord, type Route, routes } from '../../api/contract';
import { orNone } from '../../api/errors';
import { isPendingDelete } from '../../provider/verbs/live';
import { firstRun } from './first-run';
import { leftToDeploy } from './left-to-deploy';
import type { StackSpec } from './stack-spec';
import { makeWorld } from './world';

/** A service to look at: a client on it, and a clock that moves on while a job of it runs. */
interface Looked {
  readonly api: Api;
  readonly clock: { advance(milliseconds: number): void };
  /** Folders of packs that it has besides the tests' own. */
  readonly packs?: readonly string[];
}

/** A list, and what is below each of its records, which a parameter names. */
interface List {
  readonly list: Route;
  readonly parameter?: string;
  readonly below?: readonly List[];
}

const { environmentPlatforms } = routes;

const DESIGN: readonly List[] = [
  { list: routes.designVariables.list },
  {
    list: routes.platforms.list,
    parameter: 'platform',
    below: [
      { list: routes.platformVariables.list },
      {
        list: routes.components.list,
        parameter: 'component',
        below: [{ list: routes.attachments.list }, { list: routes.monitors.list }],
      },
    ],
  },
];

const ENVIRONMENT: readonly List[] = [
  { list: routes.environmentVariables.list },
  { list: routes.relays.list },
  {
    list: environmentPlatforms.list,
    parameter: 'platform',
    below: [
      { list: routes.environmentPlatformVariables.list },
      {
        list: environmentPlatforms.components,
        parameter: 'component',
        below: [{ list: routes.environmentAttachments.list }, { list: routes.environmentMonitors.list }],
      },
    ],
  },
];

type Address = Readonly<Record<string, string>>;

/** What there is, by place: `prod/web/compute size` is `M`. */
type Facts = Map<string, string>;

const listed = (names: readonly (string | undefined)[]): string => names.toSorted().join(' ');

/** Attributes, and which of them are locked. */
function note(
  facts: Facts,
  place: string,
  attributes: object,
  owners: { readonly [name: string]: string | null } = {},
): void {
  for (const [name, text] of Object.entries(attributes)) facts.set(`${place} ${name}`, String(text ?? ''));
  facts.set(`${place} locks`, listed(Object.keys(owners).filter((name) => owners[name])));
}

/** Notes the records of lists, and those below them. */
async function noteLists(
  facts: Facts,
  api: Api,
  place: string,
  address: Address,
  lists: readonly List[],
): Promise<void> {
  for (const { list, parameter, below = [] } of lists) {
    const records = (await orNone(api.call(list, { address }))) as readonly WireRecord[] | undefined;
    for (const record of records ?? []) {
      // What is deleted goes with a deployment: what is left to do says if one has to.
      if (isPendingDelete(record)) continue;
      const { ciName, ciClassName, ciAttributes, ciAttrProps, rfcAction } = record;
      const own = parameter === undefined ? `${place} ${list.name.split('.')[0]} ${ciName}` : `${place}/${ciName}`;
      note(facts, own, { ...ciAttributes, is: `${ciClassName} ${rfcAction ?? ''}` }, ciAttrProps?.owner);
      if (parameter === undefined) continue;
      const within = { ...address, [parameter]: ciName };
      const siblings = records?.filter((each) => each !== record && each.ciClassName === ciClassName) ?? [];
      await noteRelations(facts, api, own, within, siblings);
      await noteLists(facts, api, own, within, below);
    }
  }
}

/** Notes what a record has to do with others: links, dependencies on siblings, clouds, and what is scaled. */
async function noteRelations(
  facts: Facts,
  api: Api,
  place: string,
  address: Address,
  siblings: readonly WireRecord[],
): Promise<void> {
  if ('component' in address) {
    if ('environment' in address) return;
    const [{ ciClassName } = {}] = siblings;
    const { dependsOn } = ciClassName === undefined ? {} : await api.call(routes.components.read, { address });
    const known = (dependsOn ?? []).filter((each) => each.ciClassName === ciClassName);
    facts.set(`${place} depends`, listed(known.map(({ ciName }) => ciName)));
  } else if ('environment' in address) {
    const { consumes } = await api.call(environmentPlatforms.read, { address });
    for (const { toCi, relationAttributes } of consumes ?? [])
      note(facts, `${place} on ${toCi?.ciName}`, relationAttributes);
    const { depends_on: scaled } = await api.call(environmentPlatforms.edit, { address });
    for (const { toCi, relationAttributes, relationAttrProps } of scaled)
      note(facts, `${place} scale of ${toCi?.ciName}`, relationAttributes, relationAttrProps?.owner);
  } else {
    const { links_to: links } = await api.call(routes.platforms.read, { address });
    facts.set(`${place} links`, listed(links ?? []));
  }
}

/** Notes how many instances of each class run on each cloud that is active on their platform. */
async function noteInstances(facts: Facts, api: Api, place: string, address: Address): Promise<void> {
  const query = { instances_state: 'all' };
  const instances = await api.call(routes.operations.environmentInstances, { address, query });
  for (const { nsPath, ciClassName, deployedTo } of instances) {
    const on = `${place}/${nsPath.split('/')[5]} on ${deployedTo?.ciName}`;
    // What runs on an inactive cloud stays as it is.
    if (facts.get(`${on} adminstatus`) === 'inactive') continue;
    facts.set(`${on} runs ${ciClassName}`, String(Number(facts.get(`${on} runs ${ciClassName}`) ?? 0) + 1));
  }
}

/** All that there is of a stack, and what is left to do for it; pulls and commits its environments. */
async function factsOf({ api, clock }: Looked, spec: StackSpec): Promise<Facts> {
  const facts: Facts = new Map();
  const address = { assembly: spec.assembly ?? 'shop' };
  const assemblies = await api.call(routes.assemblies.list, {});
  facts.set('assemblies', listed(assemblies.map(({ ciName }) => ciName)));
  await noteLists(facts, api, address.assembly, address, DESIGN);
  const release = await orNone(api.call(routes.designReleases.latest, { address }));
  const left = release?.releaseState === 'open' ? ['a design release is open'] : [];
  for (const { ciName: environment } of await api.call(routes.environments.list, { address })) {
    const within = { ...address, environment };
    const { ciAttributes } = await api.call(routes.environments.read, { address: within });
    facts.set(`${environment} description`, ciAttributes['description'] ?? '');
    await noteLists(facts, api, environment, within, ENVIRONMENT);
    if (spec.environments?.[environment]?.deploy === false) continue;
    await noteInstances(facts, api, environment, within);
    left.push(...(await leftToDeploy(api, within, () => clock.advance(5_000))));
  }
  return facts.set('left to do', left.join(', '));
}

/** First runs of stacks: many tests look at the same ones. */
const firstRuns = new Map<string, Promise<Facts>>();

/** What the first run of a stack makes of a new service. What is another user's is made with it. */
async function factsOfFirstRun(dialect: Dialect, packs: Looked['packs'], text: string): Promise<Facts> {
  const spec = JSON.parse(text) as StackSpec;
  const world = makeWorld(dialect, packs);
  const { errors } = await firstRun(world, spec);
  const facts = await factsOf(world, spec);
  world.close();
  const wrong = [...errors, facts.get('left to do')].join('');
  if (wrong !== '') throw new Error(`a first run does not make it: ${wrong}`);
  return facts;
}

/** Everything that is not as declared, a line each: of no declaration, each assembly. */
export async function differences(looked: Looked, spec: StackSpec | undefined): Promise<readonly string[]> {
  const { api, packs } = looked;
  if (spec === undefined) return (await api.call(routes.assemblies.list, {})).map(({ ciName }) => `assembly ${ciName}`);
  const dialect = await api.dialect();
  const text = JSON.stringify(spec, (name, value: unknown) => (name === 'existing' ? undefined : value));
  const key = JSON.stringify([dialect, packs, text]);
  const first = firstRuns.get(key) ?? factsOfFirstRun(dialect, packs, text);
  firstRuns.set(key, first);
  const wanted = await first;
  const there = await factsOf(looked, spec);
  // No read shows the secret of a pack: once it was replaced, it cannot be given back.
  const isGivenBack = (place: string): boolean =>
    !there.get(place) && wanted.get(place) === ENCRYPTED && place.endsWith(' encrypted_value');
  return [...new Set([...there.keys(), ...wanted.keys()])]
    .filter((place) => there.get(place) !== wanted.get(place) && !isGivenBack(place))
    .map((place) => `${place}: ${there.get(place) || 'nothing'}, wanted ${wanted.get(place) || 'nothing'}`);
}
