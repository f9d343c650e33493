// Routes of catalogues: offerings and services, class metadata, packs, saved designs; and look-ups by number (service-facts §4.3).
import { z } from 'zod';
import { procedureSchema } from '../instance';
import { designDocument, record, relation, templateSchema } from '../record';
import { deploymentSchema, release } from '../release';
import { route } from '../route';

const records = z.array(record);
const byType = z.record(z.string(), records);
const PACK = '/{organization}/catalog/packs/{source}/{pack}/{version}';

export const catalogue = {
  /** Lists the public offerings by service type. Query: ns_path. */
  publicOfferings: route('catalogue.publicOfferings', 'GET /cloud/offerings', {
    summary: 'Lists the public offerings by service type',
    query: ['ns_path'],
    answer: byType,
    source: 'service-facts §4.3',
    documented: true,
  }),
  /** Lists the public services by service type. Query: ns_path. */
  publicServices: route('catalogue.publicServices', 'GET /cloud/services', {
    summary: 'Lists the public services by service type',
    query: ['ns_path'],
    answer: byType,
    source: 'service-facts §4.3',
    documented: true,
  }),
  /** Lists the offerings of an organization, or of one cloud, by service type. Query: ns_path. */
  offerings: route('catalogue.offerings', 'GET /{organization}/clouds/offerings', {
    summary: 'Lists the offerings of an organization, or of one cloud, by service type',
    query: ['ns_path'],
    answer: byType,
    source: 'service-facts §4.3',
    documented: true,
  }),
  /** Lists the services of an organization, or of one cloud, by service type. Query: ns_path. */
  services: route('catalogue.services', 'GET /{organization}/clouds/services', {
    summary: 'Lists the services of an organization, or of one cloud, by service type',
    query: ['ns_path'],
    answer: byType,
    source: 'service-facts §4.3',
    documented: true,
  }),
  /** Reads what a class or relation is made of. Query: class_name, relation_name. */
  metadata: route('catalogue.metadata', 'GET /metadata', {
    summary: 'Reads what a class or relation is made of',
    query: ['class_name', 'relation_name'],
    answer: z.looseObject({}).nullable(),
    source: 'service-facts §4.9',
    open: true,
  }),
  /** Lists the packs: source to name to versions. */
  packs: route('catalogue.packs', 'GET /{organization}/catalog/packs', {
    summary: 'Lists the packs: source to name to versions',
    answer: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
    source: 'service-facts §4.9',
  }),
  /** Lists a pack's templates of design components. */
  packComponents: route('catalogue.packComponents', `GET ${PACK}/platforms/{platform}/components`, {
    summary: "Lists a pack's templates of design components",
    answer: z.array(templateSchema),
    source: 'service-facts §4.9',
  }),
  /** Lists a pack's variables: what a new platform is born with. */
  packVariables: route('catalogue.packVariables', `GET ${PACK}/platforms/{platform}/variables`, {
    summary: "Lists a pack's variables: what a new platform is born with",
    answer: z.array(templateSchema),
    source: 'service-facts §4.9',
  }),
  /** Lists a pack's templates of components in a mode, single or redundant. */
  packModeComponents: route('catalogue.packModeComponents', `GET ${PACK}/{mode}/platforms/{platform}/components`, {
    summary: "Lists a pack's templates of components in a mode, single or redundant",
    answer: z.array(templateSchema),
    source: 'service-facts §4.9',
  }),
};

export const designs = {
  /** Lists the designs saved in the catalogue of an organization. */
  list: route('designs.list', 'GET /{organization}/catalog/designs', {
    summary: 'Lists the designs saved in the catalogue of an organization',
    answer: records,
    source: 'service-facts §4.4',
  }),
  /** Reads a saved design. */
  read: route('designs.read', 'GET /{organization}/catalog/designs/{design}', {
    summary: 'Reads a saved design',
    answer: record,
    source: 'service-facts §4.4',
  }),
  /** Deletes a saved design. */
  delete: route('designs.delete', 'DELETE /{organization}/catalog/designs/{design}', {
    summary: 'Deletes a saved design',
    answer: record.nullish(),
    source: 'service-facts §4.4',
  }),
  /** Reads a saved design as people write it. */
  export: route('designs.export', 'GET /{organization}/catalog/designs/{design}/export', {
    summary: 'Reads a saved design as people write it',
    answer: designDocument,
    source: 'service-facts §4.4',
  }),
};

export const lookups = {
  /** Finds a record by its number, wherever it is. */
  record: route('lookups.record', 'GET /l/ci/{id}', {
    summary: 'Finds a record by its number, wherever it is',
    answer: record,
    source: 'service-facts §4.9',
  }),
  /** Finds a relation by its number. */
  relation: route('lookups.relation', 'GET /l/rel/{id}', {
    summary: 'Finds a relation by its number',
    answer: relation,
    source: 'service-facts §4.9',
  }),
  /** Finds a release by its number. */
  release: route('lookups.release', 'GET /l/release/{id}', {
    summary: 'Finds a release by its number',
    answer: release,
    source: 'service-facts §4.9',
  }),
  /** Finds a deployment by its number. */
  deployment: route('lookups.deployment', 'GET /l/deployment/{id}', {
    summary: 'Finds a deployment by its number',
    answer: deploymentSchema,
    source: 'service-facts §4.9',
  }),
  /** Finds a procedure by its number. */
  procedure: route('lookups.procedure', 'GET /l/procedure/{id}', {
    summary: 'Finds a procedure by its number',
    answer: procedureSchema,
    source: 'service-facts §4.9',
  }),
};
