// What a refresh asks ahead. The engine has few records read at a time, and those of one list keep
// others from being asked about. Where a platform has records of a kind, others of its pack, whose
// components have the same names, usually do; and where it has variables, it usually has components.
import { routes, type Route } from '../../api/contract';
import { orNone } from '../../api/errors';
import type { Kind, Work } from '../kind';
import type { NeededList } from '../session/answers';
import { textAt, type Texts } from '../values/plain';

const pathOf = ({ assembly, platform }: Texts): string => `${assembly}/${platform}`;

/** Notes that a refresh reads a record of a design, and asks for lists that are needed in it. */
export function askInside(work: Work, of: Pick<Kind, 'token'>): void {
  const { at, args } = work;
  const { packs, components, lists } = work.session.answers.ahead;
  if (!work.isRefresh || at['environment'] !== undefined) return;
  if (of.token === 'Platform')
    packs.set(pathOf(at), JSON.stringify(['source', 'pack', 'version'].map((name) => textAt(args, name))));
  else if (of.token === 'Component') components.add(`${pathOf(at)}/${at['component']}`);
  else return;
  for (const list of lists.values())
    if (list.component === (of.token === 'Platform' ? undefined : at['component'])) askIn(work, list, pathOf(at));
}

/** Asks for a list that a refresh needs in a platform in others of its pack, too. */
export function askBeside(work: Work, route: Route): void {
  const { packs, lists } = work.session.answers.ahead;
  const pack = packs.get(pathOf(work.at));
  const isOf = (part: string): boolean => route.path.includes(`{${part}}`);
  if (!work.isRefresh || pack === undefined || !isOf('platform') || isOf('environment')) return;
  const component = isOf('component') ? work.at['component'] : undefined;
  const key = [route.name, component, pack].join(' ');
  if (lists.has(key)) return;
  const list = { route, pack, component };
  lists.set(key, list);
  for (const path of packs.keys()) askIn(work, list, path);
  if (route.name === routes.platformVariables.list.name) askBeside(work, routes.components.list);
}

/** Nobody waits for the answer: the run remembers it for who needs it. */
function askIn({ api, session }: Work, { route, pack, component }: NeededList, path: string): void {
  const { packs, components } = session.answers.ahead;
  const [assembly = '', platform = ''] = path.split('/');
  if (packs.get(path) !== pack || (component !== undefined && !components.has(`${path}/${component}`))) return;
  const address = { assembly, platform, ...(component === undefined ? {} : { component }) };
  orNone(api.call(route, { address })).catch(() => undefined);
}
