// Makes the engine keep a place in a stack file as a resource's source position (trial 5): the SDK looks for it on the call stack.
// It must not know what is registered.
import { Resource } from '@pulumi/pulumi/resource';

/** A place in a file, by its absolute path; line and column from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What the SDK reads call sites with; not part of its public types. */
interface Sdk {
  callsites?: () => readonly object[];
}

/** Frames of the SDK's own constructors, which it skips. */
const OWN_FRAMES = [{}, {}, {}, {}, {}];

/** Runs a registration so that it seems to stand at a place. With an SDK that finds positions in another way, it just runs. */
export function at<T>(place: Place, register: () => T): T {
  const sdk = Resource as unknown as Sdk;
  const original = sdk.callsites;
  if (typeof original !== 'function') return register();
  sdk.callsites = () => [...OWN_FRAMES, place];
  try {
    return register();
  } finally {
    sdk.callsites = original;
  }
}
