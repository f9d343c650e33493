// The door of the catalogue's judgement of arguments.
// It must not know who asks.
export { judgeAttributes } from './attributes';
export { askCatalogue } from './ask-service';
export { judgeCloudService } from './cloud-service';
export { judgeComponent } from './component';
export { judge } from './judge';
export {
  catalogueAt,
  knownCatalogue,
  PACKAGED,
  savedCatalogue,
  type CatalogueDocument,
  type KnownCatalogue,
} from './known';
export { atLevel, CATALOGUE_LEVELS, type CatalogueLevel } from './level';
export { judgePack } from './packs';
