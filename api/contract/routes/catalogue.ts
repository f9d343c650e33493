// Routes of offerings, class metadata, packs, saved designs, and numbers (service-facts §4.3).
import * as z from 'zod';
import {
  deploymentSchema,
  designDocument,
  procedureSchema,
  record,
  relation,
  release,
  templateSchema,
} from '../schemas';
import { area, collection, route } from '../route';

const records = z.array(record);
const byType = z.record(z.string(), records);
const PACK = '/{organization}/catalog/packs/{source}/{pack}/{version}';

export const catalogue = area('catalogue', 'service-facts §4.9', {
  publicOfferings: route('GET /cloud/offerings', 'Lists the public offerings by service type', byType, {
    query: ['ns_path'],
    source: 'service-facts §4.3',
    documented: true,
  }),
  publicServices: route('GET /cloud/services', 'Lists the public services by service type', byType, {
    query: ['ns_path'],
    source: 'service-facts §4.3',
    documented: true,
  }),
  offerings: route(
    'GET /{organization}/clouds/offerings',
    'Lists the offerings of an organization, or of one cloud, by service type',
    byType,
    { query: ['ns_path'], source: 'service-facts §4.3', documented: true },
  ),
  services: route(
    'GET /{organization}/clouds/services',
    'Lists the services of an organization, or of one cloud, by service type',
    byType,
    { query: ['ns_path'], source: 'service-facts §4.3', documented: true },
  ),
  metadata: route('GET /metadata', 'Reads what a class or relation is made of', z.looseObject({}).nullable(), {
    query: ['class_name', 'relation_name'],
    open: true,
  }),
  packs: route(
    'GET /{organization}/catalog/packs',
    'Lists the packs: source to name to versions',
    z.record(z.string(), z.record(z.string(), z.array(z.string()))),
  ),
  packComponents: route(
    `GET ${PACK}/platforms/{platform}/components`,
    "Lists a pack's templates of design components",
    z.array(templateSchema),
  ),
  packVariables: route(
    `GET ${PACK}/platforms/{platform}/variables`,
    "Lists a pack's variables: what a new platform is born with",
    z.array(templateSchema),
  ),
  packModeComponents: route(
    `GET ${PACK}/{mode}/platforms/{platform}/components`,
    "Lists a pack's templates of components in a mode, single or redundant",
    z.array(templateSchema),
  ),
});

export const designs = area('designs', 'service-facts §4.4', {
  ...collection('/{organization}/catalog/designs', 'design', 'saved design', {
    verbs: ['list', 'read', 'delete'],
    summaries: { list: 'Lists the designs saved in the catalogue of an organization' },
  }),
  export: route(
    'GET /{organization}/catalog/designs/{design}/export',
    'Reads a saved design as people write it',
    designDocument,
  ),
});

export const lookups = area('lookups', 'service-facts §4.9', {
  record: route('GET /l/ci/{id}', 'Finds a record by its number, wherever it is', record),
  relation: route('GET /l/rel/{id}', 'Finds a relation by its number', relation),
  release: route('GET /l/release/{id}', 'Finds a release by its number', release),
  deployment: route('GET /l/deployment/{id}', 'Finds a deployment by its number', deploymentSchema),
  procedure: route('GET /l/procedure/{id}', 'Finds a procedure by its number', procedureSchema),
});
