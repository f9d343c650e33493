// Limits how many resources of a stack are registered at the same time: enough to keep the engine busy, and few enough to bound memory.
// It must not know how a resource is registered.
import type { CustomResource } from '@pulumi/pulumi/resource';
import { deferredNames } from '../sdk';
import type { StackPlan } from './values/plan';
import type { ResourceKey } from './values/value';

/** Decides when the next resource may be registered. */
export interface Pace {
  /** Resolves when another resource may follow this one. */
  after(key: ResourceKey, resource: CustomResource): Promise<void>;
}

interface PaceOptions {
  /** Resources without an answer at one time. By default the engine works on 16 at a time; the rest are ready for it. */
  readonly room?: number;
  /** Milliseconds without an answer after which the limit ends, because a run that fails leaves some resources without one. */
  readonly patience?: number;
}

/**
 * Limits the resources that depend only on resources registered before them. A resource that waits for the end of all declarations, and everything
 * after it, does not count: it gets no answer while others still wait for their turn.
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

/** Resources that wait until everything is declared, directly or through another resource. */
function waitingFor({ resources }: StackPlan): ReadonlySet<ResourceKey> {
  const waiting = new Set<ResourceKey>();
  for (const { key, kind, after } of resources)
    if (deferredNames(kind.token).length > 0 || after.some((each) => waiting.has(each))) waiting.add(key);
  return waiting;
}

/** Settles when the engine has answered the registration. */
const answered = (resource: CustomResource): Promise<unknown> =>
  (resource.urn as unknown as { promise(): Promise<unknown> }).promise();
