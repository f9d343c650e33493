// The catalogue of a service that a file holds, which a stack can be held to in place of the packaged one.
// It must not know who asks for it.
import { knownCatalogue, savedCatalogue, type KnownCatalogue } from '../provider';
import { readTextFile } from './text-file';

/** Reads a catalogue that `packs --save` wrote. `name`: what messages call the file. */
export function catalogueFile(
  name: string,
  path: string = name,
): { readonly known: KnownCatalogue } | { readonly problem: string } {
  const content = readTextFile(path);
  if ('problem' in content) return unreadable(name, content.problem);
  try {
    return { known: knownCatalogue(savedCatalogue(content.text)) };
  } catch (error) {
    return unreadable(name, error instanceof Error ? error.message : String(error));
  }
}

const unreadable = (name: string, why: string): { readonly problem: string } => ({
  problem: `cannot read the catalogue in ${name}: ${why}; pulumi-oneops packs --save ${name} writes it`,
});
