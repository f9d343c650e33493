// The shape of catalogue files: packs, locations, seed, classes. Strict, so that a misspelt key is found.
import { z } from 'zod';
import { MODES } from './pack';

/** Numbers and booleans are stored as text, lists and maps as JSON text (service-facts §12.1, §2.1.3). */
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

/** A dependency; one that repeats both ends replaces the inherited one in its modes. Defaults: service-facts §2.1.9. */
const edgeFile = z.strictObject({
  from: name,
  to: name,
  modes: modes.default([...MODES]),
  flex: z.boolean().default(false),
  converge: z.boolean().default(false),
  propagate_to: z.enum(['', 'from', 'to', 'both']).default(''),
  min: count.default(1),
  current: count.default(1),
  max: count.default(1),
  step_up: count.default(1),
  step_down: count.default(1),
  pct_dpmt: count.max(100).default(100),
});
export type EdgeFile = z.output<typeof edgeFile>;

const jsonText = z.looseObject({}).transform((value) => JSON.stringify(value));

/** One pack version, or a building block that only other files extend. */
export const packFile = z.strictObject({
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
        arguments: jsonText.default('{}'),
        definition: z.looseObject({ flow: z.array(z.unknown()).min(1) }).transform((value) => JSON.stringify(value)),
      }),
    )
    .default([]),
});
export type PackFile = z.output<typeof packFile>;

/** Locations with their service templates; `offerings` of a service names sets of the same file. */
export const locationsFile = z.strictObject({
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
export const seedFile = z.strictObject({
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
export const classesFile = z.record(
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
