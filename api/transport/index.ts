// The door of the transport. What it exports loads no HTTP library before the first request.
export { httpTransport, type Transport, type TransportOptions } from './http';
export { isLoopback, proxyFor, type ProcessVariables } from './proxy';
export type { After } from './timed';
