// A service other than the stack's own, declared in a program.
// It must not know kinds, nor open a connection.
import { secret, type Input } from '@pulumi/pulumi/output';
import { ProviderResource, type ResourceOptions } from '@pulumi/pulumi/resource';

/** Arguments of a Provider. Nothing of the stack's configuration is taken over. */
export interface ProviderArgs {
  /** Base address of the service. */
  url: Input<string>;
  /** Organization whose records are declared. */
  organization: Input<string>;
  /** Token of a user; kept as a secret. */
  token?: Input<string | undefined>;
  /** Environment variable that holds the token; it wins over `token`, so that refresh and destroy see a renewed one. */
  tokenEnv?: Input<string | undefined>;
  /** Voice of the service: `auto` (default), `documented` or `classic`. */
  dialect?: Input<'auto' | 'documented' | 'classic' | undefined>;
  /** Whether the token may cross a network unencrypted. Loopback is always allowed. */
  allowHttp?: Input<boolean | undefined>;
  /** Whether a refresh reads each list once for all of its records: `on` (default) or `off`. */
  readCache?: Input<'on' | 'off' | undefined>;
}

/** A service, an organization in it and a user. Resources take it as `provider` option; those declared inside another follow it by themselves. */
export class Provider extends ProviderResource {
  constructor(name: string, args: ProviderArgs, options?: ResourceOptions) {
    const { token, ...rest } = args;
    const settings = Object.entries({
      ...rest,
      ...(token === undefined ? {} : { token: secret(token) }),
      explicit: 'true',
    });
    super('pulumi-nodejs', name, Object.fromEntries(settings.map(([key, value]) => [`oneops:${key}`, value])), options);
  }
}
