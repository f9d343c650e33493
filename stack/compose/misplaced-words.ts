// Words of composition that stand next to the things of a map, where people mean them for each of its things.
// It must not know what a word does.
import { entryOf, type Entry, type MapNode } from '../reader/tree';
import { refuse, type Composition } from './composition';

/** Words of a thing. Each is also a name that a thing can have. */
export const WORDS: readonly string[] = ['use', 'with', 'extends', 'when', 'each'];

/**
 * A map of things without the words that cannot be names of things there, of which the first is reported. A word can be the name of a thing:
 * `each` with a list is a mistake, and `each` or `with` that have a map next to a word that has a single value. A map with `value` is a variable.
 */
export function withoutMisplacedWords(composition: Composition, map: MapNode): MapNode {
  const words = map.entries.filter(({ key }) => WORDS.includes(key));
  const each = entryOf(map, 'each');
  const repeated = each ?? entryOf(map, 'with');
  const isMistake =
    each?.value.form === 'list' ||
    (repeated?.value.form === 'map' &&
      entryOf(repeated.value, 'value') === undefined &&
      words.some(({ value }) => value.form === 'scalar'));
  const [first] = words;
  if (!isMistake || first === undefined) return map;
  report(composition, each ?? first, each !== undefined);
  // What stands beside them is meant for each thing, too, unless it is a thing itself.
  return { ...map, entries: map.entries.filter((entry) => !words.includes(entry) && entry.value.form === 'map') };
}

function report(composition: Composition, word: Entry, repeats: boolean): void {
  const message = `"${word.key}" stands next to the things of this map: it belongs inside one of them`;
  const hint = repeats ? "'${each.key}': { each: [one, two], … }" : 'NAME: { use: TEMPLATE, with: { … } }';
  refuse(composition, word, { code: 'misplaced-word', message, hint });
}
