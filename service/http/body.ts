// A request's text as data, checked against its route's schema (service-facts §0.2).
import type * as z from 'zod';
import { mapValues, measureJson, type Route } from '../../api/contract';
import { malformed, refused, RefusedRequest, unreadable } from '../runtime/handler';

/** Largest body that is read, in bytes. */
export const BODY_LIMIT = 8 * 1024 * 1024;

/** Deepest nesting of brackets in a body: nothing the service reads is deeper. */
const DEPTH_LIMIT = 64;

/** Most members and elements of a body at all levels: more findings would fill the memory. */
const MEMBER_LIMIT = 20_000;

/** A null byte, and half a character: the store cannot keep a text with either as it is. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Throws a RefusedRequest (400) for text that cannot be kept. */
function checkText(text: string): void {
  if (UNSTORABLE.test(text)) throw unreadable('the request has a text with a null byte or half a character');
}

/** Throws a RefusedRequest (400) for names of an object's prototype: schemas would drop them. */
function checkName(name: string): void {
  if (name === '__proto__') throw unreadable('the request has a member called __proto__');
}

/** JSON text that may contain what `checkText` and `checkName` refuse; most does not. */
const SUSPICIOUS = /__proto__|\\u(?:0000|005f|d[89a-f])|\p{Surrogate}/iu;

function checked(name: string, value: unknown): unknown {
  checkName(name);
  checkText(name);
  if (typeof value === 'string') checkText(value);
  return value;
}

function readJson(text: string): object {
  const { depth, members } = measureJson(text);
  if (depth > DEPTH_LIMIT) throw unreadable(`the body is nested more than ${DEPTH_LIMIT} deep`);
  if (members > MEMBER_LIMIT) throw unreadable(`the body has more than ${MEMBER_LIMIT} members`);
  let data: unknown;
  try {
    data = SUSPICIOUS.test(text) ? JSON.parse(text, checked) : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw unreadable(`the body is not JSON: ${error.message}`);
    throw error;
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw unreadable('the body is not a JSON object');
  return data;
}

/** Null: the name came without `=`. */
interface Branch {
  [name: string]: string | null | Branch | string[];
}

/** `a[b][c]` → `['a', 'b', 'c']`; `a[]` → `['a', '']`. */
const stepsOf = (name: string): string[] => {
  const open = name.indexOf('[');
  if (open <= 0 || !name.endsWith(']')) return [name];
  return [name.slice(0, open), ...name.slice(open + 1, -1).split('][')];
};

function place(root: Branch, steps: readonly string[], value: string | null): void {
  let at = root;
  steps.forEach((step, index) => {
    checkName(step);
    const next = steps[index + 1];
    const known = at[step];
    if (next === undefined) {
      if (value !== null || known === undefined) at[step] = value;
    } else if (next === '' && index + 2 === steps.length) {
      const list = Array.isArray(known) ? known : [];
      at[step] = list;
      if (value !== null) list.push(value);
    } else if (step !== '') {
      const branch: Branch =
        typeof known === 'object' && known !== null && !Array.isArray(known) ? known : (Object.create(null) as Branch);
      at[step] = branch;
      at = branch;
    }
  });
}

const plain = (value: Branch[string]): unknown =>
  typeof value === 'string' || value === null || Array.isArray(value) ? value : mapValues(value, (each) => plain(each));

/** Names and values. Throws a RefusedRequest (400) for too many, and for text nobody can keep. */
function parametersOf(text: string): URLSearchParams {
  const parameters = new URLSearchParams(text);
  if (parameters.size > MEMBER_LIMIT) throw unreadable(`there are more than ${MEMBER_LIMIT} parameters`);
  checkText(text);
  if (text.includes('%00')) for (const pair of parameters) pair.forEach(checkText);
  return parameters;
}

/** The names of a form or query that come without `=`, each as often as it does. */
function bareNames(text: string): readonly string[] {
  return text
    .split('&')
    .filter((each) => each !== '' && !each.includes('='))
    .flatMap((each) => [...new URLSearchParams(each).keys()]);
}

/** Names with brackets as nested data. Deeper names than the service reads are refused (400). */
function nested(pairs: Iterable<readonly [name: string, value: string | null]>): { readonly [name: string]: unknown } {
  const root = Object.create(null) as Branch;
  for (const [name, value] of pairs) {
    const steps = stepsOf(name);
    if (steps.length > 8) throw unreadable('a parameter is nested too deep');
    place(root, steps, value);
  }
  return plain(root) as { readonly [name: string]: unknown };
}

/** `cms_ci[ciName]=x&ids[]=1` as nested data. A name without `=` is null if it has no value. */
export function readForm(text: string): { readonly [name: string]: unknown } {
  const pairs = [...parametersOf(text)];
  const bare = new Set(bareNames(text));
  return nested(pairs.map(([name, value]) => [name, value === '' && bare.has(name) ? null : value] as const));
}

/** Flat query parameters; the last of a name wins. Throws a RefusedRequest (400) as readForm. */
export function readQuery(search: string): { readonly [name: string]: string } {
  return Object.fromEntries(search === '' ? [] : parametersOf(search));
}

/** The media type: `application/json`; `other` for a charset that is not UTF-8. */
function typeOf(contentType: string): string {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(each)?.[1]).find(Boolean);
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii'
    ? type.trim()
    : contentType;
}

/** Throws a RefusedRequest (400) for UTF-16 and byte order marks, which are also valid UTF-8. */
function checkEncoding(text: string): void {
  if (text.includes('\0')) throw unreadable('the body has null bytes, as text in UTF-16 has: send it in UTF-8');
  if (text.startsWith('\uFEFF')) throw unreadable('the body begins with a byte order mark: send UTF-8 without one');
}

/**
 * Body as data; undefined for none. Without a content type it is taken for JSON. Throws a
 * RefusedRequest: 400 for what is no JSON object, too deep, of too many members or of text that
 * cannot be kept; 413 for one too large, 415 for a content type that is neither JSON nor a form in
 * UTF-8.
 */
export function readBody(text: string | undefined, contentType: string | undefined): object | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  if (Buffer.byteLength(text) > BODY_LIMIT)
    throw new RefusedRequest(413, [`the body is larger than ${BODY_LIMIT} bytes`]);
  const type = typeOf(contentType ?? '');
  checkEncoding(text);
  if (type === 'application/x-www-form-urlencoded') return readForm(text);
  if (type === 'multipart/form-data') {
    checkText(text);
    return nested(readMultipart(text, contentType ?? ''));
  }
  if (type === '' || type === 'application/json' || type.endsWith('+json')) return readJson(text);
  throw new RefusedRequest(415, [`a body of type ${type} is not understood: send application/json in UTF-8`]);
}

const MOST_PARTS = 1000;

/** Longest head of a part: its name and type. */
const LONGEST_HEAD = 4096;

const brokenForm = (why: string): RefusedRequest => unreadable(`the multipart form cannot be read: ${why}`);

/** Name of a part by its head. Throws a RefusedRequest (400) for none. */
function nameIn(head: string): string {
  const name = /^content-disposition:\s*form-data\b[^\r\n]*?;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/im.exec(head);
  const text = name?.[1]?.replace(/\\(.)/g, '$1') ?? name?.[2];
  if (text === undefined || text === '') throw brokenForm('a part has no name');
  return text;
}

/** Names and texts of a form, in order; a file is its text. Throws a RefusedRequest (400). */
function readMultipart(text: string, contentType: string): readonly (readonly [name: string, value: string])[] {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw brokenForm('its content type names no boundary');
  // What is before the first boundary and after the last is no part.
  const [, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`);
  const last = parts.pop();
  if (last?.startsWith('--') !== true) throw brokenForm('its last boundary is missing');
  if (parts.length > MOST_PARTS) throw brokenForm(`it has more than ${MOST_PARTS} parts`);
  return parts.map((part) => {
    const end = part.indexOf('\r\n\r\n');
    if (!/^[ \t]*\r\n/.test(part) || end < 0 || end > LONGEST_HEAD) throw brokenForm('a part has no head');
    return [nameIn(part.slice(part.indexOf('\r\n') + 2, end)), part.slice(end + 4)];
  });
}

/** Whether a hash is missing or is no hash: the live service fails there (service-facts §7.1). */
const isFailure = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && ['object', 'record'].includes(issue.expected);

/** Whether an attribute's value is a list or a map: refused like any other value that cannot be. */
const isNoText = (issue: z.core.$ZodIssue): boolean => {
  const within = issue.path.at(-2);
  return issue.code === 'invalid_union' && (within === 'ciAttributes' || within === 'attributes');
};

/** Empty lists and maps for members that were not sent: a form cannot send an empty list. */
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
 * What a route reads: the body, and top-level query parameters for members the body does not have
 * (service-facts §0.2). A blank text or null for a list or a map is read as none. Throws a
 * RefusedRequest: `malformed` (400) where the live service fails, 422 for attributes that are lists
 * or maps, else 400.
 */
export function checkBody(route: Route, body: object | undefined, extra: object): unknown {
  const sent = Object.keys(extra).length === 0 ? body : { ...extra, ...body };
  const first = route.body.safeParse(sent);
  if (first.success) return first.data;
  const blanks = blanksIn(sent, first.error.issues);
  const result = blanks.length === 0 ? first : route.body.safeParse(without(sent, blanks));
  if (result.success) return result.data;
  const { issues } = result.error;
  const sentences = issues.map(({ path, message }) => `${path.length === 0 ? 'the body' : path.join('.')}: ${message}`);
  if (issues.some(isFailure)) throw malformed(...sentences);
  throw issues.some(isNoText) ? refused(...sentences) : unreadable(...sentences);
}
