// What a fault is: which requests it meets and what happens to them; read from JSON with every mistake named.
import { z } from 'zod';
import { allRoutes, formatPath } from '../../api/contract';

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
 * One fault. It meets requests by `route` (name in the contract), `method` and `record`: the end, from a slash on, of the path
 * `/organization/assembly/…` of the names a request's path and body give. Of the requests it meets it strikes the `nth` (default: the first)
 * and those after it, `times` in all (default: one when `nth` is given, else every one). Effects:
 * - `delay`: the answer begins `ms` later, the request is carried out after the delay; delays add up and go with another effect;
 * - `status`: this status with this body, JSON or text; `html`: a page of HTML as a proxy would send it, status 200;
 *   `rate-limit`: 429 with Retry-After;
 * - `drop`: the connection ends without an answer; `truncate`: after the first `bytes` of the answer's body;
 * - `drip`: the body comes `bytes` (default 1) at a time, `ms` apart;
 * - `fail-deployment`: work orders and actions on the component fail with this message; `record` as in Failure.match.
 *
 * `applied: true` has `status`, `html` and `drop` carried out before the answer is lost; else they never reach the service.
 */
export type Fault = z.output<typeof ruleSchema>;

/** A fault that strikes requests: all but `fail-deployment`. */
export type RequestFault = Exclude<Fault, { readonly effect: 'fail-deployment' }>;

/** A fault that makes a component's work orders fail. */
export type DeploymentFault = Extract<Fault, { readonly effect: 'fail-deployment' }>;

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

/** `{"faults": […]}` as faults. `place` names where it comes from, in errors. Throws FaultsError. */
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
