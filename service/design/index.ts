// The door of designs: assemblies, platforms, components, variables, attachments, design releases.
import type { HandlerTable } from '../runtime/handler';
import { assemblyHandlers, cloneHandlers, savedDesignHandlers } from './assemblies';
import { designAttachmentHandlers, designMonitorHandlers, designVariableHandlers } from './collections';
import { loadHandlers } from './load';
import { designReleaseHandlers, platformChangeHandlers, platformPackHandlers } from './releases';
import { componentHandlers } from './components';
import { extractHandlers } from './extract';
import { designPlatformHandlers } from './platforms';

export { type DocumentMap, SECRET, writtenAttributes } from './extract';
export { readSent } from './load';
export { type DocumentNode, membersAt, shownOf, nodeText, yamlText } from './read-document';

export const designHandlers: HandlerTable = {
  ...assemblyHandlers,
  ...designPlatformHandlers,
  ...platformChangeHandlers,
  ...platformPackHandlers,
  ...componentHandlers,
  ...designVariableHandlers,
  ...designAttachmentHandlers,
  ...designMonitorHandlers,
  ...designReleaseHandlers,
  ...cloneHandlers,
  ...savedDesignHandlers,
  ...extractHandlers,
  ...loadHandlers,
};
