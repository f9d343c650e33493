// The running instances of an environment's component, all or by name (service-facts §4.8).
// It must not know what is done with them.
import { routes, type Instance } from '../../api/contract';
import { LifecycleError } from '../errors';
import { nearest } from '../values/nearest';
import type { Work } from '../model';
import { runningAddress } from './named-component';

/** All instances of the component the work is about. */
export async function allInstances(work: Work): Promise<readonly Instance[]> {
  const address = await runningAddress(work);
  return work.api.call(routes.operations.instances, { address, query: { instances_state: 'all' } });
}

/** Those the declaration names, or all. Throws when one is named that does not run. */
export async function wantedInstances(work: Work): Promise<readonly Instance[]> {
  const instances = await allInstances(work);
  const names = work.args['instances'];
  if (!Array.isArray(names)) return instances;
  const running = instances.map(({ ciName }) => ciName);
  const missing = names.map(String).filter((name) => !running.includes(name));
  if (missing.length === 0) return instances.filter(({ ciName }) => names.includes(ciName));
  const near = nearest(missing[0] ?? '', running);
  throw new LifecycleError(
    `${work.address['component']} has no instance ${missing.join(', ')}`,
    near ? `did you mean "${near}"?` : `its instances are ${running.join(', ') || 'none yet'}`,
  );
}
