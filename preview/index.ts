// The door of previews and saved plans: from the engine's document to a comment, and whether a plan may still be applied.
export * from './saved-plan';
export { previewResources, kindToken, type EngineResource, type PreviewedResources } from './document';
export { withLive } from './live';
export { LONGEST_COMMENT, previewMarkdown } from './markdown';
export type * from './plan';
export { isPreviewForPeople, readPreview } from './read-preview';
