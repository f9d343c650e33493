// A request's body against its route's schema: the data, or every reason to refuse it.
// It must not know any route by name, nor how the body came.
import { type z } from 'zod';
import { type Route } from '../../api/contract';
import { malformed, refused, unreadable } from '../handler';

/** Issues of a body as sentences. */
function sentencesOf(issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.map((issue) => `${issue.path.length === 0 ? 'the body' : issue.path.join('.')}: ${issue.message}`);
}

/** Whether a hash the service looks into is missing or no hash: the live service fails there (service-facts §7.1). */
const isFailure = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && ['object', 'record'].includes(issue.expected);

/** Whether an attribute's value is a list or a map: refused like any other value that cannot be (service-facts §14). */
const isNoText = (issue: z.core.$ZodIssue): boolean => {
  const within = issue.path.at(-2);
  return issue.code === 'invalid_union' && (within === 'ciAttributes' || within === 'attributes');
};

/** Where lists and maps are expected and nothing was sent for them: a form cannot say "an empty list" in another way. */
function blanksIn(sent: object | undefined, issues: readonly z.core.$ZodIssue[]): readonly (readonly PropertyKey[])[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_type' || !['array', 'object', 'record'].includes(issue.expected)) return [];
    const value = issue.path.reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null ? (at as { readonly [name: PropertyKey]: unknown })[step] : at,
      sent,
    );
    return issue.path.length > 0 && (value === '' || value === null) ? [issue.path] : [];
  });
}

/** The same without the members at these paths. */
function without(value: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  if (paths.length === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const here = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
      return here.some((rest) => rest.length === 0) ? [] : [[name, without(each, here)]];
    }),
  );
}

/**
 * What a route reads: the body, and top-level query parameters for members the body does not have (service-facts §0.2). A blank text or null for a
 * list or a map is read as none. Throws a Refusal: `malformed` (400) where the live service has a failure of its own, 422 for attributes that
 * are lists or maps, else 400.
 */
export function checkBody(route: Route, body: object | undefined, extra: object): unknown {
  const sent = Object.keys(extra).length === 0 ? body : { ...extra, ...body };
  const first = route.body.safeParse(sent);
  if (first.success) return first.data;
  const blanks = blanksIn(sent, first.error.issues);
  const result = blanks.length === 0 ? first : route.body.safeParse(without(sent, blanks));
  if (result.success) return result.data;
  const { issues } = result.error;
  const sentences = sentencesOf(issues);
  if (issues.some(isFailure)) throw malformed(...sentences);
  throw issues.some(isNoText) ? refused(...sentences) : unreadable(...sentences);
}
