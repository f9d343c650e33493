// Component verbs: those born with the platform are adopted and given back, optional ones come from a template (flows §3.3).
// It must not know the engine.
import { textAt } from '../text-at';
import {
  ENCRYPTED,
  routes,
  templatesOfClass,
  type Attributes,
  type Component as WireComponent,
} from '../../api/contract';
import { LifecycleError } from '../../api/errors';
import { inTurn, lookUp } from '../session';
import { bodyOf, createOrFind, deleteOnce, type Recording } from '../verbs/crud';
import { isPendingDelete, liveOf } from '../verbs/live';
import { AlreadyThere, readOrGone } from '../verbs/presence';
import type { Live, UpdateWork, Verbs, Work } from '../verbs/verbs';
import { afterPendingDelete, designQueue } from './platform';

const dependsOf = (component: WireComponent): readonly WireComponent[] =>
  (component.dependsOn ?? []).filter((other) => other.ciClassName === component.ciClassName);

const recording: Recording = {
  wrapper: 'cms_dj_ci',
  locked: true,
  memberNames: ['depends'],
  members: (record) => ({ depends: JSON.stringify(dependsOf(record as WireComponent).map((other) => other.ciName)) }),
};

async function readComponent(work: Work): Promise<WireComponent | undefined> {
  const found = await readOrGone(work.api, work.at, () => work.api.call(routes.components.read, { address: work.at }));
  return found === undefined || isPendingDelete(found) ? undefined : found;
}

async function read(work: Work): Promise<Live | undefined> {
  const found = await readComponent(work);
  if (found === undefined) return undefined;
  const type = textAt(work.args, 'type') || textAt(work.known, 'type') || (await typeOf(work, found));
  const origin = work.known?.['origin'] ?? (isPackBorn(found.ciName, type) ? 'pack' : 'own');
  return { ...liveOf(found, { ...recording.members?.(found), type }), origin: origin === 'pack' ? 'pack' : 'own' };
}

/**
 * The template of a component nobody declared yet: no record names it. One called like the component, else the only one of the pack that makes
 * this class (flows §3.3).
 */
async function typeOf(work: Work, found: WireComponent): Promise<string> {
  const tail = found.ciClassName.split('.').at(-1);
  const candidates = [found.ciName, ...templatesOfClass(tail ?? '').filter((name) => name !== found.ciName)];
  const fitting: string[] = [];
  for (const name of candidates) {
    const template = await work.api.call(routes.components.template, {
      address: work.at,
      query: { template_name: name },
    });
    if (template.ciClassName?.split('.').at(-1) === tail) fitting.push(name);
    if (fitting[0] === found.ciName) break;
  }
  if (fitting.length === 1 || fitting[0] === found.ciName) return fitting[0] as string;
  throw new LifecycleError(
    `cannot tell which template made it: ${fitting.length === 0 ? 'none' : fitting.join(', ')} of its pack make class ${found.ciClassName}`,
    'give "type" among the inputs of the import file',
  );
}

/** A component the pack made is named like its template; an optional one of that name is ours all the same when we created it. */
const isPackBorn = (name: string, type: string): boolean => name === type;

/** Verbs of the Component kind. */
export const componentVerbs: Verbs = {
  read,

  create: (work) =>
    inTurn(work.session, designQueue(work), async () => {
      const type = String(work.args['type']);
      if (isPackBorn(String(work.address['name']), type)) {
        const born = await readComponent(work);
        if (born) return adopt(work, born);
      }
      const template = await templateOf(work, type);
      const { type: _, depends, ...attributes } = work.wire;
      const body = {
        ...bodyOf({ ...work, wire: attributes }, recording, { ...template, ...attributes }),
        template_name: type,
        ...(await siblings(work, depends)),
      };
      return createOrFind(
        work,
        read,
        () => afterPendingDelete(work, () => work.api.call(routes.components.create, { address: work.at, body })),
        recording,
      );
    }),

  update: (work) => inTurn(work.session, designQueue(work), () => write(work)),

  delete: (work) =>
    inTurn(work.session, designQueue(work), async () => {
      if (work.known?.['origin'] !== 'pack') {
        await deleteOnce(() => work.api.call(routes.components.delete, { address: work.at }));
        return;
      }
      await giveBack(work);
    }),

  base: (work, live) => templateOf(work, String(live.wire['type'])),
};

async function adopt(work: Work, born: WireComponent): Promise<Live> {
  const live: Live = { ...liveOf(born, { ...recording.members?.(born), type: born.ciName }), origin: 'pack' };
  const { type: _, ...texts } = work.wire;
  const changes = Object.fromEntries(Object.entries(texts).filter(([name, text]) => live.wire[name] !== text));
  if (Object.keys(changes).length === 0) return live;
  // Values that are not the template's own were set by somebody: the lifecycle decides what becomes of them.
  const template = await templateOf(work, String(work.args['type']));
  const foreign = Object.keys(changes).some(
    (name) => name in template && live.wire[name] !== ENCRYPTED && (live.wire[name] ?? '') !== (template[name] ?? ''),
  );
  if (foreign) throw new AlreadyThere(live);
  return { ...(await write({ ...work, live, changes })), origin: 'pack' };
}

async function write(work: UpdateWork): Promise<Live> {
  const { type: _, depends, ...attributes } = work.changes;
  const { type: __, ...declared } = work.wire;
  const body = {
    ...bodyOf({ ...work, wire: declared }, recording, attributes, work.live),
    // A PUT without sibling_depends_on drops sibling links, so they always go along (wire-facts §4.5.2).
    ...(await siblings(work, depends ?? work.live.wire['depends'] ?? undefined)),
  };
  const record = await work.api.call(routes.components.update, { address: work.at, body });
  return {
    ...liveOf(record, { depends: depends ?? work.live.wire['depends'] ?? '[]', type: String(work.args['type']) }),
    origin: work.live.origin,
  };
}

/**
 * Writes the template's values back to the attributes that were ours, and unlocks them; what nobody declared stays. Ours are the declared ones,
 * or, when a sweep does not know them, those the record says the design owns.
 */
async function giveBack(work: Work): Promise<void> {
  const live = await readComponent(work);
  if (live === undefined) return;
  const template = await templateOf(work, textAt(work.known, 'type', live.ciName));
  const { type: _, depends: __, ...declared } = work.wire;
  const ours = Object.keys(declared).length > 0 ? Object.keys(declared) : Object.keys(live.ciAttrProps?.owner ?? {});
  const texts = Object.fromEntries(ours.map((name) => [name, template[name] ?? '']));
  const changes = Object.fromEntries(
    Object.entries(texts).filter(([name, text]) => (live.ciAttributes[name] ?? '') !== text),
  );
  if (Object.keys(changes).length === 0) return;
  await work.api.call(routes.components.update, {
    address: work.at,
    body: {
      ...bodyOf({ ...work, wire: {} }, recording, changes, liveOf(live)),
      ...(await siblings(work, recording.members?.(live)['depends'])),
    },
  });
}

/** The template's attribute texts, asked once per platform and template and run. An unknown template answers 200 without a class. */
async function templateOf(work: Work, type: string): Promise<{ readonly [name: string]: string }> {
  const platform = `${work.at['assembly']}/${work.at['platform']}`;
  const attributes = await lookUp(work.session, `template ${platform} ${type}`, async (): Promise<Attributes> => {
    const template = await work.api.call(routes.components.template, {
      address: work.at,
      query: { template_name: type },
    });
    if (!template.ciClassName)
      throw new LifecycleError(
        `the pack of platform ${platform} has no template "${type}"`,
        "the reference pages list each pack's templates",
      );
    return template.ciAttributes;
  });
  return Object.fromEntries(Object.entries(attributes).map(([name, text]) => [name, text ?? '']));
}

/** `sibling_depends_on` by record number, from names. */
async function siblings(work: Work, depends: string | undefined): Promise<object> {
  const names = JSON.parse(depends ?? '[]') as readonly string[];
  if (names.length === 0) return { sibling_depends_on: [] };
  const all = await work.api.call(routes.components.list, { address: work.at });
  const ids = names.map((name) => {
    const found = all.find((other) => other.ciName === name);
    if (!found)
      throw new LifecycleError(
        `it depends on "${name}", which the platform does not have`,
        'depends names components of the same platform',
      );
    return String(found.ciId);
  });
  return { sibling_depends_on: ids };
}
