// The first write of a design or an environment opens its release: it goes alone, and all others
// side by side after it (service-facts §11).
import type { Api } from '../../api/client';
import { type CallInput, layered, type Route } from '../../api/contract';
import { isApiError } from '../../api/errors';
import { subjectOf } from './answers';

/** Whether a write opened a release, by its place. Mutable, owned by a session. */
export type Openings = Map<string, Promise<boolean>>;

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

/** `shop` for a write of a design, `shop/prod` for one of an environment; else undefined. */
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
  return layered(api, (next) => async (route, input) => {
    const place = placeOf(route, input);
    if (place === undefined) return next(route, input);
    if (isClosing(route)) {
      const closing = next(route, input);
      openings.set(
        place,
        closing.then(never, never).finally(() => openings.delete(place)),
      );
      return closing;
    }
    const send = (): Promise<unknown> =>
      next(route, input).catch((error: unknown) => {
        if (lostRace(error)) return next(route, input);
        throw error;
      });
    for (let first = openings.get(place); first !== undefined; first = openings.get(place))
      if (await first) return send();
    const opener = send();
    openings.set(
      place,
      opener.then(
        () => true,
        () => {
          openings.delete(place);
          return false;
        },
      ),
    );
    return opener;
  });
}

const never = (): boolean => false;
