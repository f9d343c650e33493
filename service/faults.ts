// The faults in force: which of them a request or a work order meets, and what becomes of an
// answer. What a socket has to do is data of the answer, for callers without a socket.
import { StringDecoder } from 'node:string_decoder';
import { type WireResponse, allRoutes, formatPath } from '../api/contract';
import * as z from 'zod';

const endsIn = (path: string, record: string): boolean => path.endsWith(record.startsWith('/') ? record : `/${record}`);

/** A request as faults look at it. */
export interface ObservedRequest {
  /** Route name of the contract; undefined when nothing is served there. */
  readonly route: string | undefined;
  readonly method: string;
  /** `/organization/assembly/…`: the names in the path, and that of the record in the body. */
  readonly record: string;
}

export interface MetFault {
  readonly route: string | undefined;
  /** ms before it is carried out. */
  readonly delay: number;
  /** What happens to its answer; undefined: it only comes late. */
  readonly fault: Exclude<RequestFault, { readonly effect: 'delay' }> | undefined;
}

/** A fault, with the requests, work orders or actions it has met so far. */
interface Counted<F extends Fault> {
  readonly fault: F;
  met: number;
}

const counting = <F extends Fault>(faults: readonly F[]): readonly Counted<F>[] =>
  faults.map((fault) => ({ fault, met: 0 }));

const isDeploymentFault = (fault: Fault): fault is DeploymentFault => fault.effect === 'fail-deployment';

function meets(fault: RequestFault, call: ObservedRequest): boolean {
  const { route, method, record } = fault;
  if (route !== undefined && route !== call.route) return false;
  if (method !== undefined && method !== call.method) return false;
  return record === undefined || endsIn(call.record, record);
}

/** Whether a fault applies to the request that it met last, its `met`th. */
function applies({ nth, times }: RequestFault, met: number): boolean {
  const first = nth ?? 1;
  const last = first - 1 + (times ?? (nth === undefined ? Infinity : 1));
  return met >= first && met <= last;
}

export type Faults = ReturnType<typeof createFaults>;

/** The faults in force. Kept in memory for the life of one service. */
export function createFaults(initial: readonly Fault[] = []) {
  let current: readonly Fault[] = [];
  let ofRequests: readonly Counted<RequestFault>[] = [];
  let ofWork: readonly Counted<DeploymentFault>[] = [];
  const set = (faults: readonly Fault[]): void => {
    current = [...faults];
    ofRequests = counting(faults.filter((fault) => !isDeploymentFault(fault)));
    ofWork = counting(faults.filter(isDeploymentFault));
  };
  set(initial);
  return {
    set,
    list: (): readonly Fault[] => current,
    /** The faults of a request, counted; undefined: none. Without faults, nothing is called. */
    meet: (makeCall: () => ObservedRequest): MetFault | undefined => {
      if (ofRequests.length === 0) return undefined;
      const call = makeCall();
      const applying = ofRequests.flatMap((each) => {
        if (!meets(each.fault, call)) return [];
        each.met += 1;
        return applies(each.fault, each.met) ? [each.fault] : [];
      });
      if (applying.length === 0) return undefined;
      const delay = applying.reduce((sum, fault) => sum + (fault.effect === 'delay' ? fault.ms : 0), 0);
      return { route: call.route, delay, fault: applying.find((fault) => fault.effect !== 'delay') };
    },
    /** The message that a work order or action with these paths fails with; counted. */
    take: (paths: readonly string[]): string | undefined => {
      const striking = ofWork.find(
        ({ fault: { record, times = Infinity }, met }) => met < times && paths.some((path) => endsIn(path, record)),
      );
      if (striking === undefined) return undefined;
      striking.met += 1;
      return striking.fault.message;
    },
  };
}

/** How a listener puts an answer on the wire; a caller without a socket may ignore it. */
type Delivery =
  /** The connection ends after the body, which is shorter than `content-length` says. */
  | { readonly kind: 'cut' }
  /** The body goes out `bytes` at a time, `ms` apart. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly ms: number };

/** An answer, and how it goes out when that is not as usual. */
export interface Served extends WireResponse {
  readonly delivery?: Delivery;
}

/** A fault dropped the answer: a listener ends the connection. */
export class AnswerDropped extends Error {
  constructor() {
    super('a fault dropped the answer');
    this.name = 'AnswerDropped';
  }
}

const plainText = { 'content-type': 'text/plain; charset=utf-8' };
const json = { 'content-type': 'application/json; charset=utf-8' };

function page(status: number): Served {
  const body = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1><p>This page was sent in place of an answer.</p></body></html>`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** The first bytes of an answer, with the length of the whole. */
function cut(answer: WireResponse, bytes: number): Served {
  const whole = Buffer.from(answer.body);
  if (bytes >= whole.length) return answer;
  return {
    status: answer.status,
    headers: { ...answer.headers, 'content-length': String(whole.length) },
    // Whole characters only: half of one would become another.
    body: new StringDecoder('utf8').write(whole.subarray(0, bytes)),
    delivery: { kind: 'cut' },
  };
}

/**
 * The answer to a request that meets a fault. `carryOut` has the service answer it, which a fault
 * that is not `applied` never asks for. Throws AnswerDropped when there shall be no answer.
 */
export function applyFault(fault: MetFault['fault'], carryOut: () => WireResponse): Served {
  if (fault === undefined) return carryOut();
  if ('applied' in fault && fault.applied === true) carryOut();
  switch (fault.effect) {
    case 'status': {
      const { status, body, headers } = fault;
      const lowerCase = Object.fromEntries(
        Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
      );
      if (typeof body === 'string') return { status, headers: { ...plainText, ...lowerCase }, body };
      const text = body === undefined ? '' : JSON.stringify(body);
      return { status, headers: { ...json, ...lowerCase }, body: text };
    }
    case 'html':
      return page(fault.status ?? 200);
    case 'rate-limit':
      return {
        status: 429,
        headers: { ...json, 'retry-after': String(fault.seconds) },
        body: JSON.stringify({ errors: ['too many requests'] }),
      };
    case 'drop':
      throw new AnswerDropped();
    case 'truncate':
      return cut(carryOut(), fault.bytes);
    case 'drip':
      return { ...carryOut(), delivery: { kind: 'drip', bytes: fault.bytes ?? 1, ms: fault.ms } };
  }
}

// What a fault is: which requests it meets and what happens to them; read from JSON with every
// mistake named.

const ROUTE_NAMES: readonly string[] = allRoutes.map((route) => route.name);

const count = z.int().min(1);
const milliseconds = z.int().min(0).max(600_000);
const status = z.int().min(200).max(599);

/** Which requests a fault meets; a member left out meets all of them. */
const MEETING = {
  route: z
    .string()
    .refine((name) => ROUTE_NAMES.includes(name), { error: ({ input }) => `no route is called ${String(input)}` })
    .optional(),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).optional(),
  record: z.string().min(1).optional(),
  nth: count.optional(),
  times: count.optional(),
};

/** Whether the service carries the request out before the fault strikes: default no. */
const applied = z.boolean().optional();

const ruleSchema = z.discriminatedUnion('effect', [
  z.strictObject({ effect: z.literal('delay'), ms: milliseconds, ...MEETING }),
  z.strictObject({
    effect: z.literal('status'),
    status,
    body: z.unknown().optional(),
    headers: z.record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string().regex(/^[\t\x20-\x7e]*$/)).optional(),
    applied,
    ...MEETING,
  }),
  z.strictObject({ effect: z.literal('html'), status: status.optional(), applied, ...MEETING }),
  z.strictObject({ effect: z.literal('rate-limit'), seconds: z.int().min(0).max(3600), ...MEETING }),
  z.strictObject({ effect: z.literal('drop'), applied, ...MEETING }),
  z.strictObject({ effect: z.literal('truncate'), bytes: z.int().min(0), ...MEETING }),
  z.strictObject({ effect: z.literal('drip'), ms: milliseconds, bytes: count.optional(), ...MEETING }),
  z.strictObject({
    effect: z.literal('fail-deployment'),
    record: z.string().min(1),
    message: z.string(),
    times: count.optional(),
  }),
]);

const fileSchema = z.strictObject({ faults: z.array(ruleSchema).max(1000) });

/**
 * One fault. It meets requests by `route` (name in the contract), `method` and `record`: the end,
 * from a slash on, of the path `/organization/assembly/…` of the names a request's path and body
 * give. Of the requests it meets it strikes the `nth` (default: the first) and those after it,
 * `times` in all (default: one when `nth` is given, else every one). Effects:
 * - `delay`: the answer begins `ms` later, the request is carried out after the delay; delays add
 *   up and go with another effect;
 * - `status`: this status with this body, JSON or text; `html`: a page of HTML as a proxy would
 *   send it, status 200; `rate-limit`: 429 with Retry-After;
 * - `drop`: the connection ends without an answer; `truncate`: after the first `bytes` of the
 *   answer's body;
 * - `drip`: the body comes `bytes` (default 1) at a time, `ms` apart;
 * - `fail-deployment`: work orders and actions on a component fail with this message. `record` is the
 *   end of the path `/organization/assembly/environment/platform/component`, of an instance
 *   (`…/compute-6202-1`), or of the component on one cloud (`…/compute@west`).
 *
 * `applied: true` has `status`, `html` and `drop` carried out before the answer is lost; else they
 * never reach the service.
 */
export type Fault = z.output<typeof ruleSchema>;

type RequestFault = Exclude<Fault, { readonly effect: 'fail-deployment' }>;

/** A fault that makes a component's work orders fail. */
type DeploymentFault = Extract<Fault, { readonly effect: 'fail-deployment' }>;

/** Faults that cannot be used: every finding on a line, as `place: path: reason`. */
export class FaultsError extends Error {
  constructor(
    readonly place: string,
    readonly findings: readonly string[],
  ) {
    super(['The faults cannot be used', ...findings.map((finding) => `  ${place}: ${finding}`)].join('\n'));
    this.name = 'FaultsError';
  }
}

/** `{"faults": […]}` as faults. `place`: its source, for errors. Throws FaultsError. */
export function checkFaults(data: unknown, place: string): readonly Fault[] {
  const result = fileSchema.safeParse(data);
  if (result.success) return result.data.faults;
  throw new FaultsError(
    place,
    result.error.issues.map((issue) => {
      const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
      return [...(path.length === 0 ? [] : [formatPath(path)]), issue.message].join(': ');
    }),
  );
}

/** The same from JSON text. Throws FaultsError. */
export function readFaults(text: string, place: string): readonly Fault[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new FaultsError(place, [`not JSON: ${error.message}`]);
    throw error;
  }
  return checkFaults(data, place);
}
