// The door of the catalogue's judgement of arguments.
export { askCatalogue } from './ask-service';
export { judge, judgeAttributes, judgeCloudService, judgeComponent, judgePack } from './judge';
export {
  catalogueAt,
  knownCatalogue,
  PACKAGED,
  savedCatalogue,
  type CatalogueDocument,
  type KnownCatalogue,
} from './known';
export { atLevel, type CatalogueLevel } from '../../session/settings';
