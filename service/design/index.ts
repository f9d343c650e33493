// The door of designs: assemblies, platforms, components, variables, attachments, design releases.
import { type HandlerTable } from '../handler';
import { assemblyHandlers } from './assemblies';
import { designAttachmentHandlers } from './attachments';
import { cloneHandlers } from './clone';
import { componentHandlers } from './components';
import { extractHandlers } from './extract';
import { loadHandlers } from './load';
import { designMonitorHandlers } from './monitors';
import { platformChangeHandlers, platformPackHandlers } from './platform-changes';
import { designPlatformHandlers } from './platforms';
import { designReleaseHandlers } from './releases';
import { savedDesignHandlers } from './saved-designs';
import { designVariableHandlers } from './variables';

export { type DocumentMap, SECRET, writtenAttributes, yamlOf } from './extract';
export { readSent } from './load';
export { type DocumentNode, membersAt, shownOf, nodeText } from './read-document';

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
