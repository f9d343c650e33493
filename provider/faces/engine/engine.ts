// The engine that started this process, over gRPC: its log, and whether it still lives (engine-facts A §6 and §10).
// It must not know kinds, resources or programs.
import { credentials, connectivityState } from '@grpc/grpc-js';
import { EngineClient } from '@pulumi/pulumi/proto/engine_grpc_pb';
import { LogRequest, LogSeverity } from '@pulumi/pulumi/proto/engine_pb';

/** One message for a resource's row. */
export interface EngineMessage {
  readonly text: string;
  /** Resource it belongs to; without one it is the stack's. */
  readonly urn?: string;
  readonly severity: 'info' | 'warning' | 'error';
  /** Shown while the run lasts, and not kept among its diagnostics. */
  readonly ephemeral: boolean;
}

export interface Engine {
  /** Sends a message. One that cannot be sent is dropped: it must never fail a run. */
  log(message: EngineMessage): void;
  /** Calls back once, when nobody listens at the engine's address any more. */
  whenGone(callback: () => void): void;
  close(): void;
}

const SEVERITIES = { info: LogSeverity.INFO, warning: LogSeverity.WARNING, error: LogSeverity.ERROR } as const;

/** Connects to the engine at an address (`127.0.0.1:40123`): a plug-in's or language host's last argument. */
export function openEngine(address: string): Engine {
  const client = new EngineClient(address, credentials.createInsecure());
  return {
    log(message) {
      const request = new LogRequest();
      request.setSeverity(SEVERITIES[message.severity]);
      request.setMessage(message.text);
      request.setUrn(message.urn ?? '');
      request.setEphemeral(message.ephemeral);
      client.log(request, () => undefined);
    },
    whenGone(callback) {
      const channel = client.getChannel();
      const watch = (): void => {
        const state = channel.getConnectivityState(true);
        if (state === connectivityState.TRANSIENT_FAILURE) return callback();
        if (state === connectivityState.SHUTDOWN) return;
        channel.watchConnectivityState(state, Infinity, watch);
      };
      watch();
    },
    close: () => client.close(),
  };
}
