// The packs of platforms as a tree writes them, for those who look for names and bind nothing.
// It must not know a catalogue.
import { entryOf, type MapNode } from '../reader/tree';

/** The files of a stack as trees, and what they compose to. */
interface WrittenTrees {
  readonly written: readonly MapNode[];
  readonly composed?: MapNode;
}

/** The bare name of the pack that a platform's map has as plain text: `tomcat` of `oneops/tomcat:1`. */
export function writtenPack(platform: MapNode): string | undefined {
  const pack = entryOf(platform, 'pack')?.value;
  return pack?.form === 'scalar' ? pack.source.replace(/^.*\//, '').replace(/:.*$/, '') : undefined;
}

/** Bare names of the packs of a stack, by platform: of all its files, where they are not composed. */
export function writtenPacks({ composed, written }: WrittenTrees): ReadonlyMap<string, string> {
  return new Map((composed ? [composed] : written).flatMap(packsIn));
}

function packsIn(root: MapNode): readonly (readonly [string, string])[] {
  const platforms = entryOf(root, 'platforms')?.value;
  const entries = platforms?.form === 'map' ? platforms.entries : [];
  return entries.flatMap(({ key, value }) => {
    const pack = value.form === 'map' ? writtenPack(value) : undefined;
    return pack === undefined ? [] : [[key, pack] as const];
  });
}
