// The records of an assembly after an earlier release: the answers of the service, without later
// releases and without uncommitted changes.
import type { Api } from '../../api/client';
import { layered, routes, type Layer, type Record as WireRecord, type Release } from '../../api/contract';
import { NotFound } from '../../api/errors';
import { isPlainObject, type Values } from '../values/plain';
import { closedAfter, isManifest, newestPull, readRelease } from './environment-releases';

/** Most releases of a list. */
const PAGE = '500';

/**
 * The design as a release of it was committed; or an environment as one of its releases was, with
 * its design then: a client that answers as then for records that exist still, records that were
 * deleted since, and changes since, newest first. Undefined without such a committed release.
 */
export async function asOf(api: Api, assembly: string, releaseId: number) {
  const releases = await committedReleases(api, assembly);
  const target = releases.find((release) => release.releaseId === releaseId);
  if (target === undefined) return undefined;
  const { environment } = target;
  const ofDesign =
    environment === undefined
      ? releaseId
      : await newestPull({ api, at: { assembly, environment } }, { upTo: releaseId });
  const later = releases
    .filter((each) => each.environment === undefined || each.environment === environment)
    .filter((each) => each.releaseId > (each.environment === undefined ? ofDesign : releaseId))
    .sort((one, other) => other.releaseId - one.releaseId);
  const read = await Promise.all(
    later.map((release) => readRelease({ api, at: { assembly, environment: release.environment } }, release.releaseId)),
  );
  const records = read.flatMap(({ rfc_cis: changes = [] }) => changes);
  const relations = read.flatMap(({ rfc_relations: changes = [] }) => changes);
  const isAdded = (change: { readonly rfcAction?: unknown }): boolean => change.rfcAction === 'add';
  // A record that was deleted and created again was there, under another number.
  const again = new Map<number, number>();
  const gone = records.filter(({ ciId, rfcAction }) => rfcAction === 'delete' && !records.some(isAddOf(ciId)));
  for (const old of gone) {
    const last = records.find((change) => isAdded(change) && placeOf(change) === placeOf(old));
    if (last !== undefined && !gone.some(({ ciId }) => ciId === last.ciId)) again.set(old.ciId, last.ciId);
  }
  const recreated = new Set(again.values());
  const added = new Set([
    ...records.filter((change) => isAdded(change) && !recreated.has(change.ciId)).map(({ ciId }) => ciId),
    ...relations.filter(isAdded).map(({ ciRelationId }) => ciRelationId),
  ]);
  const before = new Map<number, object>();
  // The oldest change is the last one, and has the values of then.
  const note = (id: number, values: unknown): unknown => before.set(id, { ...before.get(id), ...(values as object) });
  for (const { ciId, rfcAction, ciAttributes, ciBaseAttributes } of records) {
    const number = again.get(ciId);
    if (number !== undefined && rfcAction === 'delete') note(number, ciAttributes);
    note(number ?? ciId, ciBaseAttributes);
  }
  relations.forEach((relation) => note(relation.ciRelationId, relation['relationBaseAttributes']));
  const answer: Layer = (next) => async (route, input) => {
    const now = await next(route, input);
    if (isNewer(now, added))
      throw new NotFound({ method: route.method, path: route.name, status: 404, messages: ['it was created later'] });
    return earlier(now, { before, added });
  };
  return {
    api: layered(api, answer),
    deleted: gone.filter(({ ciId }) => !again.has(ciId)),
    changed: records.filter(({ ciId, rfcAction }) => rfcAction === 'update' && !added.has(ciId)),
  };
}

const placeOf = ({ nsPath, ciClassName, ciName }: WireRecord): string => `${nsPath} ${ciClassName} ${ciName}`;

const isAddOf =
  (number: number) =>
  ({ ciId, rfcAction }: WireRecord): boolean =>
    ciId === number && rfcAction === 'add';

/** The committed releases of the design, `environment` undefined, and of each environment. */
async function committedReleases(api: Api, assembly: string) {
  const query = { size: PAGE };
  const environments = await api.call(routes.environments.list, { address: { assembly } });
  const lists = [undefined, ...environments.map(({ ciName }) => ciName)].map(async (environment) => {
    const all: readonly Release[] =
      environment === undefined
        ? await api.call(routes.designReleases.list, { address: { assembly }, query })
        : await api.call(routes.environmentReleases.list, { address: { assembly, environment }, query });
    return closedAfter(environment === undefined ? all : all.filter(isManifest)).map(({ releaseId }) => ({
      releaseId,
      environment,
    }));
  });
  return (await Promise.all(lists)).flat();
}

interface Later {
  /** Values of then, by number of a record or a relation. */
  readonly before: ReadonlyMap<number, object>;
  /** Numbers of records and relations that did not exist then. */
  readonly added: ReadonlySet<number>;
}

const numberOf = (value: Values): number => Number(value['ciRelationId'] ?? value['ciId'] ?? 0);

/** Whether an answer, or a part of one, is a record that is newer, or that is not committed. */
const isNewer = (value: unknown, added: Later['added']): boolean =>
  isPlainObject(value) &&
  (added.has(numberOf(value)) ||
    (value['rfcAction'] === 'add' && (value['ciAttributes'] ?? value['relationAttributes']) !== undefined));

/** An answer, or a part of one, as it was. */
function earlier(value: unknown, later: Later): unknown {
  if (Array.isArray(value))
    return value.filter((each) => !isNewer(each, later.added)).map((each) => earlier(each, later));
  if (!isPlainObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, earlier(part, later)] as const);
  const own = Object.fromEntries(parts.filter(([name]) => name !== 'rfcAction'));
  const then = later.before.get(numberOf(value));
  for (const [attributes, open] of [
    ['ciAttributes', 'ciBaseAttributes'],
    ['relationAttributes', 'relationBaseAttributes'],
  ] as const)
    if (isPlainObject(own[attributes]))
      own[attributes] = { ...own[attributes], ...(value[open] as object | undefined), ...then };
  return own;
}
