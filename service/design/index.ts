// The door of designs: assemblies, platforms, components, variables, attachments, design releases.
import { type HandlerTable } from '../handler';
import { assemblyHandlers } from './assemblies';
import { attachmentHandlers } from './attachments';
import { cloneHandlers } from './clone';
import { componentHandlers } from './components';
import { extractHandlers } from './extract';
import { loadHandlers } from './load';
import { monitorHandlers } from './monitors';
import { platformChangeHandlers, platformPackHandlers } from './platform-changes';
import { platformHandlers } from './platforms';
import { designReleaseHandlers } from './releases';
import { savedDesignHandlers } from './saved-designs';
import { variableHandlers } from './variables';

export { type DocumentMap, SECRET, writtenAttributes, yamlOf } from './extract';
export { readSent } from './load';
export { type DocumentNode, membersAt, shownOf, textOf } from './read-document';

export const designHandlers: HandlerTable = {
  ...assemblyHandlers,
  ...platformHandlers,
  ...platformChangeHandlers,
  ...platformPackHandlers,
  ...componentHandlers,
  ...variableHandlers,
  ...attachmentHandlers,
  ...monitorHandlers,
  ...designReleaseHandlers,
  ...cloneHandlers,
  ...savedDesignHandlers,
  ...extractHandlers,
  ...loadHandlers,
};
