// Reads a folder of catalogue files: `locations.json`, `seed.json`, `classes.json`; every other `.json` is a pack.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import {
  type ClassesFile,
  classesFile,
  type LocationsFile,
  locationsFile,
  type PackFile,
  packFile,
  type SeedFile,
  seedFile,
} from './files';
import { type CatalogueFinding, finding } from './findings';

/** A file's content and where it is. */
export interface Document<T> {
  readonly file: string;
  readonly content: T;
}

/** What the folders hold, files in order of folders, then of names; and what is wrong with their form. */
interface FolderContent {
  readonly packs: readonly Document<PackFile>[];
  readonly locations: readonly Document<LocationsFile>[];
  readonly seeds: readonly Document<SeedFile>[];
  readonly classes: readonly Document<ClassesFile>[];
  readonly findings: readonly CatalogueFinding[];
}

interface Reading<T> {
  readonly documents: readonly Document<T>[];
  readonly findings: readonly CatalogueFinding[];
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function readDocument<S extends z.ZodType>(file: string, schema: S): Reading<z.output<S>> {
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const code = error instanceof SyntaxError ? 'not-json' : 'unreadable';
    return { documents: [], findings: [finding(file, code, [], reasonOf(error))] };
  }
  const result = schema.safeParse(data);
  if (result.success) return { documents: [{ file, content: result.data }], findings: [] };
  const findings = result.error.issues.map((issue) => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    // A key's own message is one level down: "Invalid key" alone does not say why.
    const message = issue.code === 'invalid_key' ? issue.issues.map((each) => each.message).join('; ') : issue.message;
    return finding(file, 'wrong-form', path, message);
  });
  return { documents: [], findings };
}

function readDocuments<S extends z.ZodType>(files: readonly string[], schema: S): Reading<z.output<S>> {
  const readings = files.map((file) => readDocument(file, schema));
  return { documents: readings.flatMap((each) => each.documents), findings: readings.flatMap((each) => each.findings) };
}

const OWN_NAMES: readonly string[] = ['locations.json', 'seed.json', 'classes.json'];

/** Reads folders. A folder that cannot be listed is a finding too. */
export function readFolders(folders: readonly string[]): FolderContent {
  const unlisted: CatalogueFinding[] = [];
  const files: { readonly name: string; readonly file: string }[] = [];
  for (const folder of folders) {
    try {
      const names = readdirSync(folder).filter((each) => each.endsWith('.json'));
      files.push(...names.sort().map((each) => ({ name: each, file: join(folder, each) })));
    } catch (error) {
      unlisted.push(finding(folder, 'unreadable', [], reasonOf(error)));
    }
  }
  const named = (name: string): string[] => files.filter((each) => each.name === name).map((each) => each.file);
  const packFiles = files.filter((each) => !OWN_NAMES.includes(each.name)).map((each) => each.file);
  const packs = readDocuments(packFiles, packFile);
  const locations = readDocuments(named('locations.json'), locationsFile);
  const seeds = readDocuments(named('seed.json'), seedFile);
  const classes = readDocuments(named('classes.json'), classesFile);
  return {
    packs: packs.documents,
    locations: locations.documents,
    seeds: seeds.documents,
    classes: classes.documents,
    findings: [unlisted, classes.findings, packs.findings, locations.findings, seeds.findings].flat(),
  };
}
