// What is open in a design: every record of it, and whether its change is this stack's (architecture §5 step 2, flows §5.10).
// It must not know what is done about others' changes.
import { routes, type Record as WireRecord } from '../../api/contract';
import { subjectKey } from '../session';
import { isLocked, isPendingDelete } from '../verbs/live';
import type { Work } from '../verbs/verbs';
import { standing, type OpenPlace, type Standing } from './open-changes';
import { allMembers } from './sweep';

const HOUR = 60 * 60_000;

/**
 * The design of an assembly as a place of open changes. A change is this stack's when its record is a member, of the last run or of this one,
 * or when it came with a member: what a pack makes, changes or takes away of a platform, and what goes with a record that is deleted. No list
 * tells the open changes of a release, so the collections are read; those in what this run made are not: nobody else was there yet.
 */
export function openDesign(work: Work): OpenPlace {
  return {
    name: 'the design',
    limit: HOUR,
    list: () => standingInDesign(work),
    openerOf: async (releaseId) => {
      const address = { ...work.at, release: String(releaseId) };
      return (await work.api.call(routes.designReleases.read, { address })).createdBy ?? '';
    },
  };
}

async function standingInDesign(work: Work): Promise<readonly Standing[]> {
  if (isBorn(work, 'Assembly', [])) return [];
  const members = allMembers(work);
  const [platforms, variables] = await Promise.all([
    work.api.call(routes.platforms.list, { address: work.at }),
    work.api.call(routes.designVariables.list, { address: work.at }),
  ]);
  const inside = await Promise.all(platforms.map((platform) => standingInPlatform(work, members, platform)));
  return Promise.all([
    ...variables.map((variable) => member('variable', members, variable, [], '$')),
    ...platforms.map((platform) => member('platform', members, platform, [])),
    ...inside.flat(),
  ]);
}

type Members = ReturnType<typeof allMembers>;

async function standingInPlatform(
  work: Work,
  members: Members,
  platform: WireRecord,
): Promise<readonly Promise<Standing>[]> {
  const { ciName: name } = platform;
  const isTheirs = platform.rfcAction === 'add' && !(name in members);
  if (isTheirs || isPendingDelete(platform) || isBorn(work, 'Platform', [name])) return [];
  const at = { ...work.at, platform: name };
  const [components, variables] = await Promise.all([
    work.api.call(routes.components.list, { address: at }),
    work.api.call(routes.platformVariables.list, { address: at }),
  ]);
  const ofPack = name in members && isMadeByPack(platform) ? isUntouched : () => false;
  const staying = components.filter(
    (component) => !isPendingDelete(component) && !isBorn(work, 'Component', [name, component.ciName]),
  );
  const attachments = await Promise.all(
    staying.map(async ({ ciName: component }) => {
      const list = await work.api.call(routes.attachments.list, { address: { ...at, component } });
      return list.map((attachment) => member('attachment', members, attachment, [name, component], '', ofPack));
    }),
  );
  return [
    ...components.map((component) => member('component', members, component, [name], '', ofPack)),
    ...variables.map((variable) => member('variable', members, variable, [name], '$', ofPack)),
    ...attachments.flat(),
  ];
}

function member(
  noun: string,
  members: Members,
  record: WireRecord,
  outer: readonly string[],
  mark = '',
  isOwn: (record: WireRecord) => boolean = () => false,
): Promise<Standing> {
  const path = [...outer, `${mark}${record.ciName}`].join('/');
  return standing(`${noun} ${path}`, record, () => path in members || isOwn(record));
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
