// Where in a stack file a map is, as far as composition needs to know: its words are words only
// there, and plain keys elsewhere.
import { recordKeys } from '../../provider';

/**
 * `top` is the file itself, `names` a map of things by name, `thing` one of them. In `components`, a component can hold components by name, so that a
 * map in it is a thing, too. In `free` maps, such as tags, every key is a person's own.
 */
export type MapPosition = 'top' | 'names' | 'components' | 'component' | 'thing' | 'free';

/** Words at the top of a file. */
export const TOP_WORDS: readonly string[] = ['include', 'templates', 'overlays'];

/** Whether a text can contain any word of composition: without one, there is nothing to compose. */
export const mayCompose = (text: string): boolean => /\b(?:include|templates|overlays|use|each|when)\b/.test(text);

const { collections, single } = recordKeys();

/** The position of the value of a key. */
export function positionBelow(position: MapPosition, key: string): MapPosition {
  if (position === 'free') return 'free';
  if (position === 'components') return 'component';
  if (position === 'names') return 'thing';
  if (key === 'components') return 'components';
  if (collections.has(key) || (position === 'top' && key === 'outputs')) return 'names';
  if (single.has(key)) return 'thing';
  return position === 'component' ? 'thing' : 'free';
}

/** Whether a map there can have the words `use`, `when` and `each`. */
export const isThing = (position: MapPosition): boolean => position === 'thing' || position === 'component';
