// A request's body against its route's schema: the data, or every reason to refuse it.
// It must not know any route by name, nor how the body came.
import { type z } from 'zod';
import { type Route } from '../../api/contract';
import { malformed, unreadable } from '../handler';

/** Issues of a body as sentences. */
function sentencesOf(issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.map((issue) => `${issue.path.length === 0 ? 'the body' : issue.path.join('.')}: ${issue.message}`);
}

/** Whether a hash the service looks into is missing or no hash, or an attribute's value is no text: the live service fails there (wire-facts §2.1.3, §7.1). */
function isFailure(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_type' && ['object', 'record'].includes(issue.expected)) return true;
  const within = issue.path.at(-2);
  return issue.code === 'invalid_union' && (within === 'ciAttributes' || within === 'attributes');
}

/**
 * What a route reads: the body, and top-level query parameters for members the body does not have (wire-facts §0.2). Throws a Refusal (400);
 * `malformed` where the live service has a failure of its own.
 */
export function checkBody(route: Route, sent: object | undefined, extra: object): unknown {
  const result = route.body.safeParse(Object.keys(extra).length === 0 ? sent : { ...extra, ...sent });
  if (result.success) return result.data;
  const { issues } = result.error;
  throw issues.some(isFailure) ? malformed(...sentencesOf(issues)) : unreadable(...sentencesOf(issues));
}
