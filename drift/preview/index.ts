// The door of previews: from the engine's document to a comment.
// It must not know the commands that use it.
export { withLive } from './live';
export { commentMarker, LONGEST_COMMENT, previewMarkdown } from './markdown';
export type * from './plan';
export { readPreview } from './read-preview';
