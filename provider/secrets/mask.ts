// Keeps secrets out of what people and logs see: the engine masks values of its configuration and nothing else (engine-facts A §3).

/** What is in a secret's place; the engine's own word. */
const MASK = '[secret]';

/** Shorter secrets are not looked for: replacing a letter everywhere would tell more than it hides. */
const SHORTEST = 4;

/** The text with every secret, and its forms in URLs and Basic authentication, replaced. */
export function masked(text: string, secrets: Iterable<string>): string {
  return [...secrets]
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap(formsOf)
    .sort((left, right) => right.length - left.length)
    .reduce((shown, form) => shown.replaceAll(form, MASK), text);
}

function formsOf(secret: string): readonly string[] {
  const base64 = (value: string): string => Buffer.from(value).toString('base64');
  const json = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, json, encodeURIComponent(secret), base64(secret), base64(`${secret}:`)])];
}

/** Every text inside a value, at any depth: what is secret when the value is. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
