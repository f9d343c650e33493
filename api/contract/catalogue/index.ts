// The door of the catalogue: classes, relations, templates and the rules of their attributes.
export * from './class-metadata';
export { type KnownPack, knownPacks, serviceTemplateClass, templateClass } from './packs';
export { templatesFromTexts, templatesOfClass, templateText } from './packs';
