// Monitor verbs in environments: the values that differ there from the monitor of the design (service-facts §4.7.5).
import { routes } from '../../../api/contract';
import { partKind, type PartKind } from '../environment/parts';
import { declaredNames } from './flow';

/** Monitors of an environment's components. */
export const monitorsInEnvironment: PartKind = partKind({
  className: 'Monitor',
  routes: routes.environmentMonitors,
  designed: routes.monitors.list,
  advice:
    'declare it for the component of the design too; a monitor that comes with the pack is called after its platform and component, such as "web-os-cpu"',
  declares: declaredNames,
});
