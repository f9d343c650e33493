// The door of the catalogue's metadata: classes, relations, templates and the rules of their attributes.
// It must not know packs, nor who asks.
export * from './attribute-rules';
export * from './class-metadata';
export { templateClass, templatesOfClass } from './templates';
