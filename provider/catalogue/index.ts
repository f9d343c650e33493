// The door of the catalogue's judgement of arguments.
// It must not know who asks.
export { judgeAttributes } from './attributes';
export { judgeComponent } from './component';
export { atLevel, CATALOGUE_LEVELS, judge, type CatalogueLevel } from './judge';
export { judgePack } from './packs';
