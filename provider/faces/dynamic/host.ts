// The process that runs our providers: its settings, connections and adaptations. The one file that contains state for the life of a process.
// It must not know what a kind does.
import { openEngine, type Engine } from '../engine';
import { openApi } from '../../session/client';
import { newConnection, type Connection } from './connection';
import type { Host } from './face';
import { adaptSdkHost, engineAddress } from './sdk-host';
import type { GivenKeys } from '../../session/setting-names';
import { resolveSettings, type Configuration } from '../../session/settings';

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
export const host: Host = {
  configure,
  connection(token) {
    const connection = configured.get(token);
    if (connection !== undefined) return connection;
    configure(token, () => undefined);
    return configured.get(token) as Connection;
  },
};
