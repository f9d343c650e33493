// The door of the catalogue's metadata: classes, relations, templates and the rules of their attributes.
export * from './attribute-rules';
export * from './class-metadata';
export { expectationFault, expectationWords, type Expectation } from './expectation';
export { knownPacks, templateFromText, templateText, type KnownPack } from './packs';
export { templateClass, templatesOfClass } from './templates';
