// The door of designs: assemblies, platforms, components, variables, attachments, design releases.
// It must not know anything beyond it.
import { type HandlerTable } from '../handler';
import { assemblyHandlers } from './assemblies';
import { attachmentHandlers } from './attachments';
import { componentHandlers } from './components';
import { platformHandlers } from './platforms';
import { designReleaseHandlers } from './releases';
import { variableHandlers } from './variables';

export const designHandlers: HandlerTable = {
  ...assemblyHandlers,
  ...platformHandlers,
  ...componentHandlers,
  ...variableHandlers,
  ...attachmentHandlers,
  ...designReleaseHandlers,
};
