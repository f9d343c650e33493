// How the instances of an organization are, counted by state, in all and by environment (service-facts §2.2.11).
import { routes } from '../../api/contract';
import { mayOn } from '../account';
import { type HandlerTable, handlersOf } from '../handler';
import type { StoredRecord } from '../store';

const STATES = ['good', 'notify', 'unhealthy', 'overutilized', 'underutilized'];

function counted(instances: readonly StoredRecord[]): { readonly [state: string]: number } {
  const count = (state: string | null): number => instances.filter(({ opsState }) => opsState === state).length;
  return {
    total: instances.length,
    ...Object.fromEntries(STATES.map((state) => [state, count(state)])),
    unknown: count(null),
  };
}

/** `/<o>/<a>/<e>/bom/…` → `/<o>/<a>/<e>`. */
const environmentOf = ({ namespace }: StoredRecord): string => namespace.split('/').slice(0, 4).join('/');

/** Handler of an organization's health. Who may not see an assembly does not see its environments. */
export const healthHandlers: HandlerTable = handlersOf(routes.operations, {
  health: (context) => {
    const { records } = context.store;
    const assemblies = records
      .list({ namespace: `/${context.organization}`, className: 'account.Assembly' }, 'committed')
      .filter((assembly) => mayOn(context, assembly));
    const instances = assemblies
      .flatMap(({ namespace, name }) => records.list({ below: `${namespace}/${name}` }, 'committed'))
      .filter(({ className }) => className.startsWith('bom.'));
    const environments = [...new Set(instances.map(environmentOf))].sort();
    return {
      ...counted(instances),
      environments: environments.map((nsPath) => ({
        nsPath,
        ...counted(instances.filter((instance) => environmentOf(instance) === nsPath)),
      })),
    };
  },
});
