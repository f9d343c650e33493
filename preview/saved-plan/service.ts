// The service that a saved plan is for, and whether it is the one that a run here would speak to.
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

/** Configuration of a stack as its files have it: a text, or `{ secure: … }` for a secret. */
export interface WrittenSettings {
  readonly values: { readonly [key: string]: unknown };
  /** Whether nothing else gives the stack configuration, so that a key that is missing here was removed. */
  readonly isWhole: boolean;
}

/** The configuration of the default provider. Another service or organization is reported as such. */
const isSetting = (key: string): boolean =>
  key.startsWith('oneops:') && !['oneops:url', 'oneops:organization'].includes(key);

/**
 * Settings that changed since the plan was made. The engine keeps them in the provider's inputs, and refuses the plan
 * with "violates plan: properties changed". A secret counts as changed when its encrypted text is another one.
 */
export function changedSettings({ config }: PlanFile, written: WrittenSettings | undefined): readonly StaleReason[] {
  if (written === undefined) return [];
  const { values, isWhole } = written;
  const planned = config ?? {};
  const known = isWhole ? [...Object.keys(planned), ...Object.keys(values)] : Object.keys(values);
  const changed = [...new Set(known)].filter(
    (key) => isSetting(key) && settingText(planned[key]) !== settingText(values[key]),
  );
  return changed.map((key) => ({
    of: 'plan',
    address: 'the plan',
    message: `the setting ${key} was changed after the plan was made, so that the engine refuses the plan`,
  }));
}

const settingText = (value: unknown): string | undefined => (typeof value === 'string' ? value : JSON.stringify(value));
