// Keeps releases and deployments of a run waiting. Its public type mentions nothing else.
import { treeOfRun } from './tree';

/** Keeps every release and deployment of the run waiting until the returned function is called. */
export const hold = (): (() => void) => treeOfRun().hold();
