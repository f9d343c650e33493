// The door of designs: assemblies, platforms, components, variables, attachments, design releases.
import type { HandlerTable } from '../runtime/handler';
import { assemblyHandlers, cloneHandlers, savedDesignHandlers } from './assemblies';
import { designAttachmentHandlers, designMonitorHandlers, designVariableHandlers } from './collections';
import { designReleaseHandlers, platformChangeHandlers } from './releases';
import { componentHandlers } from './components';
import { designPlatformHandlers } from './platforms';

export const designHandlers: HandlerTable = {
  ...assemblyHandlers,
  ...designPlatformHandlers,
  ...platformChangeHandlers,
  ...componentHandlers,
  ...designVariableHandlers,
  ...designAttachmentHandlers,
  ...designMonitorHandlers,
  ...designReleaseHandlers,
  ...cloneHandlers,
  ...savedDesignHandlers,
};
