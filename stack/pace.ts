// How many resources of a stack are under way at once: enough for the engine to be busy, not so many that memory grows with the stack.
// It must not know how a resource is registered.
import type { CustomResource } from '@pulumi/pulumi/resource';
import { deferredNames } from '../sdk';
import type { StackPlan } from './values/plan';
import type { ResourceKey } from './values/value';

/** Says when the next resource may be registered. */
export interface Pace {
  /** Resolves once there is room for another resource after this one. */
  after(key: ResourceKey, resource: CustomResource): Promise<void>;
}

interface PaceOptions {
  /** Resources that may be under way. The engine works at 16 at once by default; the others let it choose. */
  readonly room?: number;
  /** Milliseconds without an answer after which it stops bounding: a run that fails may leave resources without one for good. */
  readonly patience?: number;
}

/**
 * Bounds the resources that depend on nothing but what is registered before them. What waits for the end of all declarations, and what comes after
 * it, is not counted: it could not be answered while others still wait for room.
 */
export function newPace(plan: StackPlan, { room = 64, patience = 10_000 }: PaceOptions = {}): Pace {
  const waiting = waitingFor(plan);
  const underWay = new Set<ResourceKey>();
  let isBounded = true;
  let wake = (): void => undefined;
  return {
    async after(key, resource) {
      if (!isBounded || waiting.has(key)) return;
      underWay.add(key);
      const settle = (): void => {
        underWay.delete(key);
        wake();
      };
      void answered(resource).then(settle, settle);
      while (isBounded && underWay.size >= room) {
        const timer = setTimeout(() => {
          isBounded = false;
          wake();
        }, patience);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        clearTimeout(timer);
      }
    },
  };
}

/** Resources that wait until everything is declared, by themselves or for another one. */
function waitingFor({ resources }: StackPlan): ReadonlySet<ResourceKey> {
  const waiting = new Set<ResourceKey>();
  for (const { key, kind, after } of resources)
    if (deferredNames(kind.token).length > 0 || after.some((each) => waiting.has(each))) waiting.add(key);
  return waiting;
}

/** Settles when the engine has answered for a resource. */
const answered = (resource: CustomResource): Promise<unknown> =>
  (resource.urn as unknown as { promise(): Promise<unknown> }).promise();
