// The door of previews: from the engine's document to a comment.
export { parseUrn, previewResources, kindToken, type EngineResource, type PreviewedResources } from './document';
export { withLive } from './live';
export { commentMarker, LONGEST_COMMENT, previewMarkdown } from './markdown';
export type * from './plan';
export { isPreviewForPeople, readPreview } from './read-preview';
