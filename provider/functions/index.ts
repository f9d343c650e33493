// The door of functions. A new one is a literal in a file of this folder and a line here.
import { getComputeReport, getOrganizations } from './account';
import type { ApiFunction } from './api-function';
import { getAttachment, getAttachments, getComponent, getComponents } from './components';
import {
  getAvailableServices,
  getCloud,
  getClouds,
  getLocations,
  getOfferings,
  getServices,
  getServiceTemplate,
} from './clouds';
import { getAssemblies, getAssembly, getPlatform, getPlatforms, getVariables } from './design';
import { getActions, getComputes, getInstances, getProcedure } from './operations';
import { getLatestRelease, getRelease, getReleases } from './releases';
import { getDeploymentStatus, getEnvironment } from './transition';

export { type ApiFunction, checkArguments } from './api-function';
export { FunctionFailed, newCaller, type Caller } from './caller';
export { wrapSecrets, type RecordType, type Result, type Results, type ResultShape } from './result';

/** Every function, in the order of the API's description; arguments were checked before. */
export const functions = [
  getOrganizations,
  getClouds,
  getCloud,
  getLocations,
  getAvailableServices,
  getServiceTemplate,
  getServices,
  getOfferings,
  getComputeReport,
  getAssemblies,
  getAssembly,
  getPlatforms,
  getPlatform,
  getComponents,
  getComponent,
  getAttachments,
  getAttachment,
  getVariables,
  getEnvironment,
  getReleases,
  getRelease,
  getLatestRelease,
  getDeploymentStatus,
  getInstances,
  getComputes,
  getActions,
  getProcedure,
] as unknown as readonly ApiFunction[];
