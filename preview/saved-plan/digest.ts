// The digest that names a plan: equal for equal steps from an equal start in the same service, whatever the file's order and the time it was written.
import { createHash } from 'node:crypto';
import { isPlainObject, secretIn, type ServiceIdentity } from '../../provider';
import { withoutSecrets } from './planned-document';
import type { PlanFile, PlanStart, StartResource } from './plan-file';

/**
 * SHA-256 over the goal and the steps of each resource, the configuration, the start and the service. Often only the environment
 * names the service, so the plan does not contain it. Secrets of the plan take part as the file encrypts them, with a random
 * nonce: nobody can guess a value by hashing candidates, and nobody can exchange one without another digest. Secrets of the
 * state are left out, because its revisions change with them.
 */
export function planDigest(
  { config, resourcePlans }: PlanFile,
  start: PlanStart,
  service: ServiceIdentity = {},
): string {
  const resources = Object.fromEntries(
    Object.entries(resourcePlans).map(([urn, { goal, steps }]) => [urn, { goal, steps }]),
  );
  const from = Object.fromEntries([...start.resources].map(([urn, each]) => [urn, startOf(each)]));
  return createHash('sha256')
    .update(canonical({ version: 1, config, resources, start: from, service }))
    .digest('hex');
}

const startOf = ({ id, inputs, outputs }: StartResource): unknown =>
  withoutSecrets({ id, inputs: inputs ?? {}, outputs: outputs ?? {} });

/** JSON with sorted keys, without what is absent. A secret in clear, which no plan of the CLI holds, does not take part. */
function canonical(value: unknown): string {
  const secret = secretIn(value);
  if (secret !== undefined && secret !== 'encrypted') return '"[secret]"';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isPlainObject(value)) return JSON.stringify(value ?? null);
  const present = Object.entries(value).filter(([, item]) => item !== undefined && item !== null);
  const sorted = present.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${sorted.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(',')}}`;
}
