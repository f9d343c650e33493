// A copy of the assemblies of a stack on the embedded service: first what the last run of the stack
// left, then what others did since, in their names. The live service is only read.
import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../../api/client';
import { routes, type Record as WireRecord } from '../../api/contract';
import { messageOf, orNone, WrongInput } from '../../api/errors';
import { type StackState, writtenSince } from '../../drift';
import { addressOf, diff, parseId, pathAddress, scopeOfId, type Inputs, type Kind } from '../../provider';
import { asOf, newestClosed, newestManifest, newestPull, ownUser } from '../../provider/history';
import { derived, survey, type DeclaredEntry, type TakenRecord } from '../../provider/import';
import { kinds, team } from '../../provider/kinds';
import { lifecycle, type Lifecycle, SILENT } from '../../provider/lifecycle';
import { newSession } from '../../provider/session';
import { hiddenName, settle, settledNames } from '../../provider/kinds/settled';
import { textAt, type Texts, withAt } from '../../provider/values';
import { PLACEHOLDER } from './settings';

/** What the live service has of the assemblies of a stack. */
type LiveStack = Awaited<ReturnType<typeof readLive>>;

export type Copy = Awaited<ReturnType<typeof copyStack>>;

/** Kinds that say what a run does, and have no values of their own to copy. */
const STEPS: readonly string[] = ['DesignRelease', 'Deployment'];

/** Reads the assemblies, by their ids, with GETs alone. `users`: who makes the run, and all writers. */
export async function readLive(api: Api, ids: readonly string[], state: StackState) {
  const user = (await ownUser(api)) ?? 'rehearsal';
  const assemblies = new Map<string, Survey>();
  for (const id of ids) {
    const release = state.records.find((record) => record.kind.token === 'DesignRelease' && record.id === id);
    assemblies.set(id, await surveyOf(api, id, Number(release?.computed['releaseId'] ?? 0)));
  }
  const writers = [...assemblies.values()].flatMap(({ records, before, changes }) => [
    ...[...records, ...before].map(writerOf),
    ...changes.map(({ by }) => by),
  ]);
  return { api, assemblies, users: [...new Set([user, ...writers])].filter((name) => name !== '') };
}

/** Who wrote a record last; empty where nothing shows it. */
const writerOf = ({ state }: TakenRecord): string => textAt(state.outputs, 'updatedBy', '');

interface Survey {
  /** Parents first. */
  readonly records: readonly TakenRecord[];
  /** The design as the last run of the stack left it, of what is still there. */
  readonly before: readonly TakenRecord[];
  /** The release of the design that the last run of the stack knew; 0 for none. */
  readonly last: number;
  /** What is open, and what the newest releases of the design committed, oldest first. */
  readonly changes: readonly { readonly record: WireRecord; readonly isOpen: boolean; readonly by: string }[];
  /** What could not be read, one line each. */
  readonly left: readonly string[];
}

/** How many releases of a design are read for who deleted something. */
const NEWEST = 10;

async function surveyOf(api: Api, id: string, last = 0): Promise<Survey> {
  const [, assembly = ''] = id.split('/');
  const address = { assembly };
  if ((await orNone(api.call(routes.assemblies.read, { address }))) === undefined)
    return { records: [], before: [], last, changes: [], left: [] };
  const { records, leftOut } = await survey(api, { address: `Assembly:${id}`, isWanted: () => true });
  const then = last > 0 ? await asOf(api, assembly, last) : undefined;
  const isWanted = ({ stage }: Kind): boolean => stage === 'design';
  const before = then && (await survey(then.api, { address: `Assembly:${id}`, isWanted })).records;
  const latest = await orNone(api.call(routes.designReleases.latest, { address }));
  const ended = await api.call(routes.designReleases.list, { address });
  const designs = [...ended.slice(0, NEWEST).reverse(), ...(latest === undefined ? [] : [latest])];
  const releases = await Promise.all([
    ...designs.map(({ releaseId }) => {
      const at = { address: { assembly, release: String(releaseId) }, query: { include_rfcs: 'cis' } };
      return api.call(routes.designReleases.read, at);
    }),
    ...environmentsIn(records).map((environment) => newestManifest({ api, at: { assembly, environment } }, 'open')),
  ]);
  const changes = releases.flatMap((release) =>
    (release?.rfc_cis ?? []).map((record) => ({
      record,
      isOpen: release?.releaseState === 'open',
      by: record.rfcUpdatedBy || record.rfcCreatedBy || release?.commitedBy || '',
    })),
  );
  return {
    records,
    before: before ?? [],
    last,
    changes,
    left: leftOut.map((each) => `${each.of.token} ${each.id}: ${each.says}`),
  };
}

/**
 * Makes the copy. `as`: its client for a user. `values`: computed outputs and settled inputs of
 * each record in the copy, by its URN. `since`: differences from the last run, as
 * `maria changed Component acme/shop/web/tomcat`. `left`: what could not be copied, one line each.
 * Throws WrongInput for a lost assembly.
 */
export async function copyStack(stack: LiveStack, state: StackState, as: (user: string) => Api) {
  const { api: live, assemblies } = stack;
  const mine = as(stack.users[0] ?? '');
  const left = [...assemblies.values()].flatMap((each) => each.left);
  for (const { name } of await live.call(routes.teams.list, {})) {
    const read = await lifeOn(live)(team).read(`${live.organization}/${name}`, undefined, SILENT);
    if (read !== undefined) await lifeOn(mine)(team).create(read.inputs, SILENT);
  }
  const isOurs = ({ of, id }: Pick<TakenRecord, 'of' | 'id'>): boolean =>
    state.records.some((each) => each.kind.token === of.token && each.id === id && each.inputs['existing'] !== true);
  const isOwner = (id: string): boolean =>
    state.records.some(({ kind }) => kind.token === 'Assembly' && isOurs({ of: kind, id }));
  for (const [id, survey] of assemblies) {
    if (survey.records.length === 0 && isOwner(id))
      throw new WrongInput(`the service no longer has the assembly ${id}: see pulumi refresh --preview-only`);
    // What belongs to other stacks has to be there before what this stack made in it.
    const others = { ...survey, records: survey.records.filter((record) => !isOurs(record)) };
    if (!isOwner(id)) left.push(...(await layOver(stack, as, id, others, [])).left);
  }
  const { values, pending, ...repeated } = await repeatLastRun(mine, state, async (id) => {
    // What the design had when the last run committed it, its environments have, too.
    const records = isOwner(id) ? (assemblies.get(id)?.before ?? []) : [];
    const present = (await surveyOf(mine, id)).records.filter((each) => records.some((other) => isSame(each, other)));
    left.push(...(await layOver(stack, as, id, { records, before: [], last: 0, changes: [], left: [] }, present)).left);
  });
  left.push(...repeated.left);
  const since: string[] = [];
  for (const [id, survey] of assemblies) {
    // The environments do not have it, and nobody set something else in them.
    const isPending = ({ of, id: record }: TakenRecord): boolean => {
      const words = record.split('/').filter((word) => word !== 'components');
      return of.stage === 'environment' && pending.has(words.slice(3, 5).join('/'));
    };
    const wanted = { ...survey, records: survey.records.filter((record) => !isPending(record)) };
    const laid = await layOver(stack, as, id, wanted, (await surveyOf(mine, id)).records);
    since.push(...laid.since);
    left.push(...laid.left);
  }
  return { values, since, left };
}

const lifeOn = (api: Api): ((of: Kind) => Lifecycle) => {
  const session = newSession(kinds);
  return (of) => lifecycle(of, () => Promise.resolve(api), session);
};

/**
 * Makes what the state holds, in its order, as the run did that wrote it. `pending`: components
 * that a failed run wrote, and did not commit, as `web/compute`.
 */
async function repeatLastRun(api: Api, state: StackState, beforeCommit: (assembly: string) => Promise<unknown>) {
  const life = lifeOn(api);
  const records = state.records.filter(({ kind }) => kind.verbs.isAction !== true || STEPS.includes(kind.token));
  const before = records.map(({ kind, inputs, computed }): DeclaredEntry => {
    const own = Object.entries(inputs).filter(([name]) => !settledNames(kind).includes(name) && !name.startsWith('__'));
    const args = Object.fromEntries(own);
    return { of: kind, address: addressOf(kind, args), args, outputs: computed };
  });
  const all = before.map((own): DeclaredEntry & { outputs: Inputs } => ({ ...own, outputs: {} }));
  for (const { of, args } of all) life(of).check(args);
  const values = new Map<string, Inputs>();
  const left: string[] = [];
  const pending = new Set<string>();
  for (const [index, record] of records.entries()) {
    const own = all[index] as DeclaredEntry & { outputs: Inputs };
    const settled = settle(own, all, derived);
    const settledBefore = settle(before[index] ?? own, before, derived);
    // What a failed run left to do is still to be done by the next one.
    const isDone = ([name]: readonly [string, unknown]): boolean =>
      JSON.stringify(record.inputs[name]) === JSON.stringify(settledBefore[name]);
    if (own.of.token === 'DesignRelease') {
      await beforeCommit(record.id);
      for (const each of writtenSince(record, records)) {
        pending.add(each.id.split('/').slice(2, 4).join('/'));
        left.push(`${each.kind.token} ${each.id}: the last run wrote it and did not commit it; it counts as deployed`);
      }
    }
    try {
      own.outputs = (await life(own.of).create({ ...own.args, ...settled }, SILENT)).outputs;
      const computed = Object.entries(own.outputs).filter(([name]) => !(name in own.args) && !(name in settled));
      values.set(record.urn, Object.fromEntries([...computed, ...Object.entries(settled).filter(isDone)]));
    } catch (error) {
      left.push(`${own.of.token} ${record.id}: ${messageOf(error)}`);
    }
  }
  return { values, left, pending };
}

/** Inputs or outputs of a resource of the state, with the values of the copy. */
export const withCopied = (of: Kind, before: Inputs, copied: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(before).map(([name, value]) => {
      const own = settledNames(of).find((argument) => hiddenName(argument) === name) ?? name;
      return [name, own in copied ? copied[own] : value];
    }),
  );

interface Change {
  readonly of: Kind;
  readonly id: string;
  readonly by: string;
  readonly did: 'created' | 'changed' | 'deleted';
  /** Not committed in the live service. */
  readonly isOpen: boolean;
  readonly apply: (api: Api) => Promise<unknown>;
}

/** Brings an assembly of the copy to the live one, in the names of its writers. */
async function layOver(
  { api: live, users: [user = ''] }: LiveStack,
  as: (user: string) => Api,
  id: string,
  wanted: Survey,
  present: readonly TakenRecord[],
): Promise<{ readonly since: readonly string[]; readonly left: readonly string[] }> {
  const [, assembly = ''] = id.split('/');
  const changes = await changesBetween(lifeOn(as(user)), wanted, present, user);
  const left: string[] = [];
  const noting = (what: string, work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => left.push(`${what}: ${messageOf(error)}`));
  const apply = async (some: readonly Change[]): Promise<void> => {
    for (const { of, id: record, by, apply } of some) await noting(`${of.token} ${record}`, apply(as(by)));
  };
  const committed = changes.filter(({ isOpen }) => !isOpen);
  const inDesign = committed.filter(({ of, id: record }) => environmentOf(of, record) === undefined);
  await apply(inDesign);
  const designer = inDesign[0]?.by;
  if (designer !== undefined) await noting(id, commitDesign(as(designer), assembly));
  for (const environment of environmentsIn([...wanted.records, ...present])) {
    const own = committed.filter(({ of, id: record }) => environmentOf(of, record) === environment);
    await apply(own);
    const by = own[0]?.by ?? designer;
    if (by === undefined || !environmentsIn(wanted.records).includes(environment)) continue;
    const pulled = designer === undefined ? 0 : await newestPull({ api: live, at: { assembly, environment } });
    const newest = pulled === 0 ? undefined : await newestClosed({ api: live, at: { assembly } });
    const isPulled = newest !== undefined && pulled >= newest.releaseId;
    await noting(environment, bringAlong(live, as(by), { assembly, environment }, isPulled));
    if (!isPulled && pulled > wanted.last)
      left.push(
        `environment ${id}/${environment}: others pulled design release ${pulled} into it since the last run and committed a newer one: what came with that pull does not run in the copy`,
      );
  }
  await apply(changes.filter(({ isOpen }) => isOpen));
  const since = changes.map(
    ({ of, id: record, by, did, isOpen }) => `${by} ${did} ${of.token} ${record}${isOpen ? ', not committed' : ''}`,
  );
  return { since, left };
}

const environmentsIn = (records: readonly TakenRecord[]): readonly string[] => [
  ...new Set(records.flatMap(({ of, id }) => (of.token === 'Environment' ? [id.split('/').at(-1) ?? ''] : []))),
];

/** The environment that a record is in, or is; undefined for one of the design. */
function environmentOf(of: Kind, id: string): string | undefined {
  const address = parseId(scopeOfId(of, id) ?? of, id)?.address ?? {};
  return of.token === 'Environment' ? address['name'] : address['environment'];
}

const isSame = (one: TakenRecord, other: TakenRecord): boolean =>
  one.of.token === other.of.token && one.id === other.id;

async function changesBetween(
  life: (of: Kind) => Lifecycle,
  { records, changes: made }: Survey,
  present: readonly TakenRecord[],
  user: string,
): Promise<readonly Change[]> {
  const differs = ({ of, id, inputs }: TakenRecord, there: Inputs): boolean =>
    diff(scopeOfId(of, id) ?? of, there, inputs).length > 0;
  const changes: Change[] = [];
  for (const record of records.filter(({ of }) => !STEPS.includes(of.token))) {
    const { of, id, inputs, state } = record;
    const facts = {
      of,
      id,
      by: writerOf(record) || user,
      isOpen: made.some((each) => each.isOpen && each.record.ciId === state.outputs['ciId']),
    };
    const there = present.find((other) => isSame(record, other));
    if (there !== undefined) {
      const olds = { ...there.state.outputs, ...there.inputs };
      if (differs(record, there.inputs))
        changes.push({ ...facts, did: 'changed', apply: (api) => lifeOn(api)(of).update(id, olds, inputs, SILENT) });
      continue;
    }
    // The copy may have the record without a value that anybody set: from its pack, or from a
    // design that the environment has not pulled.
    const given = await life(of)
      .read(id, inputs, SILENT)
      .catch(() => undefined);
    const whole = withUnseen(inputs, state.unseen ?? []);
    const did = given === undefined ? 'created' : 'changed';
    if (given === undefined || differs(record, given.inputs))
      changes.push({ ...facts, did, apply: (api) => lifeOn(api)(of).create(whole, SILENT) });
  }
  const gone = present.filter((record) => !records.some((other) => isSame(record, other)));
  const removed = [...gone].reverse().map((record): Change => {
    const name = record.id.split('/').at(-1);
    const deletion = made.findLast((each) => each.record.rfcAction === 'delete' && each.record.ciName === name);
    const { isOpen = false } = deletion ?? {};
    const by = deletion?.by || user;
    return { of: record.of, id: record.id, did: 'deleted', isOpen, by, apply: (api) => deleteOn(api, record) };
  });
  return [...changes, ...removed];
}

/** Deletes a record as a person does: a run of a stack may refuse that. */
async function deleteOn(api: Api, { of, id, state, inputs }: TakenRecord): Promise<void> {
  const scope = scopeOfId(of, id) ?? of;
  const address = parseId(scope, id)?.address ?? {};
  const known = { ...state.outputs, ...inputs };
  const at = pathAddress(scope, api.organization, address);
  await scope.verbs.delete({
    api,
    session: newSession(kinds),
    address,
    at,
    id,
    args: inputs,
    wire: {},
    known,
    ...SILENT,
  });
}

/** The inputs, with placeholders for the secrets that no read shows. */
const withUnseen = (inputs: Inputs, unseen: readonly (readonly string[])[]): Inputs =>
  unseen.reduce((all, path) => withAt(all, path, `${PLACEHOLDER}${path.at(-1)}`) as Inputs, inputs);

type At = { readonly assembly: string; readonly environment: string };

async function commitDesign(api: Api, assembly: string): Promise<void> {
  const latest = await api.call(routes.designReleases.latest, { address: { assembly } });
  if (latest.releaseState !== 'open') return;
  const address = { assembly, release: String(latest.releaseId) };
  await api.call(routes.designReleases.commit, { address, body: { desc: '' } });
}

/** Pulls, commits and deploys in the copy as in the live service. */
async function bringAlong(live: Api, copy: Api, address: At, isPulled: boolean): Promise<void> {
  const commit = async (): Promise<void> => {
    await copy.call(routes.environments.commit, { address, body: {} });
    await settled(copy, address);
  };
  await commit();
  if (isPulled) {
    // A pull of a new platform asks how available it is to be.
    const platforms = await live.call(routes.environmentPlatforms.list, { address });
    const availability = platforms.map(({ ciName, ciAttributes: own }) => [ciName, own['availability'] ?? 'default']);
    const body = { platform_availability: Object.fromEntries(availability) as Texts, async: 'true' };
    await copy.call(routes.environments.pull, { address, body });
    await settled(copy, address);
    await commit();
  }
  if (!(await isDeployed(live, address)) || (await isDeployed(copy, address))) return;
  await copy.call(routes.deployments.createFromCommitted, { address, body: { cms_deployment: {} } });
  await settled(copy, address);
  const goesOn = ['pending', 'active', 'pausing'];
  await until(async () => {
    const { deploymentState } = await copy.call(routes.deployments.latest, { address });
    return goesOn.includes(deploymentState) ? `its deployment is ${deploymentState}` : undefined;
  });
}

/** Milliseconds between two looks at the copy. */
const POLL = 50;

/** Looks at the copy that are made at most: about ten minutes of them, many hours of its time. */
const MOST_LOOKS = 12_000;

/** Looks until nothing goes on. Throws Error with what still does. */
async function until(goingOn: () => Promise<string | undefined>): Promise<void> {
  let found = await goingOn();
  for (let looks = 1; found !== undefined; looks += 1) {
    if (looks >= MOST_LOOKS) throw new Error(`the copy does not come to its end: ${found}`);
    await delay(POLL);
    found = await goingOn();
  }
}

const settled = (api: Api, address: At): Promise<void> =>
  until(async () => {
    const { ciState } = await api.call(routes.environments.read, { address });
    return ciState === 'default' ? undefined : `it is ${String(ciState)}`;
  });

/** Whether a plan of an environment would have nothing to do. */
async function isDeployed(api: Api, address: At): Promise<boolean> {
  const planned = await orNone(api.call(routes.deployments.preview, { address }));
  return (planned?.rfcs.cis ?? []).length === 0;
}
