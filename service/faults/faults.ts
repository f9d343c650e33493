// The faults in force: which of them a request meets, counted in order of the requests.
// What a fault does to an answer: apply-fault.ts.
import { createFailures } from '../deployments';
import { type DeploymentFault, type Fault, type RequestFault } from './rule';

/** A request as faults look at it. */
export interface ObservedRequest {
  /** Route name of the contract; undefined when nothing is served there. */
  readonly route: string | undefined;
  readonly method: string;
  /** `/organization/assembly/…`: the names in the path, and that of the record in the body. */
  readonly record: string;
}

/** What one request meets. */
export interface MetFault {
  readonly route: string | undefined;
  /** ms before it is carried out. */
  readonly delay: number;
  /** What happens to its answer; undefined: it only comes late. */
  readonly fault: Exclude<RequestFault, { readonly effect: 'delay' }> | undefined;
}

/** The faults in force. Kept in memory for the life of one service. */
export interface Faults {
  /** Replaces all faults in force; counting starts again. */
  set(faults: readonly Fault[]): void;
  list(): readonly Fault[];
  /** The faults this request meets, counted for each of them; undefined: none. The call is made only when there are faults. */
  meet(call: () => ObservedRequest): MetFault | undefined;
  /** The message a work order or action with these paths fails with, or undefined; counts down. */
  take(paths: readonly string[]): string | undefined;
}

/** A fault of requests, with the requests it has met so far. */
interface Counted {
  readonly fault: RequestFault;
  met: number;
}

const isDeploymentFault = (fault: Fault): fault is DeploymentFault => fault.effect === 'fail-deployment';

function meets(fault: RequestFault, call: ObservedRequest): boolean {
  const { route, method, record } = fault;
  if (route !== undefined && route !== call.route) return false;
  if (method !== undefined && method !== call.method) return false;
  return record === undefined || call.record.endsWith(record.startsWith('/') ? record : `/${record}`);
}

/** Whether a fault applies to the request that it met last, its `met`th. */
function applies({ nth, times }: RequestFault, met: number): boolean {
  const first = nth ?? 1;
  const last = first - 1 + (times ?? (nth === undefined ? Infinity : 1));
  return met >= first && met <= last;
}

/** A holder of faults. */
export function createFaults(initial: readonly Fault[] = []): Faults {
  let current: readonly Fault[] = [];
  let counted: readonly Counted[] = [];
  const failures = createFailures();
  const set = (faults: readonly Fault[]): void => {
    current = [...faults];
    counted = faults.flatMap((fault) => (isDeploymentFault(fault) ? [] : [{ fault, met: 0 }]));
    failures.set(
      faults
        .filter(isDeploymentFault)
        .map(({ record, message, times }) => ({ match: record, message, ...(times === undefined ? {} : { times }) })),
    );
  };
  set(initial);
  return {
    set,
    list: () => current,
    meet: (makeCall) => {
      if (counted.length === 0) return undefined;
      const call = makeCall();
      const applying = counted.flatMap((each) => {
        if (!meets(each.fault, call)) return [];
        each.met += 1;
        return applies(each.fault, each.met) ? [each.fault] : [];
      });
      if (applying.length === 0) return undefined;
      const delay = applying.reduce((sum, fault) => sum + (fault.effect === 'delay' ? fault.ms : 0), 0);
      return { route: call.route, delay, fault: applying.find((fault) => fault.effect !== 'delay') };
    },
    take: (paths) => failures.take(paths),
  };
}
