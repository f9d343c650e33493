// Which provider carries the resources of a run out: the SDK's dynamic host with this package, or the plugin pulumi-resource-oneops.
// It knows no kind.
import { allConfig } from '@pulumi/pulumi/runtime/config';
import { getMonitor } from '@pulumi/pulumi/runtime/settings';

/** `dynamic` needs this package in the project's node_modules; `plugin` needs pulumi-resource-oneops. */
export type ResourceFace = 'dynamic' | 'plugin';

const FACE = Symbol('pulumi-oneops: which provider carries resources out');

interface WithFace {
  [FACE]?: ResourceFace;
}

const run = (): WithFace => (getMonitor() ?? globalThis) as WithFace;

/** Chooses the face for every resource that this run declares from now on. */
export function chooseFace(face: ResourceFace): void {
  run()[FACE] = face;
}

/** The face of the run: as chosen, else as `oneops:resources` of the stack's configuration says. Default `dynamic`. */
export const faceOfRun = (): ResourceFace =>
  run()[FACE] ?? (allConfig()['oneops:resources'] === 'plugin' ? 'plugin' : 'dynamic');
