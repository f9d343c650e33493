// The service that a saved plan is for, and whether it is the one that a run here would speak to.
// It must not know how settings are found.
import { serviceIdentity, type ServiceIdentity } from '../../provider';
import type { PlanFile } from './plan-file';
import type { StaleReason } from './verification';

/** The service that the configuration in the plan names. What only the environment of the preview named is not in the file: the digest binds it. */
const plannedService = ({ config }: PlanFile): ServiceIdentity => serviceIdentity((key) => config?.[key], {});

/** A service as people read it: `https://oneops.acme.io, organization acme`. */
export function identityText({ url, organization }: ServiceIdentity): string {
  if (url === undefined && organization === undefined) return 'none: no setting names one';
  return `${url ?? 'at no address'}, ${organization === undefined ? 'no organization' : `organization ${organization}`}`;
}

/** Why a plan is of another service than the one here: that one has nothing of what the plan is about, and so nothing that changed. */
export function elsewhereReasons(
  plan: PlanFile,
  organizations: readonly string[],
  here: ServiceIdentity,
): readonly StaleReason[] {
  const planned = plannedService(plan);
  const of = (message: string): StaleReason => ({ of: 'plan', address: 'the plan', message });
  const named = [...(planned.organization === undefined ? [] : [planned.organization]), ...organizations];
  const other = named.find((each) => each !== here.organization);
  return [
    ...(here.organization === undefined || other === undefined
      ? []
      : [of(`it is of organization ${other}, and this is ${here.organization}`)]),
    ...(here.url === undefined || planned.url === undefined || planned.url === here.url
      ? []
      : [of(`it is of the service ${planned.url}, and this is ${here.url}`)]),
  ];
}
