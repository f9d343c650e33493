// The one attribute whose wire name differs between the dialects: an attachment's events (service-facts §13 row 7).
// It must not know how requests are sent.
import { carriesAttachments, voices, type Dialect, type Route } from '../contract';

const DOCUMENTED = voices.documented.attachmentEvents;

/** A body of an attachment's route with the events under the dialect's name. */
export function spellEvents(route: Route, dialect: Dialect, body: unknown): unknown {
  return renamed(route, body, DOCUMENTED, voices[dialect].attachmentEvents);
}

/** An answer of an attachment's route with the events under the contract's name. */
export function readEvents(route: Route, dialect: Dialect, answer: unknown): unknown {
  return renamed(route, answer, voices[dialect].attachmentEvents, DOCUMENTED);
}

/** Renames an attribute, and its lock, wherever it stands in records of an attachment's route. */
function renamed(route: Route, value: unknown, from: string, to: string): unknown {
  if (from === to || !carriesAttachments(route.name)) return value;
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key === from ? to : key, walk(inner)]));
  };
  return walk(value);
}
