// Catalogue files: their strict shape, how folders of them are read, and what is wrong with them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Diagnostic, formatPath, type Path, problem } from '../../api/contract';

export interface CatalogueFinding extends Diagnostic {
  readonly file: string;
}

/** Thrown when catalogue files cannot be used: all findings at the same time, one line each. */
export class CatalogueError extends Error {
  constructor(readonly findings: readonly CatalogueFinding[]) {
    super(
      ['The pack catalogue cannot be loaded', ...findings.map((finding) => `  ${formatFinding(finding)}`)].join('\n'),
    );
    this.name = 'CatalogueError';
  }
}

/** `file: path: message` */
export function formatFinding({ file, path, message }: CatalogueFinding): string {
  return [file, ...(path.length === 0 ? [] : [formatPath(path)]), message].join(': ');
}

export type Say = (code: string, path: Path, message: string) => void;

/** Adds findings in one file to a list. */
export const sayIn =
  (file: string, findings: CatalogueFinding[]): Say =>
  (code, path, message) =>
    void findings.push({ file, ...problem(code, path, message) });

/** Design, and the two modes of an environment. */
export const MODES = ['design', 'single', 'redundant'] as const;

/** Numbers and booleans are stored as text, lists and maps as JSON (service-facts §2.1.3). */
const textValue = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
  .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
const textValues = z.record(z.string(), textValue);

const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'a name is a letter, then letters, digits, "_" and "-"');
const source = name.default('oneops');
const modes = z.array(z.enum(MODES)).min(1);
const count = z.number().int().min(0);

/** A template; one that repeats an inherited name changes only what it names. */
const templateFile = z.strictObject({
  name,
  class: name.optional(),
  constraint: z
    .string()
    .regex(/^\d+\.\.(\d+|\*)$/, 'a constraint is written "1..1", "0..*"')
    .optional(),
  modes: modes.optional(),
  services: z.array(z.string().regex(/^\*?[a-z]+$/)).optional(),
  defaults: textValues.optional(),
  /** Defaults of the live pack that its class has no attribute for → why they are left out here. */
  dropped: z.record(z.string(), z.string()).optional(),
  monitors: z.record(name, textValues).optional(),
  managedVia: name.optional(),
  securedBy: name.optional(),
  help: z.string().optional(),
});
export type TemplateFile = z.output<typeof templateFile>;

/**
 * A DependsOn relation between components of two templates; it replaces the inherited one of its
 * ends and modes (service-facts §2.1.9).
 */
const edgeFile = z.strictObject({
  from: name,
  to: name,
  modes: modes.default([...MODES]),
  /** Whether there are `current` targets, scaled with the cloud, instead of one. */
  flex: z.boolean().default(false),
  /** Whether all sources share one target. */
  converge: z.boolean().default(false),
  propagate_to: z.enum(['', 'from', 'to', 'both']).default(''),
  min: count.default(1),
  current: count.default(1),
  max: count.default(1),
  step_up: count.default(1),
  step_down: count.default(1),
  /** Percent of the targets changed at a time. */
  pct_dpmt: count.max(100).default(100),
});
export type EdgeFile = z.output<typeof edgeFile>;

const jsonText = z.looseObject({}).transform((value) => JSON.stringify(value));

/** One pack version, or a building block that only other files extend. */
const packFile = z.strictObject({
  source,
  name,
  version: z
    .string()
    .regex(/^\d+(\.\d+){0,2}$/, 'a version is written "1" or "1.2.3"')
    .default('1'),
  description: z.string().default(''),
  category: z.string().default('Other'),
  buildingBlock: z.boolean().default(false),
  /** Files built upon, in order: `name`, or `source/name:version`. */
  extends: z.array(z.string()).default([]),
  entrypoint: name.optional(),
  /** Values laid over the defaults of class Platform in an environment. */
  platform: textValues.default({}),
  templates: z.array(templateFile).default([]),
  dependsOn: z.array(edgeFile).default([]),
  variables: z
    .array(
      z.strictObject({
        name,
        description: z.string().default(''),
        value: z
          .string()
          .regex(/^(\S|$)/, 'a value does not begin with white space')
          .default(''),
        secure: z.boolean().default(false),
      }),
    )
    .default([]),
  procedures: z
    .array(
      z.strictObject({
        name,
        description: z.string().default(''),
        /** Argument name to its type and default. */
        arguments: jsonText.default('{}'),
        /** As `cms_procedure.definition` takes it. */
        definition: z.looseObject({ flow: z.array(z.unknown()).min(1) }).transform((value) => JSON.stringify(value)),
      }),
    )
    .default([]),
});
export type PackFile = z.output<typeof packFile>;

/** Locations with their service templates; `offerings` of a service names sets of the same file. */
const locationsFile = z.strictObject({
  source,
  offerings: z.record(name, z.array(z.strictObject({ name, attributes: textValues }))).default({}),
  locations: z.array(
    z.strictObject({
      name,
      attributes: textValues.default({}),
      services: z
        .array(
          z.strictObject({
            name,
            class: name,
            type: z.string().regex(/^[a-z]+$/),
            attributes: textValues.default({}),
            offerings: z.array(name).default([]),
          }),
        )
        .default([]),
    }),
  ),
});
export type LocationsFile = z.output<typeof locationsFile>;

/** What a fresh database holds. */
const seedFile = z.strictObject({
  organization: z.strictObject({ name, attributes: textValues.default({}) }),
  clouds: z.array(
    z.strictObject({
      name,
      location: name,
      attributes: textValues.default({}),
      services: z.array(z.strictObject({ location: name, name, attributes: textValues.default({}) })).default([]),
    }),
  ),
});
export type SeedFile = z.output<typeof seedFile>;

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'm') instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Component classes that packs of the same folder, or of later ones, use. */
const classesFile = z.record(
  z.string().regex(/^[A-Z][A-Za-z0-9_-]*$/, 'a class is a capital letter, then letters, digits, "_" and "-"'),
  z.strictObject({
    description: z.string().default(''),
    actions: z.array(z.string()).default([]),
    attributes: z.record(
      z
        .string()
        .regex(/^[a-z][a-z0-9_]*$/, 'an attribute is a small letter, then small letters, digits and "_"')
        .refine(
          (attribute) => !['attachments', 'depends', 'pulumi'].includes(attribute),
          'the YAML stack keeps this word for itself',
        ),
      z.strictObject({
        default: z.string().optional(),
        required: z.boolean().optional(),
        encrypted: z.boolean().optional(),
        editable: z.boolean().optional(),
        pattern: z.string().refine(compiles, 'not a regular expression').optional(),
        says: z.string().optional(),
        dataType: z.enum(['text', 'hash', 'array']).optional(),
        scope: z.enum(['all', 'manifest', 'bom']).optional(),
        description: z.string().default(''),
      }),
    ),
  }),
);
export type ClassesFile = z.output<typeof classesFile>;

export interface Document<T> {
  readonly file: string;
  readonly content: T;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function readDocument<S extends z.ZodType>(
  file: string,
  schema: S,
  findings: CatalogueFinding[],
): Document<z.output<S>>[] {
  const say = sayIn(file, findings);
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    say(error instanceof SyntaxError ? 'not-json' : 'unreadable', [], reasonOf(error));
    return [];
  }
  const result = schema.safeParse(data);
  if (result.success) return [{ file, content: result.data }];
  for (const issue of result.error.issues) {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    // A key's own message is one level down: "Invalid key" alone does not say why.
    say(
      'wrong-form',
      path,
      issue.code === 'invalid_key' ? issue.issues.map((each) => each.message).join('; ') : issue.message,
    );
  }
  return [];
}

const OWN_NAMES: readonly string[] = ['locations.json', 'seed.json', 'classes.json'];

/**
 * The files of the folders, by folder and name, and what is wrong with their form. A folder that
 * cannot be listed is a finding too.
 */
export function readFolders(folders: readonly string[]) {
  const findings: CatalogueFinding[] = [];
  const files: { readonly name: string; readonly file: string }[] = [];
  for (const folder of folders) {
    try {
      const names = readdirSync(folder).filter((each) => each.endsWith('.json'));
      files.push(...names.sort().map((each) => ({ name: each, file: join(folder, each) })));
    } catch (error) {
      sayIn(folder, findings)('unreadable', [], reasonOf(error));
    }
  }
  const read = <S extends z.ZodType>(schema: S, is: (name: string) => boolean): readonly Document<z.output<S>>[] =>
    files.filter((each) => is(each.name)).flatMap((each) => readDocument(each.file, schema, findings));
  return {
    classes: read(classesFile, (each) => each === 'classes.json'),
    packs: read(packFile, (each) => !OWN_NAMES.includes(each)),
    locations: read(locationsFile, (each) => each === 'locations.json'),
    seeds: read(seedFile, (each) => each === 'seed.json'),
    findings,
  };
}
