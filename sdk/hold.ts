// Keeps releases and deployments of a run waiting while a program continues declaring. A file of its own, so that its public type mentions nothing else.
import { treeOfRun } from './tree';

/** Keeps every release and deployment of the run waiting until the returned function is called. */
export const hold = (): (() => void) => treeOfRun().hold();
