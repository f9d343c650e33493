// A service of its own in a program; and the provider that carries out a run's resources.
import { RunError } from '@pulumi/pulumi/errors';
import { type Input, output, type Output, secret } from '@pulumi/pulumi/output';
import { ProviderResource, type ResourceOptions } from '@pulumi/pulumi/resource';
import { allConfig } from '@pulumi/pulumi/runtime/config';
import { getMonitor } from '@pulumi/pulumi/runtime/settings';
import type { ProviderArgs } from './provider-args';

/** `dynamic` needs this package in the project's node_modules; `plugin` pulumi-resource-oneops. */
export type ResourceFace = 'dynamic' | 'plugin';

const FACE = Symbol('pulumi-oneops: which provider carries resources out');

interface WithFace {
  [FACE]?: ResourceFace;
}

const run = (): WithFace => (getMonitor() ?? globalThis) as WithFace;

/** Chooses the face for every resource that this run declares from now on. */
export function chooseFace(face: ResourceFace): void {
  run()[FACE] = face;
}

/** The chosen face, else that of `oneops:resources`. Default `dynamic`. */
export const faceOfRun = (): ResourceFace =>
  run()[FACE] ?? (allConfig()['oneops:resources'] === 'plugin' ? 'plugin' : 'dynamic');

type Settings = { readonly [key: string]: Input<unknown> };

const SETTINGS = Symbol.for('pulumi-oneops: settings of a provider');

/** A service, an organization and a user. Resources take it as `provider`, and inherit it. */
export class Provider extends ProviderResource {
  constructor(name: string, args: ProviderArgs, options?: ResourceOptions) {
    const { token, ...rest } = args;
    const settings = Object.entries({
      ...rest,
      ...(token === undefined ? {} : { token: secret(token) }),
      explicit: 'true',
    });
    const configuration = Object.fromEntries(settings.map(([key, value]) => [`oneops:${key}`, value]));
    const isPlugin = faceOfRun() === 'plugin';
    super(isPlugin ? 'oneops' : 'pulumi-nodejs', name, isPlugin ? bare(configuration) : configuration, options);
    Object.defineProperty(this, SETTINGS, { value: configuration });
  }
}

/** A setting as a provider of ours has it, or the stack; otherwise undefined. */
export const settingOf = (provider: ProviderResource | undefined, name: string): unknown =>
  (provider ? (provider as { readonly [SETTINGS]?: Settings })[SETTINGS] : allConfig())?.[`oneops:${name}`];

/** What distinguishes services: the address and organization, or the provider where these are outputs. */
export function serviceOf(provider: ProviderResource | undefined): unknown {
  const parts = ['url', 'organization'].map(
    (name) => settingOf(provider, name) ?? process.env[`ONEOPS_${name.toUpperCase()}`],
  );
  return parts.every((part) => typeof part === 'string') ? parts.join(' ') : provider;
}

/** The plugin takes settings by bare names. Its name shows that a program declared it. */
const bare = ({ 'oneops:explicit': _, ...configuration }: Settings): Settings =>
  Object.fromEntries(Object.entries(configuration).map(([key, value]) => [key.replace('oneops:', ''), value]));

/** Settings of a provider by full key, for functions; secret. Throws RunError for others. */
export function settingsOf(provider: ProviderResource): Output<{ readonly [key: string]: unknown }> {
  const settings = (provider as { readonly [SETTINGS]?: Settings })[SETTINGS];
  if (settings === undefined) throw new RunError('the provider given to a function is no Provider of pulumi-oneops');
  return output(settings) as unknown as Output<{ readonly [key: string]: unknown }>;
}
