// Writes what follows from the catalogue and from the codes of findings: the contract's list of packs, and the reference pages; the schema of drift.yaml; and llms.txt.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadCatalogue } from '../../service';
import { driftFileSchema } from '../../stack';
import { commandsPage, findingsPage, llmsText, policiesPage } from './pages';
import { packsData, packsPages } from './packs';

/** Path below the repository's root, and text, of each file that is generated from the catalogue, the page of findings, and that of policies. */
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

/** Writes the files, and removes pages of packs that no longer exist; the page on commands last, once all commands are loaded. */
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
