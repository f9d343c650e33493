// How a kind's resources are known to the engine: type, provider text, secrets. Frozen by golden tests: state holds these words for ever.
// It must not know the SDK, nor the lifecycle.
import type { Kind } from '../kind';

/** Type under which the dynamic face registers a kind (architecture §2). */
export const dynamicType = (token: string): string => `pulumi-nodejs:dynamic/oneops:${token}`;

/** Type under which the plugin registers a kind: the one in schema.json. */
export const pluginType = (token: string): string => `oneops:index:${token}`;

/** The constant `__provider` text: the engine's dynamic host loads the installed package from it (engine-facts, first section). */
export const providerText = (token: string): string =>
  `exports.handler = () => require("pulumi-oneops/dynamic").${token};`;

/** Names of a kind's secret arguments: secret on the way in and in outputs. */
export function secretNames(of: Kind): readonly string[] {
  return Object.entries(of.fields)
    .filter(([, field]) => field.secret)
    .map(([name]) => name);
}
