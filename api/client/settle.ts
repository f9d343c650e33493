// Creates whose answer was lost: the record is read back, the create is never sent again.
import { type Call, type CallInput, ENCRYPTED, type Layer, parametersOf, type Route, routes } from '../contract';
import { ContractError, isApiError, TransportError } from '../errors';

interface SentBody {
  readonly ciName?: unknown;
  readonly ciAttributes?: { readonly [name: string]: unknown };
}

interface Found {
  readonly ciAttributes?: { readonly [name: string]: string | null };
}

/**
 * Settles a create of a record whose answer did not come, or came from something before the service, by reading the record: one that carries
 * what was sent is the answer; otherwise the failure of the create is thrown, which says that the record may be there.
 */
export const readBackCreates: Layer = (next) => async (route, input) => {
  try {
    return await next(route, input);
  } catch (error) {
    const read = route.repeat === 'create' && isLost(error) ? readOf(route, input) : undefined;
    const there = read && (await found(next, read));
    if (there === undefined || !carries(there, sentIn(input))) throw error;
    return there;
  }
};

const isLost = (error: unknown): boolean =>
  (error instanceof TransportError && error.sent !== false) ||
  error instanceof ContractError ||
  (isApiError(error) && error.status >= 500);

/** How the record of a create is read: by the read of the same area, whose path has at most the record's name more. */
function readOf(route: Route, input: CallInput): { readonly route: Route; readonly input: CallInput } | undefined {
  const area = (routes as { readonly [area: string]: { readonly [verb: string]: Route } })[
    route.name.split('.')[0] ?? ''
  ];
  const read = area?.['read'];
  const name = sentIn(input)?.ciName;
  if (read === undefined || typeof name !== 'string' || name === '') return undefined;
  const known = ['organization', ...Object.keys(input.address ?? {})];
  const [own, ...more] = parametersOf(read.path).filter((parameter) => !known.includes(parameter));
  if (more.length > 0) return undefined;
  const address = { ...input.address, ...(own === undefined ? {} : { [own]: name }) };
  return { route: read, input: { address, signal: input.signal } };
}

/** What the read answers; nothing when it fails too: then the create's own failure says more. */
async function found(
  call: Call,
  read: { readonly route: Route; readonly input: CallInput },
): Promise<Found | undefined> {
  try {
    return (await call(read.route, read.input)) as Found;
  } catch {
    return undefined;
  }
}

function sentIn({ body }: CallInput): SentBody | undefined {
  const wrapped = body as { readonly cms_ci?: SentBody; readonly cms_dj_ci?: SentBody } | undefined;
  return wrapped?.cms_ci ?? wrapped?.cms_dj_ci;
}

/** Whether a record has every attribute as it was sent, as far as that can be seen. */
function carries(there: Found, sent: SentBody | undefined): boolean {
  return Object.entries(sent?.ciAttributes ?? {}).every(([name, value]) => {
    const text = there.ciAttributes?.[name] ?? '';
    return text === ENCRYPTED || text === textOf(value);
  });
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : (JSON.stringify(value) ?? '');
