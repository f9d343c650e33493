// The packs of platforms as a tree writes them, for those who look for names and bind nothing.
// It must not know a catalogue.
import { entryOf, type MapNode } from '../reader/tree';

/** The bare name of the pack that a platform's map has as plain text: `tomcat` of `oneops/tomcat:1`. */
export function writtenPack(platform: MapNode): string | undefined {
  const pack = entryOf(platform, 'pack')?.value;
  return pack?.form === 'scalar' ? pack.source.replace(/^.*\//, '').replace(/:.*$/, '') : undefined;
}

/** Bare names of the packs of a tree, by platform. */
export function writtenPacks(root: MapNode | undefined): ReadonlyMap<string, string> {
  const platforms = entryOf(root, 'platforms')?.value;
  const entries = platforms?.form === 'map' ? platforms.entries : [];
  return new Map(
    entries.flatMap(({ key, value }): readonly [string, string][] => {
      const pack = value.form === 'map' ? writtenPack(value) : undefined;
      return pack === undefined ? [] : [[key, pack]];
    }),
  );
}
