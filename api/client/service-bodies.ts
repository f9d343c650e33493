// How the body of a cloud service stands on the wire, which differs between the dialects (service-facts §13 row 5).
// It must not know how requests are sent.
import { voices, type Dialect, type Route } from '../contract';

const ROUTES: readonly string[] = ['cloudServices.create', 'cloudServices.update'];

/** A cloud service's body, given in its wrapper: the record itself, with the number of its template, where the dialect says so. */
export function spellService(route: Route, dialect: Dialect, body: unknown): unknown {
  if (!ROUTES.includes(route.name) || voices[dialect].serviceBodyWrapped) return body;
  if (typeof body !== 'object' || body === null || !('cms_ci' in body)) return body;
  const { cms_ci: record, ...beside } = body as { readonly cms_ci: object };
  return { ...record, ...beside };
}
