// The list of functions. Adding one is a literal in a file beside this and a line here.
// It must not know what any of them does.
import { getOrganizations } from './account';
import type { ApiFunction } from './api-function';
import { getAvailableServices, getOfferings, getServices, getServiceTemplate } from './cloud-services';
import { getCloud, getClouds, getLocations } from './clouds';
import { getComputeReport } from './compute-report';
import { getAssembly, getPlatform } from './design';
import { getActions, getComputes, getInstances, getProcedure } from './operations';
import { getDeploymentStatus, getEnvironment, getLatestRelease } from './transition';

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
  untyped(getAssembly),
  untyped(getPlatform),
  untyped(getEnvironment),
  untyped(getLatestRelease),
  untyped(getDeploymentStatus),
  untyped(getInstances),
  untyped(getComputes),
  untyped(getActions),
  untyped(getProcedure),
];
