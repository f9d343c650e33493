// `ONEOPS_LOG=debug`: one line for each request, its answer and its repetitions.
// It must not know who prints the lines, nor what is secret: they are masked where they are reported.
import type { ClientEvent } from '../../../api/client';

/**
 * `GET /acme/clouds 200 in 12 ms, attempt 1`; a failure is reported with its kind, the pause before the next attempt in ms, or why there is none.
 * Undefined for what another line shows as well. Holds no header and no body.
 */
export function traceLine(event: ClientEvent): string | undefined {
  const about = `${event.method} ${event.path}`;
  const attempt = `attempt ${event.attempt}`;
  switch (event.kind) {
    case 'request':
      return undefined;
    case 'response':
      return `${about} ${event.status} in ${event.took} ms, ${attempt}`;
    case 'retry':
      return `${about} ${event.error.name}, ${attempt}: again in ${Math.round(event.pause)} ms`;
    case 'error':
      return `${about} ${event.error.name}, ${attempt}: given up (${event.gaveUp})`;
  }
}
