// A request's text as data: JSON or form body, query string with brackets, both as live clients send them (wire-facts §0.2).
// It must not know routes or what the data means.
import { Refusal } from '../handler';

/** Largest body that is read, in bytes. */
export const BODY_LIMIT = 8 * 1024 * 1024;

/** Deepest nesting of brackets in a body: nothing the service reads is deeper. */
const DEPTH_LIMIT = 64;

/** Deepest nesting of text in brackets outside of strings. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (quoted) {
      if (character === '\\') index += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}

/** Refuses a member that could be taken for an object's prototype: the schemas would drop it without a word. */
function withoutPrototype(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new Refusal(400, ['the body has a member called __proto__']);
  return value;
}

function readJson(text: string): object {
  if (depthOf(text) > DEPTH_LIMIT) throw new Refusal(400, [`the body is nested more than ${DEPTH_LIMIT} deep`]);
  let data: unknown;
  try {
    data = text.includes('__proto__') ? JSON.parse(text, withoutPrototype) : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal(400, [`the body is not JSON: ${error.message}`]);
    throw error;
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new Refusal(400, ['the body is not a JSON object']);
  return data;
}

interface Branch {
  [name: string]: string | Branch | string[];
}

/** `a[b][c]` → `['a', 'b', 'c']`; `a[]` → `['a', '']`. */
const stepsOf = (name: string): string[] => {
  const open = name.indexOf('[');
  if (open <= 0 || !name.endsWith(']')) return [name];
  return [name.slice(0, open), ...name.slice(open + 1, -1).split('][')];
};

function place(root: Branch, steps: readonly string[], value: string): void {
  let at = root;
  steps.forEach((step, index) => {
    const next = steps[index + 1];
    if (next === undefined) {
      at[step] = value;
    } else if (next === '' && index + 2 === steps.length) {
      const list = Array.isArray(at[step]) ? at[step] : [];
      at[step] = [...list, value];
    } else if (step !== '') {
      const known = at[step];
      const branch: Branch =
        typeof known === 'object' && !Array.isArray(known) ? known : (Object.create(null) as Branch);
      at[step] = branch;
      at = branch;
    }
  });
}

const plain = (value: string | Branch | string[]): unknown =>
  typeof value === 'string' || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));

/** `cms_ci[ciName]=x&ids[]=1` as nested data. Names nested deeper than anything the service reads are refused (400). */
export function readForm(text: string): { readonly [name: string]: unknown } {
  const root = Object.create(null) as Branch;
  for (const [name, value] of new URLSearchParams(text)) {
    const steps = stepsOf(name);
    if (steps.length > 8) throw new Refusal(400, ['a parameter is nested too deep']);
    place(root, steps, value);
  }
  return plain(root) as { readonly [name: string]: unknown };
}

/** Flat query parameters, the last of a name wins. */
export function readQuery(search: string): { readonly [name: string]: string } {
  return Object.fromEntries(new URLSearchParams(search));
}

/**
 * Body as data; undefined for none. Without a content type it is taken for JSON. Throws a Refusal: 400 for what is no JSON object,
 * 413 for one too large, 415 for a content type that is neither JSON nor a form.
 */
export function readBody(text: string | undefined, contentType: string | undefined): object | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  if (Buffer.byteLength(text) > BODY_LIMIT) throw new Refusal(413, [`the body is larger than ${BODY_LIMIT} bytes`]);
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded') return readForm(text);
  if (type === '' || type === 'application/json' || type.endsWith('+json')) return readJson(text);
  throw new Refusal(415, [`a body of type ${type} is not understood: send application/json`]);
}
