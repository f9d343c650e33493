// The catalogue of a service that a file contains, which a stack can be checked against in place of the packaged one.
// It must not know who asks for it.
import { resolve } from 'node:path';
import { knownCatalogue, savedCatalogue, type KnownCatalogue } from '../provider';
import { readTextFile } from './text-file';

/** The name that a manifest gives a catalogue, or what is wrong with it. */
export type CatalogueName = { readonly name: string } | { readonly problem: string };

/** `options: { catalogue: catalogue.json }` of a manifest, whatever is there. */
export function catalogueName(value: unknown, manifest: string): CatalogueName {
  if (typeof value === 'string' && value !== '') return { name: value };
  return {
    problem: `${manifest}: runtime.options.catalogue must be the name of a file that pulumi-oneops packs --save wrote`,
  };
}

/** The catalogue that a manifest names in its folder, if it names one. */
export function namedCatalogue(
  named: CatalogueName | undefined,
  directory: string,
): { readonly known?: KnownCatalogue } | { readonly problem: string } {
  if (named === undefined || 'problem' in named) return named ?? {};
  return catalogueFile(named.name, resolve(directory, named.name));
}

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
