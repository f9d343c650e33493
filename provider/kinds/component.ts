// The Component kind: a part of a platform, from its pack or a template (flows §3.3).
import {
  ENCRYPTED,
  routes,
  templatesOfClass,
  type Component as WireComponent,
  type Record as WireRecord,
  nameRules,
} from '../../api/contract';
import type { Live } from '../address/live';
import { judgeComponent } from './catalogue';
import { LifecycleError } from '../errors';
import { base, fixed, commented, member, open, refersTo, set, takingOver, text, unstamped } from '../values/field';
import { kind, type UpdateWork, type Verbs, type Work } from '../kind';
import { givenBack } from '../lifecycle/update';
import { isOursAlone } from '../secrets/writes';
import { textAt, type Texts, type Values, wordsAt, entryNames } from '../values/plain';
import { adopt } from '../verbs/adopt';
import { areForeignComments, commentsOf, emptiedComments, withComments, hasOwnComments } from '../verbs/comments';
import { bodyOf, createOrFind, deleteOnce, type Recording } from '../verbs/crud';
import { isStampOf, liveOf, ownersOf, restamped, stampOf, isLocked } from '../verbs/live';
import { askTemplate, isOfTemplate, namedIn, packPlace, platformText, theOnly } from '../verbs/named-component';
import { AlreadyThere, readOrGone } from '../verbs/presence';
import { numberedAddress, readNumbered, readRecord } from '../verbs/records';
import { afterPendingDelete, designQueue, platform } from './platform';

const recording: Recording = { wrapper: 'cms_dj_ci', memberNames: ['depends', 'comments'] };

/** The declared template, or that of the last run; otherwise empty. */
const typeIn = (work: Work): string => textAt(work.args, 'type') || textAt(work.known, 'type');

/** The list of components does not show dependencies. */
const readComponent = async (work: Work): Promise<WireComponent | undefined> => {
  const type = typeIn(work);
  if (type === '') return readUntyped(work);
  const isMeant = async (record: WireRecord): Promise<boolean> =>
    record.ciId === work.known?.['ciId'] || isOfTemplate(work, record, type);
  const neighbours = ['dependsOn', 'dependents'];
  // An import takes all that the record says.
  const isAsked = 'depends' in work.args || work.known === undefined;
  return readRecord(work, { ...routes.components, isMeant }, neighbours, isAsked);
};

/**
 * A component of which only the name or number is known. Several of one name are distinguished by
 * the stamp of our last write. Throws LifecycleError when nothing distinguishes them.
 */
async function readUntyped(work: Work): Promise<WireComponent | undefined> {
  const name = String(work.address['name']);
  const list = await readOrGone(work.api, work.at, () => work.api.call(routes.components.list, { address: work.at }));
  const named = namedIn(list ?? [], name);
  const written = named.filter((record) => isStampOf(stampOf(record), textAt(work.known, 'revision')));
  const found = written.length === 1 ? written[0] : theOnly(named, name, platformText(work));
  return found && readNumbered(work, routes.components, found);
}

async function liveFound(work: Work, found: WireComponent): Promise<Live> {
  const declared = typeIn(work);
  const type = declared || work.known !== undefined ? declared : await typeOf(work, found);
  return { ...(await liveComponent(work, found, type)), named: { name: found.ciName } };
}

async function liveComponent(work: Work, found: WireComponent, type: string): Promise<Live> {
  const depends = JSON.stringify(await siblingNames(work, found, type));
  return liveOf(found, { ...commentsOf(found), depends, type });
}

/** How many components of each template the platform's pack wants. */
const templatesOf = async (work: Work) =>
  work.api.call(routes.platforms.componentTypes, { address: await packPlace(work) });

/**
 * Components of the same template it depends on. The record shows classes only: one of the same
 * class that is named like another template is that template's.
 */
async function siblingNames(work: Work, component: WireComponent, type: string): Promise<readonly string[]> {
  const alike = (component.dependsOn ?? []).filter((other) => other.ciClassName === component.ciClassName);
  const names = alike.map(({ ciName }) => ciName);
  const declared = [work.args, work.known].flatMap((values) => wordsAt(values, 'depends'));
  const isClear = (name: string): boolean => name === type || declared.includes(name);
  if (names.every(isClear)) return names;
  const templates = await templatesOf(work);
  return names.filter((name) => isClear(name) || !(name in templates));
}

/** The template of an undeclared component: its name, or the only one of its class. */
async function typeOf(work: Work, found: WireComponent): Promise<string> {
  const tail = found.ciClassName.split('.').at(-1);
  const candidates = [found.ciName, ...templatesOfClass(tail ?? '').filter((name) => name !== found.ciName)];
  const fitting: string[] = [];
  for (const name of candidates) {
    const template = await askTemplate(work, name);
    if (template.ciClassName?.split('.').at(-1) === tail) fitting.push(name);
    if (fitting[0] === found.ciName) break;
  }
  if (fitting.length === 1 || fitting[0] === found.ciName) return fitting[0] as string;
  throw new LifecycleError(
    `cannot tell which template made it: ${fitting.length === 0 ? 'none' : fitting.join(', ')} of its pack make class ${found.ciClassName}`,
    'give "type" among the inputs of the import file',
  );
}

/** A component of the pack is named like its template, of which there must be one. */
const isMadeByPack = async (work: Work, name: string, type: string): Promise<boolean> =>
  name === type && Number((await templatesOf(work))[type]?.min ?? 0) > 0;

/** Whether the pack makes the component that is declared, or that was found. */
const isGiven = (work: Work, live?: Live): Promise<boolean> =>
  isMadeByPack(
    work,
    String(live?.named?.['name'] ?? work.address['name']),
    String(live?.wire['type'] ?? work.args['type']),
  );

/** Adds a component from its template. */
async function add(work: Work): Promise<Live> {
  const type = String(work.args['type']);
  const { className, attributes: template } = await templateOf(work, type);
  const { type: _, depends, ...attributes } = work.wire;
  const body = {
    ...bodyOf({ ...work, wire: attributes }, recording, { ...readable(template), ...attributes }),
    template_name: type,
    ...(await siblings(work, className, depends)),
  };
  const made = await createOrFind(
    work,
    (again) => componentVerbs.read(again),
    () => afterPendingDelete(work, () => work.api.call(routes.components.create, { address: work.at, body })),
    recording,
  );
  return { ...made, origin: (await isGiven(work)) ? 'pack' : 'created' };
}

const components: Verbs = adopt<WireComponent>({
  queue: designQueue,
  find: readComponent,
  live: liveFound,
  isGiven,
  make: add,
  take,
  write,
  giveBack,

  async remove(work, found) {
    const address = numberedAddress(work, routes.components, found);
    await deleteOnce(() => work.api.call(routes.components.delete, { address }));
  },

  base: async (work, live) => (await templateOf(work, String(live.wire['type']))).attributes,
});

const componentVerbs: Verbs = withComments(components);

/** Writes to a component that its pack made. */
async function take(work: Work, born: WireComponent): Promise<Live> {
  const live = await liveComponent(work, born, born.ciName);
  const { type: _, ...texts } = work.wire;
  const changes = Object.fromEntries(Object.entries(texts).filter(([name, text]) => live.wire[name] !== text));
  if (Object.keys(changes).length === 0) {
    // A user, or an interrupted run, set them: the row says that they are taken over.
    if (Object.keys(texts).some((name) => live.owners?.[name] !== undefined)) throw new AlreadyThere(live);
    return live;
  }
  // A user set values other than the template's: the lifecycle decides about them.
  const { attributes: template } = await templateOf(work, String(work.args['type']));
  const secrets = Object.keys(changes).filter((name) => live.wire[name] === ENCRYPTED);
  const foreign = Object.keys(changes).some(
    (name) => name in template && !secrets.includes(name) && (live.wire[name] ?? '') !== (template[name] ?? ''),
  );
  // A secret that only we wrote is the pack's, or that of an earlier run.
  const isForeignSecret = secrets.length > 0 && !(await isOursAlone(work, live.writes?.writers));
  if (
    foreign ||
    areForeignComments(work, born) ||
    isForeignSecret ||
    secrets.some((name) => live.owners?.[name] !== undefined)
  )
    throw new AlreadyThere(live);
  return write({ ...work, live, changes });
}

async function write(work: UpdateWork): Promise<Live> {
  const { type: _, depends, ...attributes } = work.changes;
  const { type: __, ...declared } = work.wire;
  const body = {
    ...bodyOf({ ...work, wire: declared }, recording, attributes, work.live),
    // A PUT without sibling_depends_on drops sibling links (service-facts §4.5.2).
    ...(await siblings(work, work.live.className, depends ?? work.live.wire['depends'] ?? undefined)),
  };
  const address = numberedAddress(work, routes.components, work.live);
  const record = await work.api.call(routes.components.update, { address, body });
  const siblingsNow = depends ?? work.live.wire['depends'] ?? '[]';
  const members = { ...commentsOf(record), depends: siblingsNow, type: String(work.args['type']) };
  const written = liveOf(record, members);
  return depends === undefined ? written : restamped(written, work.live, work.session.clock.now());
}

/** Writes the template's values back to our attributes, and unlocks them. */
async function giveBack(work: Work, live: WireComponent): Promise<void> {
  const type = textAt(work.known, 'type', live.ciName);
  const { attributes: template } = await templateOf(work, type);
  const ours = declaredAttributes(work) ?? Object.keys(ownersOf(live));
  const all = Object.fromEntries(ours.map((name) => [name, template[name] ?? '']));
  const isOurs = (name: string): boolean =>
    (live.ciAttributes[name] ?? '') !== all[name] || Boolean(live.ciAttrProps?.owner?.[name]);
  const { texts } = ours.some(isOurs) ? await givenBack(work, live.ciClassName, all) : { texts: {} };
  const written = { ...(Object.keys(texts).some(isOurs) ? texts : {}), ...emptiedComments(work, live) };
  if (Object.keys(written).length === 0) return;
  await work.api.call(routes.components.update, {
    address: numberedAddress(work, routes.components, live),
    body: {
      ...bodyOf({ ...work, wire: {} }, recording, written, liveOf(live)),
      ...(await siblings(work, live.ciClassName, JSON.stringify(await siblingNames(work, live, type)))),
    },
  });
}

/** Names of the attributes declared last; undefined when a sweep does not know them. */
function declaredAttributes({ args }: Work): readonly string[] | undefined {
  return Object.keys(args).length === 0 ? undefined : entryNames(args['attributes']);
}

/** Class and attributes of a template; requested once per platform, template and run. */
async function templateOf(
  work: Work,
  type: string,
): Promise<{ readonly className: string; readonly attributes: Texts }> {
  const platform = `${work.at['assembly']}/${work.at['platform']}`;
  const template = await askTemplate(work, type);
  // An unknown template answers 200 without a class.
  if (!template.ciClassName)
    throw new LifecycleError(
      `the pack of platform ${platform} has no template "${type}"`,
      'pulumi-oneops packs NAME lists the templates of a packaged pack; so do the pages in docs/reference/packs',
    );
  const texts = Object.entries(template.ciAttributes).map(([name, text]): [string, string] => [name, text ?? '']);
  return { className: template.ciClassName, attributes: Object.fromEntries(texts) };
}

/** Texts that can be sent: what reads as encrypted is no value (service-facts §2.1.4). */
const readable = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ENCRYPTED));

/** `sibling_depends_on` by record number, from the names of components of a class. */
async function siblings(work: Work, className: string, depends: string | undefined): Promise<object> {
  const names = JSON.parse(depends ?? '[]') as readonly string[];
  if (names.length === 0) return { sibling_depends_on: [] };
  const all = await work.api.call(routes.components.list, { address: work.at });
  const ids = names.map((name) => {
    const named = namedIn(all, name);
    const found = named.find((other) => other.ciClassName === className);
    if (found) return String(found.ciId);
    const [other] = named;
    throw new LifecycleError(
      other === undefined
        ? `it depends on "${name}", which the platform does not have`
        : `it depends on "${name}", which is of class ${other.ciClassName} and not ${className}`,
      'depends names components of the same platform and template',
    );
  });
  return { sibling_depends_on: ids };
}

/** A component in a stack file: its attributes below its name, which is below its template. */
export const writtenBelowTemplate = ({ type, attributes = {} }: Values) =>
  typeof type === 'string'
    ? { below: type, first: attributes as Values, omits: ['type', 'attributes'] }
    : { reason: 'its template is not known' };

export const component = kind({
  token: 'Component',
  description: 'A part of a platform: a machine, a user, a server, a volume.',
  path: routes.components.read.path,
  within: platform,
  nameRule: nameRules.component,
  stage: 'design',
  found: {
    list: {
      route: routes.components.list,
      isReviewed: true,
      isGiven: (record) => !isLocked(record) && !hasOwnComments(record),
    },
  },
  fields: {
    type: fixed(text()).describe("The pack's template it is made from: `compute`, `user`, `tomcat`."),
    attributes: open()
      .optional()
      .describe("Attributes of its class, by the service's names. Others keep the template's value."),
    ...commented,
    depends: base('[]', unstamped(member(refersTo('Component', set()))))
      .optional()
      .describe('Components of the same template it depends on, by name.'),
    ...takingOver,
  },
  impact: {
    // Each machine has one of every other component.
    makesInstances: ({ operation, address, attributes }, { assembly }) =>
      operation === 'create' &&
      address.startsWith(`${assembly}/`) &&
      attributes.some(({ path, after }) => path.join() === 'type' && after.value === 'compute'),
    deleted: {
      severity: 'medium',
      message: 'the component is taken out: its instances go from every environment',
      ofPack: "the component came with the pack: it is set back to the pack's defaults",
    },
  },
  inFile: {
    path: 'platforms.*.components.*',
    apart: ['type', 'attributes'],
    written: writtenBelowTemplate,
  },
  verbs: componentVerbs,
  judge: judgeComponent,
  sample: {
    create: {
      type: 'user',
      attributes: { username: 'deployer', sudoer: false, authorized_keys: ['ssh-rsa AAA'] },
      depends: ['parent'],
      comments: 'made first',
    },
    update: {
      attributes: { username: 'deployer', description: 'deploys', sudoer: true, authorized_keys: [] },
      depends: [],
      comments: 'made later',
    },
    replace: { type: 'job', attributes: { minute: '5' }, depends: ['nightly'] },
  },
});
