// The list of functions. Adding one is a literal in a file next to this and a line here.
// It must not know what any of them does.
import { getOrganizations } from './account';
import type { ApiFunction } from './api-function';
import { getAttachment, getAttachments } from './attachments';
import { getAvailableServices, getOfferings, getServices, getServiceTemplate } from './cloud-services';
import { getCloud, getClouds, getLocations } from './clouds';
import { getComputeReport } from './compute-report';
import { getComponent, getComponents } from './components';
import { getAssemblies, getAssembly, getPlatform, getPlatforms } from './design';
import { getActions, getComputes, getInstances } from './operations';
import { getProcedure } from './procedures';
import { getLatestRelease, getRelease, getReleases } from './releases';
import { getDeploymentStatus, getEnvironment } from './transition';
import { getVariables } from './variables';

/** A literal without its own types: its arguments were checked before they reach it. */
const untyped = <F>(literal: F): ApiFunction => literal as unknown as ApiFunction;

/** Every function, in the order of the API's description. */
export const functions: readonly ApiFunction[] = [
  untyped(getOrganizations),
  untyped(getClouds),
  untyped(getCloud),
  untyped(getLocations),
  untyped(getAvailableServices),
  untyped(getServiceTemplate),
  untyped(getServices),
  untyped(getOfferings),
  untyped(getComputeReport),
  untyped(getAssemblies),
  untyped(getAssembly),
  untyped(getPlatforms),
  untyped(getPlatform),
  untyped(getComponents),
  untyped(getComponent),
  untyped(getAttachments),
  untyped(getAttachment),
  untyped(getVariables),
  untyped(getEnvironment),
  untyped(getReleases),
  untyped(getRelease),
  untyped(getLatestRelease),
  untyped(getDeploymentStatus),
  untyped(getInstances),
  untyped(getComputes),
  untyped(getActions),
  untyped(getProcedure),
];
