// The dialect of the service: found out once; requests and answers in it (service-facts §13).
import {
  carriesAttachments,
  DIALECT_HEADER,
  DIALECTS,
  pathIn,
  dialectRules,
  type Dialect,
  type Route,
  type WireResponse,
} from '../contract';

/** The dialect as set; with `auto`, as the service says or a probe shows. */
export function spokenDialect(given: Dialect | 'auto' = 'auto') {
  let known: Dialect | undefined = given === 'auto' ? undefined : given;
  let probing: Promise<Dialect> | undefined;
  return {
    /** The dialect as set, or as an answer said; undefined until then. */
    known: () => known,
    /** Notes the dialect that an answer names. */
    hear: ({ headers }: WireResponse): void => {
      known ??= DIALECTS.find((dialect) => dialect === headers[DIALECT_HEADER]);
    },
    /** The dialect, by a probe when it is not known. */
    async find(probe: () => Promise<Dialect>): Promise<Dialect> {
      if (known !== undefined) return known;
      probing ??= probe();
      try {
        return (known = await probing);
      } finally {
        // After a failure the next call probes again.
        probing = undefined;
      }
    },
  };
}

/** Whether a route's request is the same in every dialect. */
export const isAlike = (route: Route): boolean =>
  route.repeat === 'read' && !(route.name in dialectRules.classic.paths);

/** Path pattern and body of a route's request in a dialect. */
export function encodeForDialect(
  route: Route,
  dialect: Dialect,
  body: unknown,
): { readonly path: string; readonly body: unknown } {
  const { attachmentEvents } = dialectRules[dialect];
  const renamed = renameEvents(route, body, dialectRules.documented.attachmentEvents, attachmentEvents);
  return { path: pathIn(dialect, route), body: serviceBody(route, dialect, renamed) };
}

/** The body of an answer in the contract's form. */
export const decodeFromDialect = (route: Route, dialect: Dialect, body: unknown): unknown =>
  renameEvents(route, body, dialectRules[dialect].attachmentEvents, dialectRules.documented.attachmentEvents);

/** Row 7: renames an attachment's events, and their lock, in records of an attachment's route. */
function renameEvents(route: Route, value: unknown, from: string, to: string): unknown {
  if (from === to || !carriesAttachments(route.name)) return value;
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key === from ? to : key, walk(inner)]));
  };
  return walk(value);
}

const SERVICE_WRITES: readonly string[] = ['cloudServices.create', 'cloudServices.update'];

/** Row 5: the body of a cloud service, bare where the dialect takes the record itself. */
function serviceBody(route: Route, dialect: Dialect, body: unknown): unknown {
  if (!SERVICE_WRITES.includes(route.name) || dialectRules[dialect].serviceBodyWrapped) return body;
  if (typeof body !== 'object' || body === null || !('cms_ci' in body)) return body;
  const { cms_ci: record, ...beside } = body as { readonly cms_ci: object };
  return { ...record, ...beside };
}
