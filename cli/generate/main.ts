// Writes what follows from the catalogue and from the codes of findings: the contract's list of
// packs, and the reference pages; the schema of drift.yaml; and llms.txt.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadCatalogue } from '../../service';
import { driftFileSchema } from '../../stack';
import { commandsPage, findingsPage, llmsText, packsData, packsPages, policiesPage } from './pages';

/** Generated files of the catalogue, of findings and of policies: path and text. */
export function generatedFromCatalogue(): ReadonlyMap<string, string> {
  const catalogue = loadCatalogue();
  const data = packsData(catalogue.packs());
  return new Map([
    ['api/contract/catalogue/packs.json', data],
    ...packsPages(catalogue),
    findingsPage(),
    policiesPage(),
    llmsText(readFileSync(join(__dirname, '..', '..', 'docs', 'README.md'), 'utf8')),
    ['schemas/drift-file.schema.json', `${JSON.stringify(driftFileSchema(), null, 2)}\n`],
  ]);
}

/** Writes the files, and removes pages of former packs; the page on commands is last. */
export async function writeCatalogueFiles(): Promise<void> {
  const root = join(__dirname, '..', '..');
  const write = ([path, text]: readonly [string, string]): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const files = generatedFromCatalogue();
  for (const path of stalePages(root, files)) rmSync(join(root, path));
  [...files].forEach(write);
  write(await commandsPage());
}

/** Files in the folders of the reference that are generated no more. */
export function stalePages(root: string, files: ReadonlyMap<string, string>): readonly string[] {
  const pages = [...files.keys()].filter((path) => path.startsWith('docs/reference/'));
  const folders = [...new Set(pages.map((path) => dirname(path)))];
  return folders.flatMap((folder) =>
    namesIn(join(root, folder))
      .map((name) => `${folder}/${name}`)
      .filter((path) => !files.has(path)),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
