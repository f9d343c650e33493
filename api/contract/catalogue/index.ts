// The door of the catalogue's metadata: classes, relations, templates and the rules of their attributes.
export * from './attribute-rules';
export * from './class-metadata';
export { expectationFault, expectationWords, type Expectation, type ExpectationFault } from './expectation';
export { knownPacks, templateText, type KnownPack, type KnownTemplate } from './packs';
export { templateClass, templatesOfClass } from './templates';
