// The door of the errors.
import { ApiError, NotFound } from './api-error';
import { Bug, OneOpsError } from './errors';

export * from './api-error';
export * from './errors';
export { optionWords, type NamedSetting, type SettingWords } from './setting-words';

/** Whether the service itself said no. */
export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError;

/** An answer, or undefined where the service says that there is nothing of the kind (404). */
export async function orNone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** What a person is told about any error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The error with what was attempted, on what, in front: `cannot create attachment acme/shop/web/deployer/motd: …`. */
export function describe(error: unknown, about: { readonly attempt: string; readonly subject: string }): Error {
  const subject = `cannot ${about.attempt} ${about.subject}`;
  if (error instanceof OneOpsError) return error.attempted(subject);
  return new Bug(messageOf(error)).attempted(subject);
}
