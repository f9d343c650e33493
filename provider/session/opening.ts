// The first write of a design or an environment opens its release: it goes alone, and all others
// side by side after it (service-facts §11).
import type { Api } from '../../api/client';
import { type CallInput, layered, type Route } from '../../api/contract';
import { isApiError } from '../../api/errors';
import { subjectOf } from './answers';
import { inTurn, type Turns } from './turns';

/** Places with an open release, and their writes that go alone. Mutable, owned by a session. */
export interface Openings {
  readonly open: Set<string>;
  readonly turns: Turns;
}

/** Writes after which no release is open, by their routes or areas. */
const CLOSING = [
  'platforms.commit',
  'platforms.discard',
  'designReleases',
  'environments',
  'environmentReleases',
  'deployments',
];
const SWITCHES = ['environments.enable', 'environments.disable'];

/** `shop` for a write of a design, `shop/prod` for an environment's. Undefined outside of releases. */
function placeOf(route: Route, { address = {} }: CallInput): string | undefined {
  const { assembly, environment } = address;
  const isOpening = !['other', 'environments'].includes(subjectOf(route));
  return route.repeat === 'read' || assembly === undefined || !isOpening
    ? undefined
    : [assembly, ...(environment === undefined ? [] : [environment])].join('/');
}

const isClosing = ({ name }: Route): boolean =>
  !SWITCHES.includes(name) && (CLOSING.includes(name) || CLOSING.includes(name.split('.')[0] ?? ''));

/** Another user's write opened a release at the same moment: the write is sent again. */
const lostRace = (error: unknown): boolean =>
  isApiError(error) && [422, 500].includes(error.status) && /unique (index|constraint)/i.test(error.message);

/** A client whose writes open a release one at a time. */
export function opening(api: Api, openings: Openings): Api {
  const { open } = openings;
  return layered(api, (next) => async (route, input) => {
    const place = placeOf(route, input);
    if (place === undefined) return next(route, input);
    if (isClosing(route)) return inTurn(openings, place, () => next(route, input).finally(() => open.delete(place)));
    const send = (): Promise<unknown> =>
      next(route, input).catch((error: unknown) => {
        if (lostRace(error)) return next(route, input);
        throw error;
      });
    const alone = await inTurn(openings, place, async () => {
      if (open.has(place)) return undefined;
      const answer = await send();
      open.add(place);
      return { answer };
    });
    return alone ? alone.answer : send();
  });
}
