// Which component a name means: components of several classes may share a name in a platform.
import {
  type Instance,
  type Record as WireRecord,
  routes,
  type Template,
  templateClass,
  templatesOfClass,
} from '../../api/contract';
import { orNone } from '../../api/errors';
import { LifecycleError } from '../errors';
import { parseMemberPath } from '../address/member-path';
import { lookUp, subjectKey } from '../session';
import { isPendingDelete } from './live';
import { classTail } from './records';
import type { Work } from '../kind';
import { didYouMean } from '../values/text';

type Asking = Pick<Work, 'api' | 'session' | 'at'>;

/** A number of the service in place of a name: names begin with a letter. */
export const isNumber = (name: string): boolean => /^\d+$/.test(name);

/**
 * Where a pack is asked about: of the platforms that this run made of one pack, the first that
 * needs it.
 */
export async function packPlace({ session, at }: Asking): Promise<Asking['at']> {
  const { assembly = '', platform = '' } = at;
  const key = subjectKey({ token: 'Platform' }, ['', assembly, platform].join('/'));
  const { isBorn, inputs: { source, pack, version } = {} } = session.memory.of(key);
  if (isBorn !== true) return at;
  const made = `platform of ${assembly} from ${JSON.stringify([source, pack, version])}`;
  return { ...at, platform: await lookUp(session, made, () => Promise.resolve(platform)) };
}

/** The component of a template. The class is null where the pack has no such template. */
export const askTemplate = async (asking: Asking, type: string): Promise<Template> =>
  asking.api.call(routes.components.template, {
    address: await packPlace(asking),
    query: { template_name: type },
  });

/** Whether a component is of a template's class. Only the service can deny it. */
export async function isOfTemplate(asking: Asking, component: WireRecord, type: string): Promise<boolean> {
  const tail = classTail(component);
  if (templateClass(type) === tail || (templateClass(type) === undefined && templatesOfClass(tail).includes(type)))
    return true;
  const { ciClassName } = await askTemplate(asking, type);
  return Boolean(ciClassName) && classTail({ ciClassName: ciClassName ?? '' }) === tail;
}

/** The components that a name or number means, without those that are to be deleted. */
export const namedIn = <R extends WireRecord>(list: readonly R[], name: string): readonly R[] =>
  list.filter(
    (record) => !isPendingDelete(record) && (isNumber(name) ? String(record.ciId) === name : record.ciName === name),
  );

/** Key under which a run remembers what it knows of a design's component. */
const keyOf = ({ session, at }: Asking, name: string): string =>
  subjectKey(
    parseMemberPath(session.kinds, 'design', `${at['platform']}/${name}`)?.of ?? { token: '' },
    ['', at['assembly'], at['platform'], name].join('/'),
  );

export function declaredTemplate(asking: Asking, name: string): string | undefined {
  const { inputs, distinction } = asking.session.memory.of(keyOf(asking, name));
  return typeof inputs?.['type'] === 'string' ? inputs['type'] : distinction;
}

/** Those of several components of one name that the run means, or all. */
async function narrowed<R extends WireRecord>(
  asking: Asking,
  components: readonly R[],
  name: string,
): Promise<readonly R[]> {
  const type = declaredTemplate(asking, name);
  if (components.length < 2 || type === undefined) return components;
  const meant: R[] = [];
  for (const component of components) if (await isOfTemplate(asking, component, type)) meant.push(component);
  return meant;
}

export type Found = Pick<WireRecord, 'ciId' | 'ciClassName'>;

/** The components that a record's path means: one, unless several share the name. */
export async function componentsInPath(work: Asking): Promise<readonly Found[]> {
  const name = String(work.at['component']);
  const known = isNumber(name) ? Number(name) : work.session.memory.of(keyOf(work, name)).number;
  if (known !== undefined) return [{ ciId: known, ciClassName: '' }];
  return narrowed(work, namedIn(await designComponents(work), name), name);
}

/** Components of a design's platform; none without the platform. */
const designComponents = async ({ api, at }: Asking): Promise<readonly WireRecord[]> =>
  (await orNone(api.call(routes.components.list, { address: at }))) ?? [];

/** The one component that a name means. Throws LifecycleError when several do. */
export function theOnly<R extends Found>(components: readonly R[], name: string, place: string): R | undefined {
  const [only, other] = components;
  if (other === undefined) return only;
  const each = components.map(({ ciId, ciClassName }) => `${ciId} (${ciClassName})`);
  throw new LifecycleError(
    `${place} has ${components.length} components named "${name}": ${each.join(', ')}`,
    `write the number of the component that is meant in place of its name: ${components.map(({ ciId }) => ciId).join(' or ')}`,
  );
}

/** `platform shop/web`. */
export const platformText = ({ at }: Pick<Work, 'at'>): string =>
  `platform ${[at['assembly'], at['environment'], at['platform']].filter(Boolean).join('/')}`;

/**
 * The address of the environment's component, by number. Of several of one name the one whose twin
 * in the design the run declares. Throws LifecycleError when nothing says which is meant. Unchanged
 * when there is none: the service says so in its own words.
 */
export async function runningAddress(work: Asking): Promise<Work['at']> {
  const name = String(work.at['component']);
  if (isNumber(name)) return work.at;
  const list = await work.api.call(routes.operations.components, { address: work.at });
  const found = theOnly(await narrowed(work, namedIn(list, name), name), name, platformText(work));
  return found === undefined ? work.at : { ...work.at, component: String(found.ciId) };
}

/** All instances of the component the work is about. */
export const allInstances = async (work: Work): Promise<readonly Instance[]> =>
  instancesAt({ ...work, at: await runningAddress(work) });

/** What there is of an assembly, an environment, a platform or a component, in any state. */
export function instancesAt({ api, at }: Pick<Asking, 'api' | 'at'>): Promise<readonly Instance[]> {
  const { operations } = routes;
  const [, route = operations.assemblyInstances] =
    [
      ['component', operations.instances] as const,
      ['platform', operations.platformInstances] as const,
      ['environment', operations.environmentInstances] as const,
    ].find(([name]) => at[name] !== undefined) ?? [];
  // One dialect lists only unhealthy ones where nothing is said.
  return api.call(route, { address: at, query: { instances_state: 'all' } });
}

/** Those the declaration names, or all. Throws when one is named that does not run. */
export async function wantedInstances(work: Work): Promise<readonly Instance[]> {
  const instances = await allInstances(work);
  const names = work.args['instances'];
  if (!Array.isArray(names)) return instances;
  const running = instances.map(({ ciName }) => ciName);
  const missing = names.map(String).filter((name) => !running.includes(name));
  if (missing.length === 0) return instances.filter(({ ciName }) => names.includes(ciName));
  throw new LifecycleError(
    `${work.address['component']} has no instance ${missing.join(', ')}`,
    didYouMean(missing[0] ?? '', running, `its instances are ${running.join(', ') || 'none yet'}`),
  );
}
