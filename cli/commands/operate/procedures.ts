// Procedures as operators see them: one by its number, how far it is, and what failed.
import type { Api } from '../../../api/client';
import { routes, type Procedure } from '../../../api/contract';
import { isApiError } from '../../../api/errors';
import { UsageError } from '../../exit';
import type { InEnvironment } from './place';

/** Whether a procedure still goes on. */
export const isRunning = ({ procedureState }: Procedure): boolean => ['pending', 'active'].includes(procedureState);

/** A procedure by its number. Throws UsageError if there is none: the live service answers 500 for it (service-facts §7.1). */
export async function procedureIn(api: Api, { environment }: InEnvironment, id: string): Promise<Procedure> {
  if (!/^\d+$/.test(id)) throw new UsageError(`"${id}" is no number of a procedure`);
  try {
    return await api.call(routes.procedures.read, { address: { procedure: id } });
  } catch (error) {
    if (isApiError(error) && [404, 500].includes(error.status))
      throw new UsageError(`there is no procedure ${id} in ${environment}`);
    throw error;
  }
}

/** `active: 1/3 done; 1 failed`. */
export function procedureText({ procedureState, actions }: Procedure): string {
  const of = (state: string): number => (actions ?? []).filter(({ actionState }) => actionState === state).length;
  const failed = of('failed');
  return `${procedureState}: ${of('complete')}/${(actions ?? []).length} done${failed === 0 ? '' : `; ${failed} failed`}`;
}
