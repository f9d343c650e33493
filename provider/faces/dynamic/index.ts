// `pulumi-oneops/dynamic`: what the provider texts in states load, one provider per kind. Tokens
// never change. The one file with state for the life of a process: settings and connections.
import type { Kind } from '../../kind';
import { kinds } from '../../kinds';
import { type Configuration, type GivenKeys, openApi, resolveSettings } from '../../session/settings';
import { type Engine, openEngine } from '../engine';
import { type Connection, newConnection } from './connection';
import { face, type Face, type Host } from './face';
import { adaptSdkHost, engineAddress } from './sdk-host';

let engine: Engine | undefined;
let complete: ReturnType<typeof adaptSdkHost> | undefined;

/** One connection per configuration, so that kinds share client, limits and the run's memory. */
const connections = new Map<string, Connection>();
const configured = new Map<string, Connection>();

/** Everything here happens before the first await: other calls may come (engine-facts A §9). */
function configure(token: string, configuration: Configuration, given?: GivenKeys): void {
  adapt();
  const resolved = resolveSettings(configuration, process.env, given);
  const key = JSON.stringify(resolved);
  const connection = connections.get(key) ?? newConnection(resolved, openApi, engine);
  connections.set(key, connection);
  configured.set(token, connection);
}

function adapt(): void {
  if (complete !== undefined) return;
  complete = adaptSdkHost();
  const address = engineAddress();
  if (address === undefined) return;
  engine = openEngine(address);
  // A provider outlives a killed CLI and would finish its work alone (engine-facts A §6).
  engine.whenGone(() => process.exit(1));
}

const host: Host = {
  configure,
  connection(token) {
    const connection = configured.get(token);
    if (connection !== undefined) return connection;
    configure(token, () => undefined);
    return configured.get(token) as Connection;
  },
};

function provider(of: Kind): Face {
  const own = face(of, host);
  return { ...own, delete: (id, properties) => own.delete(id, complete?.(properties) ?? properties) };
}

const providers: { readonly [token: string]: Face } = Object.fromEntries(kinds.map((of) => [of.token, provider(of)]));

export = providers;
