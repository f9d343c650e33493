// `pulumi-oneops/dynamic`: what the constant provider texts in state load, one provider per kind under its token. Tokens never change.
// The one file that contains state for the life of a process: settings, connections and adaptations of the process that runs the providers.
import { kinds } from '../../kinds';
import { openApi } from '../../session/client';
import { type Configuration, type GivenKeys, resolveSettings } from '../../settings';
import { type Engine, openEngine } from '../engine';
import { type Connection, newConnection } from './connection';
import { face, type Face, type Host } from './face';
import { adaptSdkHost, engineAddress } from './sdk-host';

let engine: Engine | undefined;
let adapted = false;

/** One connection per configuration, so that kinds share client, limits and the run's memory. */
const connections = new Map<string, Connection>();
/** Connections by kind: the SDK configures each provider text on its own. */
const configured = new Map<string, Connection>();

/** Everything here happens before the first await: calls of other resources may arrive at any time (engine-facts A §9). */
function configure(token: string, configuration: Configuration, given?: GivenKeys): void {
  adapt();
  const resolved = resolveSettings(configuration, process.env, given);
  const key = JSON.stringify(resolved);
  const connection = connections.get(key) ?? newConnection(resolved, openApi, engine);
  connections.set(key, connection);
  configured.set(token, connection);
}

function adapt(): void {
  if (adapted) return;
  adapted = true;
  adaptSdkHost();
  const address = engineAddress();
  if (address === undefined) return;
  engine = openEngine(address);
  // A provider outlives a killed CLI and would finish its work alone (engine-facts A §6).
  engine.whenGone(() => process.exit(1));
}

/** The host of this process. */
const host: Host = {
  configure,
  connection(token) {
    const connection = configured.get(token);
    if (connection !== undefined) return connection;
    configure(token, () => undefined);
    return configured.get(token) as Connection;
  },
};

/** Provider of each kind, by token. */
const providers: { readonly [token: string]: Face } = Object.fromEntries(kinds.map((of) => [of.token, face(of, host)]));

export = providers;
