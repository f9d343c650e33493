// The door of the transport.
// It must not know who sends.
export * from './axios';
