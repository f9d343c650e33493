// Runs a command at the service that its options name: looks first, writes then, and turns each failure into an exit code.
// It must not know any single command.
import type { Api } from '../api/client';
import { Forbidden, messageOf, ReadOnly, Unauthenticated } from '../api/errors';
import { masked } from '../provider';
import { UsageError } from './command';
import { apiOf, commandSettings, problemOf, type SettingsOptions } from './settings';

/** Looks at what is there, and answers what writes. What it throws before the write is wrong use, or a name that is not there. */
type Look = (api: Api, organization: string) => Promise<() => Promise<void>>;

/** The exit code: 0 done, 1 not to be done, 3 the service did not do it, 4 no token or a refused one, 5 the settings allow only reads. */
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
