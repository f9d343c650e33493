// A service other than the stack's own, declared in a program; and which provider carries the resources of a run out.
import { RunError } from '@pulumi/pulumi/errors';
import { type Input, output, type Output, secret } from '@pulumi/pulumi/output';
import { ProviderResource, type ResourceOptions } from '@pulumi/pulumi/resource';
import { allConfig } from '@pulumi/pulumi/runtime/config';
import { getMonitor } from '@pulumi/pulumi/runtime/settings';

/** `dynamic` needs this package in the project's node_modules; `plugin` needs pulumi-resource-oneops. */
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

/** The face of the run: as chosen, else as `oneops:resources` of the stack's configuration says. Default `dynamic`. */
export const faceOfRun = (): ResourceFace =>
  run()[FACE] ?? (allConfig()['oneops:resources'] === 'plugin' ? 'plugin' : 'dynamic');

/** Arguments of a Provider. Nothing of the stack's configuration is taken over. */
export interface ProviderArgs {
  /** Base address of the service. */
  url: Input<string>;
  /** Organization whose records are declared. */
  organization: Input<string>;
  /** Token of a user; kept as a secret. */
  token?: Input<string | undefined>;
  /** Environment variable that contains the token; it wins over `token`, so that refresh and destroy see a renewed one. */
  tokenEnv?: Input<string | undefined>;
  /** Dialect of the service: `auto` (default), `documented` or `classic`. */
  dialect?: Input<'auto' | 'documented' | 'classic' | undefined>;
  /** Whether the token may cross a network unencrypted. Loopback is always allowed. */
  allowHttp?: Input<boolean | undefined>;
  /** Whether a refresh reads each list once for all of its records: `on` (default) or `off`. */
  readCache?: Input<'on' | 'off' | undefined>;
  /**
   * How findings of the packaged catalogue count: `auto` (default) as errors where the service surely refuses and as warnings elsewhere, `strict`
   * as errors, `warn` as warnings, `off` not at all.
   */
  catalogue?: Input<'auto' | 'strict' | 'warn' | 'off' | undefined>;
  /** Whether every write is an error before it is sent. Default false; `ONEOPS_READ_ONLY=true` forbids writes to every provider. */
  readOnly?: Input<boolean | undefined>;
  /** Whether a run begins without asking the service who it is. Default false; `ONEOPS_OFFLINE_PREVIEW=true` holds for every provider. */
  offlinePreview?: Input<boolean | undefined>;
  /** File that a line of JSON is appended to for each request; relative to the folder of the project. `ONEOPS_AUDIT` wins over it. */
  audit?: Input<string | undefined>;
}

type Settings = { readonly [key: string]: Input<unknown> };

const SETTINGS = Symbol.for('pulumi-oneops: settings of a provider');

/** A service, an organization in it and a user. Resources take it as `provider` option; those declared inside another follow it by themselves. */
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

/** What a provider sets for findings of the catalogue; undefined when it sets nothing, or is no Provider of ours. */
export const catalogueOf = (provider: ProviderResource): unknown =>
  (provider as { readonly [SETTINGS]?: Settings })[SETTINGS]?.['oneops:catalogue'];

/** The plugin takes its settings by their bare names; that it was declared in a program it sees from its name. */
const bare = ({ 'oneops:explicit': _, ...configuration }: Settings): Settings =>
  Object.fromEntries(Object.entries(configuration).map(([key, value]) => [key.replace('oneops:', ''), value]));

/** Settings of a provider by full key (`oneops:url`), for functions; secret because of its token. Throws RunError for any other provider. */
export function settingsOf(provider: ProviderResource): Output<{ readonly [key: string]: unknown }> {
  const settings = (provider as { readonly [SETTINGS]?: Settings })[SETTINGS];
  if (settings === undefined) throw new RunError('the provider given to a function is no Provider of pulumi-oneops');
  return output(settings) as unknown as Output<{ readonly [key: string]: unknown }>;
}
