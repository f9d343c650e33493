// The door of the catalogue's judgement of arguments.
// It must not know who asks.
export { judgeAttributes } from './attributes';
export { judgeCloudService } from './cloud-service';
export { judgeComponent } from './component';
export { judge } from './judge';
export { atLevel, CATALOGUE_LEVELS, type CatalogueLevel } from './level';
export { judgePack } from './packs';
