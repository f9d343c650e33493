// A catalogue that arguments are judged by: packaged, of a service, or of a saved file.
import * as z from 'zod';
import {
  classMetadata,
  knownPacks,
  readComponentClasses,
  templateClass,
  templatesFromTexts,
  type ClassLookup,
  type ClassMetadata,
  type KnownPack,
} from '../../../api/contract';
import { isLoopback } from '../../../api/errors';
import { defined } from '../../values/plain';

export interface KnownCatalogue {
  /** The catalogue in the words of a finding. */
  readonly says: string;
  /** Whether it is the service's own: what it does not contain, the service refuses. */
  readonly isOfService: boolean;
  /** Whether it is the embedded service's, which refuses a value outside of a list. */
  readonly isEmbedded: boolean;
  /** Versions of packs. One without templates is there, but nothing more is known of it. */
  readonly packs: readonly KnownPack[];
  /** Names of the organization's clouds, where the service was asked. */
  readonly clouds?: readonly string[];
  readonly classMetadata: ClassLookup;
  /** Last part of the class that a template makes. */
  readonly templateClass: (template: string, pack?: string) => string | undefined;
}

export const PACKAGED: KnownCatalogue = {
  says: 'the packaged catalogue',
  isOfService: false,
  isEmbedded: false,
  packs: knownPacks,
  classMetadata,
  templateClass,
};

/** The catalogue of this package as that of the service that has it. */
const EMBEDDED: KnownCatalogue = {
  ...PACKAGED,
  isOfService: true,
  isEmbedded: true,
};

/** The catalogue for the service at an address: the embedded service runs on this machine. */
export const catalogueAt = (url: unknown): KnownCatalogue => (isOnThisMachine(url) ? EMBEDDED : PACKAGED);

const isOnThisMachine = (url: unknown): boolean =>
  typeof url === 'string' && URL.canParse(url) && isLoopback(new URL(url).hostname);

const attributeSchema = z.object({
  required: z.boolean().optional(),
  encrypted: z.boolean().optional(),
  pattern: z.string().optional(),
  dataType: z.enum(['text', 'hash', 'array']).optional(),
  description: z.string(),
});
const documentSchema = z.object({
  version: z.literal(1),
  /** Where the service is that said it. */
  service: z.string(),
  packs: z.array(
    z.object({
      source: z.string(),
      name: z.string(),
      version: z.string(),
      description: z.string(),
      templates: z.record(z.string(), z.string()),
    }),
  ),
  classes: z.record(
    z.string(),
    z.object({ description: z.string(), attributes: z.record(z.string(), attributeSchema) }),
  ),
});

/** A catalogue as a file contains it. */
export type CatalogueDocument = z.output<typeof documentSchema>;

/** The catalogue in a text. Throws Error that says what is wrong with it. */
export function savedCatalogue(text: string): CatalogueDocument {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
  const read = documentSchema.safeParse(content);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Error(`it is no catalogue of version 1: ${issue?.path.join('.')}: ${issue?.message}`);
}

/** A catalogue of a service, with what the packaged one knows besides of the same classes. */
export function knownCatalogue({ service, packs, classes }: CatalogueDocument): KnownCatalogue {
  const own = readComponentClasses(classes);
  const all = packs.map((pack) => ({ ...pack, templates: templatesFromTexts(pack.templates) }));
  return {
    says: `the catalogue of ${service}`,
    isOfService: true,
    isEmbedded: isOnThisMachine(service),
    packs: all,
    classMetadata: (name) => withExpectations(own(name), classMetadata(name)),
    templateClass(template, pack) {
      const having = all.filter(({ templates }) => templates[template] !== undefined);
      const found = having.find(({ name }) => name === pack) ?? having[0];
      const made = new Set(having.map(({ templates }) => templates[template]?.class));
      if (found?.name !== pack && made.size > 1) return undefined;
      return found?.templates[template]?.class ?? templateClass(template, pack);
    },
  };
}

function withExpectations(
  own: ClassMetadata | undefined,
  packaged: ClassMetadata | undefined,
): ClassMetadata | undefined {
  if (own === undefined || packaged === undefined) return own ?? packaged;
  const attributes = Object.entries(own.attributes).map(([name, attribute]) => {
    const { expects, says, pattern } = packaged.attributes[name] ?? {};
    return [
      name,
      {
        ...attribute,
        ...defined({ expects, says: pattern === attribute.pattern ? says : undefined }),
      },
    ] as const;
  });
  return { ...own, attributes: Object.assign(Object.create(null) as object, Object.fromEntries(attributes)) };
}
