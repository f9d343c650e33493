// Monitor verbs in environments: the values that differ there from the monitor of the design (service-facts §4.7.5).
import { routes } from '../../../api/contract';
import { LifecycleError } from '../../errors';
import { holdersOf } from '../../releases/design-changes';
import { platformText } from '../../releases/named-component';
import { ofClass } from '../../verbs/records';
import type { Verbs } from '../../verbs/verbs';
import { overlayVerbs } from '../environment/overlay';
import { partReader } from '../environment/parts';
import { declaredNames } from './flow';

const monitors = partReader({
  readable: { ...routes.environmentMonitors, isMeant: ofClass('Monitor') },
  designed: routes.monitors.list,
  holdersIn: (api, at) => holdersOf(api, at, 'catalog.Monitor'),
});

/** Verbs of the monitors of an environment. */
export const environmentMonitorVerbs: Verbs = overlayVerbs({
  find: monitors.find,
  designed: monitors.designed,
  update: routes.environmentMonitors.update,
  addressOf: monitors.addressOf,
  nameOf: (work) => String(work.address['name']),
  missing: (work) =>
    new LifecycleError(
      `component "${work.at['component']}" of ${platformText(work)} has no monitor "${work.address['name']}"`,
      'declare it for the component of the design too; a monitor that comes with the pack is called after its platform and component, such as "web-os-cpu"',
    ),
  declares: declaredNames,
});

/** Monitors of an environment that have values of their own. */
export const searchMonitors = monitors.search;
