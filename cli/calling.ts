// Runs a command against the service that its options name: it reads first, then writes, and turns each failure into an exit code.
import type { Api } from '../api/client';
import { Forbidden, messageOf, ReadOnly, Unauthenticated } from '../api/errors';
import { masked } from '../provider';
import { UsageError } from './command';
import { apiOf, commandSettings, problemOf, type SettingsOptions } from './settings';

/** Reads, and returns the function that writes. An error before the write means wrong use, or a name that does not exist. */
type Look = (api: Api, organization: string) => Promise<() => Promise<void>>;

/** The exit code: 0 done, 1 wrong use, 3 the service did not do it, 4 no token or a refused one, 5 the settings allow only reads. */
export async function calling(options: SettingsOptions, look: Look): Promise<number> {
  const { resolved, note } = await commandSettings(options);
  if ('problem' in resolved) return failed(problemOf(resolved, note), resolved.lacksToken ? 4 : 1);
  const { organization, token } = resolved.settings;
  const api = apiOf(resolved.settings);
  let isWriting = false;
  try {
    const write = await look(api, organization);
    isWriting = true;
    await write();
    return 0;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return failed(masked(messageOf(error), [token]), codeOf(error, isWriting));
  } finally {
    api.close();
  }
}

function codeOf(error: unknown, isWriting: boolean): number {
  if (error instanceof Unauthenticated || error instanceof Forbidden) return 4;
  if (error instanceof ReadOnly) return 5;
  return isWriting ? 3 : 1;
}

function failed(message: string, code: number): number {
  process.stderr.write(`pulumi-oneops: ${message}\n`);
  return code;
}
