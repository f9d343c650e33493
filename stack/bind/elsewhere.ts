// Where in a file a key stands that is written in the wrong place.
// It must not know any key, nor values.
import { kinds, placesInFile } from '../../provider';
import { keysOf } from './vocabulary';

/** Places by key, each a path from the top with `NAME` for what a person names: `scale` stands in `environments.NAME.platforms.NAME`. */
const PLACES: ReadonlyMap<string, ReadonlySet<string>> = placesByKey();

/** More places than these say nothing. */
const MOST = 2;

/** The places of a key, in the words of a hint; undefined where it stands nowhere, or in too many places. */
export function standsElsewhere(key: string): string | undefined {
  const places = [...(PLACES.get(key) ?? [])];
  return places.length === 0 || places.length > MOST ? undefined : `"${key}" stands in ${places.join(' and ')}`;
}

function placesByKey(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (key: string, path: readonly string[]): void => {
    const place = path.map((step) => (step === '*' ? 'NAME' : step)).join('.');
    if (place !== '') found.set(key, (found.get(key) ?? new Set()).add(place));
  };
  for (const of of kinds)
    for (const path of placesInFile(of).map((place) => place.split('.'))) {
      for (const key of keysOf(of)) add(key, path);
      path.forEach((step, index) => {
        if (step !== '*') add(step, path.slice(0, index));
      });
    }
  return found;
}
