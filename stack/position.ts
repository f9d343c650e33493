// Gives a resource a place in a stack file as its source position. The SDK reads source positions from the call stack.
// It must not know what is registered.
import { Resource } from '@pulumi/pulumi/resource';

/** A place in a file, by its absolute path; line and column from 1. */
export interface SourcePlace {
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

/**
 * Frames of an error made in a registration. The SDK writes down the stack of every promise it makes, for whoever looks for leaks: that is half
 * of what registering a large stack costs, and all of it says that a file was registered. One shows where an error was made.
 */
const FRAMES = 1;

/** Runs a registration so that it seems to be at a place. With an SDK that finds positions in another way, it just runs. */
export function at<T>(place: SourcePlace, register: () => T): T {
  const sdk = Resource as unknown as Sdk;
  const original = sdk.callsites;
  if (typeof original !== 'function') return register();
  sdk.callsites = () => [...OWN_FRAMES, place];
  const { stackTraceLimit } = Error;
  if (process.env['PULUMI_DEBUG_PROMISE_LEAKS'] === undefined) Error.stackTraceLimit = FRAMES;
  try {
    return register();
  } finally {
    sdk.callsites = original;
    Error.stackTraceLimit = stackTraceLimit;
  }
}
