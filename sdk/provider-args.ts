// Arguments of a Provider. Written by sdk/generate from the settings (npm run generate): do not edit.
import type { Input } from '@pulumi/pulumi/output';

/** Arguments of a Provider. Nothing of the stack's configuration is taken over. */
export interface ProviderArgs {
  /** Base address of the service. */
  url: Input<string>;
  /** Organization whose records are declared. */
  organization: Input<string>;
  /** A user's API token. Kept as a secret. */
  token?: Input<string | undefined>;
  /** Environment variable that holds the token, instead of ONEOPS_TOKEN. It wins over `token`, so that refresh and destroy see a renewed one. */
  tokenEnv?: Input<string | undefined>;
  /** Dialect of the service: `auto` (default), `documented` or `classic`. */
  dialect?: Input<'auto' | 'documented' | 'classic' | undefined>;
  /** Whether the token may cross a network unencrypted; loopback is always allowed. */
  allowHttp?: Input<boolean | undefined>;
  /** Whether a refresh reads each list once for all of its records: `on` (default) or `off`. */
  readCache?: Input<'on' | 'off' | undefined>;
  /** How findings of the packaged catalogue count: `auto` (default), `strict` as errors, `warn` as warnings, `off` not at all. */
  catalogue?: Input<'auto' | 'strict' | 'warn' | 'off' | undefined>;
  /** Whether every write is an error before it is sent. Default false; `ONEOPS_READ_ONLY=true` forbids writes to every provider. */
  readOnly?: Input<boolean | undefined>;
  /** Whether a preview begins without asking the service for the clouds of the organization, so that it needs no service. It then does not find a wrong address, organization or token. Default false; `ONEOPS_OFFLINE_PREVIEW=true` holds for every provider. */
  offlinePreview?: Input<boolean | undefined>;
  /** File that a line of JSON is appended to for each request; relative to the folder of the project. `ONEOPS_AUDIT` wins over it. */
  audit?: Input<string | undefined>;
}
