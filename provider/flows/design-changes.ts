// What is open in a design: every record of it, and whether its change is this stack's (architecture §5 step 2, flows §5.10).
// It must not know what is done about others' changes.
import { routes, type Record as WireRecord } from '../../api/contract';
import { subjectKey } from '../session';
import { isLocked, isPendingDelete } from '../verbs/live';
import type { Work } from '../verbs/verbs';
import { standing, userOf, writerOf, type OpenPlace, type Own, type Standing } from './open-changes';
import { allMembers, isDeclared } from './sweep';

const HOUR = 60 * 60_000;

/** Whose a change is, by its record's path as members are named. */
type Owns = (path: string, record: WireRecord) => Own;

/**
 * The design of an assembly as a place of open changes. A change is this stack's when its record is a member, of the last run or of this one,
 * or when it came with a member: what a pack makes, changes or takes away of a platform, and what goes with a record that is deleted. No list
 * tells the open changes of a release, so the collections are read; those in what this run made are not: nobody else was there yet.
 */
export function openDesign(work: Work): OpenPlace {
  const members = allMembers(work);
  return placeOf(work, (path) => path in members);
}

/**
 * The same while a run still writes, and nobody can be waited for: the platform the work is in, or all of the design. Members are not known yet:
 * what this run declares so far, what the same user wrote, and the deleted record that the work makes again, is this stack's; of the rest nobody
 * can say.
 */
export async function openAmidWrites(work: Work): Promise<OpenPlace> {
  const user = await userOf(work);
  const isMadeAgain = ({ rfcAction, ciName }: WireRecord): boolean =>
    rfcAction === 'delete' && ciName === work.address['name'];
  return placeOf(
    work,
    (path, record) => isMadeAgain(record) || writerOf(record) === user || isDeclared(work, 'design', path) || 'unclear',
  );
}

function placeOf(work: Work, owns: Owns): OpenPlace {
  return {
    name: work.at['platform'] === undefined ? 'the design' : `platform ${work.at['platform']}`,
    limit: HOUR,
    list: () => standingInDesign(work, owns),
    openerOf: async (releaseId) => {
      const address = { ...work.at, release: String(releaseId) };
      return (await work.api.call(routes.designReleases.read, { address })).createdBy ?? '';
    },
  };
}

async function standingInDesign(work: Work, owns: Owns): Promise<readonly Standing[]> {
  if (isBorn(work, 'Assembly', [])) return [];
  const only = work.at['platform'];
  const [platforms, variables] = await Promise.all([
    work.api.call(routes.platforms.list, { address: work.at }),
    only === undefined ? work.api.call(routes.designVariables.list, { address: work.at }) : [],
  ]);
  const looked = platforms.filter(({ ciName }) => only === undefined || ciName === only);
  const inside = await Promise.all(looked.map((platform) => standingInPlatform(work, owns, platform)));
  return Promise.all([
    ...variables.map((variable) => member('variable', owns, variable, [], '$')),
    ...looked.map((platform) => member('platform', owns, platform, [])),
    ...inside.flat(),
  ]);
}

async function standingInPlatform(work: Work, owns: Owns, platform: WireRecord): Promise<readonly Promise<Standing>[]> {
  const { ciName: name } = platform;
  const isOwn = owns(name, platform);
  const isTheirs = platform.rfcAction === 'add' && !isOwn;
  if (isTheirs || isPendingDelete(platform) || isBorn(work, 'Platform', [name])) return [];
  const at = { ...work.at, platform: name };
  const [components, variables] = await Promise.all([
    work.api.call(routes.components.list, { address: at }),
    work.api.call(routes.platformVariables.list, { address: at }),
  ]);
  const ofPack = isOwn && isMadeByPack(platform) ? isUntouched : () => false;
  const ownsInside: Owns = (path, record) => ofPack(record) || owns(path, record);
  const staying = components.filter(
    (component) => !isPendingDelete(component) && !isBorn(work, 'Component', [name, component.ciName]),
  );
  const attachments = await Promise.all(
    staying.map(async ({ ciName: component }) => {
      const list = await work.api.call(routes.attachments.list, { address: { ...at, component } });
      return list.map((attachment) => member('attachment', ownsInside, attachment, [name, component]));
    }),
  );
  return [
    ...components.map((component) => member('component', ownsInside, component, [name])),
    ...variables.map((variable) => member('variable', ownsInside, variable, [name], '$')),
    ...attachments.flat(),
  ];
}

function member(noun: string, owns: Owns, record: WireRecord, outer: readonly string[], mark = ''): Promise<Standing> {
  const path = [...outer, `${mark}${record.ciName}`].join('/');
  return standing(`${noun} ${path}`, record, () => owns(path, record));
}

/** Whether the platform's own open change is one by which its pack makes or changes records: it is new, or of another version. */
const isMadeByPack = ({ rfcAction, ciBaseAttributes }: WireRecord): boolean =>
  rfcAction === 'add' ||
  (rfcAction === 'update' && ['version', 'pack_digest'].some((name) => name in (ciBaseAttributes ?? {})));

/** A pack locks nothing; whoever writes by hand does (wire-facts §2.1.5). */
const isUntouched = (record: WireRecord): boolean => !isLocked(record);

const isBorn = (work: Work, token: string, names: readonly string[]): boolean =>
  work.session.born.has(
    subjectKey({ token }, [work.api.organization, String(work.at['assembly']), ...names].join('/')),
  );
