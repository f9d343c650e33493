// Following a procedure: which instances are done, and what failed, in the service's own words (service-facts §2.5, §3.7).
// It must not know why it runs.
import { type Procedure, routes } from '../../../api/contract';
import { isApiError } from '../../../api/errors';
import type { Work } from '../../model';
import { allInstances } from '../../verbs/named-component';
import { waitUntil } from '../../verbs/waiting';

const MINUTES = 60_000;
const DEFAULT_TIMEOUT = 60;

/** Whether it still continues. */
export const isRunning = ({ procedureState }: Procedure): boolean => ['pending', 'active'].includes(procedureState);

/** Asks until the procedure has ended; says how far it is. Throws TimedOutWaiting after `timeout` minutes. */
export async function awaitProcedure(work: Work, procedure: Procedure): Promise<Procedure> {
  const names = await namesOf(work);
  let told = '';
  return waitUntil(
    work,
    {
      what: `procedure ${procedure.procedureId}`,
      limit: Number(work.args['timeout'] ?? DEFAULT_TIMEOUT) * MINUTES,
    },
    () => work.api.call(routes.procedures.read, { address: { ...work.at, procedure: String(procedure.procedureId) } }),
    (now) => {
      const line = progressLine(now, names);
      if (line !== told) work.progress(line);
      told = line;
      return !isRunning(now);
    },
  );
}

type Names = ReadonlyMap<number, string>;

async function namesOf(work: Work): Promise<Names> {
  return new Map((await allInstances(work)).map(({ ciId, ciName }) => [ciId, ciName]));
}

/** `1/3 compute-6201-2 active`. */
function progressLine({ actions, procedureState }: Procedure, names: Names): string {
  const all = actions ?? [];
  const done = all.filter(({ actionState }) => actionState === 'complete').length;
  const running = all
    .filter(({ actionState }) => actionState === 'inprogress')
    .map(({ ciId }) => names.get(ciId ?? 0) ?? `record ${ciId}`);
  return [`${done}/${all.length}`, running.slice(0, 3).join(', '), procedureState]
    .filter((part) => part !== '')
    .join(' ');
}

/** A line for each action that failed, with the last error that was logged of it. */
export async function failureLines(work: Work, { procedureId }: Procedure): Promise<readonly string[]> {
  const address = { ...work.at, procedure: String(procedureId) };
  const [status, names] = await Promise.all([statusOf(work, address), namesOf(work)]);
  return (status?.actions ?? [])
    .filter(({ actionState }) => actionState === 'failed')
    .map(({ actionId, actionName, ciId }) => {
      const logged = status?.log_data.find(({ id }) => id === actionId)?.logData ?? [];
      const said = logged.findLast(({ level }) => level === 'ERROR')?.message;
      return `  ${names.get(ciId ?? 0) ?? `record ${ciId}`}: ${actionName} failed${said === undefined ? '' : `: ${said}`}`;
    });
}

/** Its actions and their logs; undefined when the service refuses them: the failure itself is reported all the same. */
async function statusOf(work: Work, address: { readonly [name: string]: string }) {
  try {
    return await work.api.call(routes.procedures.status, { address });
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
}
