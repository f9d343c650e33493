// A run over a service, without an engine: its settings, its messages, and the verbs of each kind.
import { type ClientOptions, createApi } from '../../api/client';
import { newConnection, type Connection } from '../../provider/faces/dynamic/connection';
import { face, type Face, type Host } from '../../provider/faces/dynamic/face';
import type { EngineMessage } from '../../provider/faces/engine';
import { pulumiWords, resolveSettings } from '../../provider/session/settings';
import { createService, fastClock, type Service } from '../../service';
import { type Call, pluginClient } from './plugin-face';
import { kindOf } from './world';

const TOKEN = 'token-of-the-admin';

/** A service with the user whose token a run has. */
export const serviceForRuns = (): Service =>
  createService({ database: ':memory:', clock: fastClock(1000), users: [{ name: 'admin', token: TOKEN }] });

interface FaceRun {
  readonly connection: Connection;
  readonly host: Host;
  /** What is reported to the engine. */
  readonly messages: readonly EngineMessage[];
  dynamic(token: string): Face;
  /** Calls of the plugin's protocol. */
  readonly plugin: Call;
}

/** A process of its own. `send`: where its requests go; by default through a socket. */
export function faceRun(
  settings: { readonly [key: string]: string | undefined } = {},
  send?: ClientOptions['send'],
  environment: { readonly [name: string]: string } = {},
): FaceRun {
  const all: typeof settings = {
    'oneops:url': 'http://127.0.0.1:1',
    'oneops:organization': 'acme',
    'oneops:token': TOKEN,
    ...settings,
  };
  const messages: EngineMessage[] = [];
  const opened = newConnection(
    resolveSettings((key) => all[key], environment),
    async (given) => createApi({ words: pulumiWords, ...given, ...(send ? { send } : {}), attempts: 1 }),
    { log: (message) => void messages.push(message), whenGone: () => undefined, close: () => undefined },
  );
  // Without a CLI above it, a process cannot know whether its run is limited: this one is not.
  const connection = { ...opened, session: { ...opened.session, isLimited: () => false } };
  const host: Host = { configure: () => undefined, connection: () => connection };
  return {
    connection,
    host,
    messages,
    dynamic: (token) => face(kindOf(token), host),
    plugin: pluginClient(connection),
  };
}
