// The door of the pack catalogue: what platforms, clouds and a fresh database are made from.
export { type Catalogue, loadCatalogue, packOfPlatform } from './catalogue';
export { CatalogueError, type CatalogueFinding, formatFinding, MODES } from './files';
export type { Location, Offering, ServiceTemplate } from './locations';
export {
  edgeAttributes,
  edges,
  type PackMode,
  type Pack,
  requirementOf,
  requiredTemplates,
  type PackTemplate,
  templates,
  type TextValues,
} from './packs';
