// An engine that records what a program registers and answers it with made-up outputs: for tests of registrations, in milliseconds.
import { status as grpc } from '@grpc/grpc-js';
import { RegisterResourceResponse, type RegisterResourceRequest } from '@pulumi/pulumi/proto/resource_pb';
import { Resource } from '@pulumi/pulumi/resource';
import * as rpc from '@pulumi/pulumi/runtime/rpc';
import * as settings from '@pulumi/pulumi/runtime/settings';
import * as state from '@pulumi/pulumi/runtime/state';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Struct } from 'google-protobuf/google/protobuf/struct_pb';

/** One registered resource. URNs are shortened to `Kind::name`. */
export interface Registered {
  readonly key: string;
  readonly type: string;
  /** As sent: secrets are `{ secret: value }`, unknowns `UNKNOWN`. */
  readonly inputs: { readonly [name: string]: unknown };
  readonly dependencies: readonly string[];
  /** Keys the argument depends on. */
  readonly edges: { readonly [argument: string]: readonly string[] };
  readonly deletedWith: string;
  /** Paths of the options ignoreChanges and replaceOnChanges. */
  readonly ignores: readonly string[];
  readonly replaces: readonly string[];
  /** Key of the engine's parent; empty for the stack itself. */
  readonly parent: string;
  readonly provider: string;
  readonly aliases: readonly object[];
  readonly secretOutputs: readonly string[];
  readonly source: string;
}

/** Outputs of a resource next to its inputs; `undefined` for one that is to be unknown. */
type Answer = (registered: Registered) => { readonly [name: string]: unknown };

/** Parts of the SDK that are not public: a store for each run, and what the engine can do. */
interface SdkInternals {
  withLocalStorage<T>(callback: () => T): T;
  awaitFeatureSupport(): Promise<void>;
}

/** Runs a program as in a preview or a separate run; resolves to what it registered, in that order. Rejects as the program does. */
export async function recorded(
  program: () => unknown,
  answer: Answer = () => ({}),
  preview = false,
): Promise<readonly Registered[]> {
  const all: Registered[] = [];
  const monitor = {
    // As an older engine: its features are then asked for one by one.
    getDeploymentInfo: (_request: unknown, callback: (error: { readonly code: number }) => void) =>
      callback({ code: grpc.UNIMPLEMENTED }),
    supportsFeature: (request: { getId(): string }, callback: (error: null, answer: object) => void) =>
      callback(null, { getHassupport: () => request.getId() !== 'outputValues' }),
    registerResource: (
      request: RegisterResourceRequest,
      callback: (error: null, answer: RegisterResourceResponse) => void,
    ) => {
      const registered = registeredFrom(request);
      all.push(registered);
      const sent = request.getObject()?.toJavaScript() ?? {};
      const outputs = Object.entries(answer(registered)).filter(([, value]) => value !== undefined);
      const response = new RegisterResourceResponse();
      response.setUrn(`urn:pulumi:dev::story::${request.getType()}::${request.getName()}`);
      response.setId(`id-of-${request.getName()}`);
      response.setObject(Struct.fromJavaScript({ ...sent, ...(Object.fromEntries(outputs) as typeof sent) }));
      callback(null, response);
    },
    registerResourceOutputs: (_request: unknown, callback: (error: null, answer: Empty) => void) =>
      callback(null, new Empty()),
  };
  const { withLocalStorage, awaitFeatureSupport } = { ...state, ...settings } as unknown as SdkInternals;
  await withLocalStorage(async () => {
    settings.setMockOptions(monitor, 'story', 'dev', preview, 'organization');
    await awaitFeatureSupport();
    // Errors of registrations surface where nobody awaits them, and leave the SDK waiting.
    let fail: (error: unknown) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
    });
    process.on('unhandledRejection', fail);
    // Under jest, mapping each frame of each resource's stack back to its source would take most of the time.
    const sdk = Resource as unknown as { callsites: () => readonly object[] };
    const { callsites } = sdk;
    sdk.callsites = () => [];
    try {
      await program();
      await Promise.race([settings.disconnect(), failed]);
    } finally {
      sdk.callsites = callsites;
      process.off('unhandledRejection', fail);
    }
  });
  return all;
}

const shortened = (urn: string): string => urn.replace(/^urn:pulumi:dev::story::(?:.*:)?([^:]+)::/, '$1::');

function registeredFrom(request: RegisterResourceRequest): Registered {
  const edges = [
    ...(request.getPropertydependenciesMap().entries() as unknown as Iterable<[string, { getUrnsList(): string[] }]>),
  ];
  const source = request.getSourceposition();
  return {
    key: `${request.getType().split(':').at(-1)}::${request.getName()}`,
    type: request.getType(),
    inputs: readable(request.getObject()?.toJavaScript() ?? {}) as Registered['inputs'],
    dependencies: request.getDependenciesList().map(shortened).sort(),
    edges: Object.fromEntries(
      edges
        .map(([name, urns]) => [name, urns.getUrnsList().map(shortened).sort()] as const)
        .filter(([, urns]) => urns.length > 0),
    ),
    deletedWith: shortened(request.getDeletedwith()),
    ignores: request.getIgnorechangesList(),
    replaces: request.getReplaceonchangesList(),
    parent: shortened(request.getParent()),
    provider: shortened(request.getProvider()),
    aliases: request.getAliasesList().map((alias) => alias.toObject()),
    secretOutputs: request.getAdditionalsecretoutputsList(),
    source: source ? `${source.getUri().replace(/^.*\//, '')}#${source.getLine()},${source.getColumn()}` : '',
  };
}

/** Secrets and unknowns in words. */
function readable(value: unknown): unknown {
  if (value === rpc.unknownValue) return 'UNKNOWN';
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(readable);
  if (rpc.isRpcSecret(value)) return { secret: readable(rpc.unwrapRpcSecret(value)) };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readable(item)]));
}
