// What the state of the running stack holds of our records: read once, before the first
// registration. The engine's answer has the secrets of every resource in clear: nothing is logged,
// and only members of `StateRecord` are kept.
import { setTimeout } from 'node:timers/promises';
import { getMonitor, getOrganization, getProject, getStack, rpcKeepAlive } from '@pulumi/pulumi/runtime/settings';
import { specialSecretSig, specialSigKey } from '@pulumi/pulumi/runtime/rpc';
import { RunError } from '@pulumi/pulumi/errors';
import { ResourceInvokeRequest } from '@pulumi/pulumi/proto/resource_pb';
import { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import { declaredName, stateRecord, type StateRecord } from '../provider';
import { kinds } from '../provider/kinds';
import { isPlainObject } from '../provider/values';

type Answered = (
  error: { readonly details?: string; readonly message?: string } | null,
  answer?: { getReturn(): Struct | undefined; getFailuresList?(): readonly { getReason(): string }[] },
) => void;

interface Monitor {
  invoke?(request: ResourceInvokeRequest, callback: Answered): unknown;
}

/** Milliseconds to wait before the state is read again. */
const WAITS = [50, 200, 800, 2000];

/**
 * The records of the stack's state. Repeats a few times, since a state in a file cannot be read
 * while the engine writes it. Rejects with RunError: what left the file is then unknown.
 */
export async function readStateRecords(): Promise<readonly StateRecord[]> {
  const monitor = getMonitor() as Monitor | undefined;
  // The SDK's mocks have no state.
  if (monitor?.invoke === undefined || 'mocks' in monitor) return [];
  const [organization, project, stack] = [getOrganization(), getProject(), getStack()];
  const request = new ResourceInvokeRequest();
  request.setTok('pulumi:pulumi:readStackResourceOutputs');
  request.setArgs(Struct.fromJavaScript({ stackName: `${organization}/${project}/${stack}` }));
  const done = rpcKeepAlive();
  const ask = (): Promise<Struct | undefined> =>
    new Promise((resolve, reject) => {
      monitor.invoke?.(request, (error, response) => {
        const [failure] = response?.getFailuresList?.() ?? [];
        const reason = error === null ? failure?.getReason() : (error.details ?? error.message);
        if (error !== null || failure !== undefined) reject(unreadable(reason ?? 'no reason was given'));
        else resolve(response?.getReturn());
      });
    });
  try {
    for (const wait of WAITS) {
      try {
        return recordsIn((await ask())?.toJavaScript());
      } catch {
        await setTimeout(wait);
      }
    }
    return recordsIn((await ask())?.toJavaScript());
  } finally {
    done();
  }
}

const unreadable = (reason: string): RunError =>
  new RunError(
    `the state of this stack could not be read, so it is unknown what left the program: ${reason}; nothing was taken away\n` +
      '  run the command again; "pulumi stack export" reads the same state',
  );

function recordsIn(answer: unknown): readonly StateRecord[] {
  const resources = isPlainObject(answer) && isPlainObject(answer['outputs']) ? answer['outputs'] : {};
  return Object.entries(resources).flatMap(([urn, resource]) => {
    if (!isPlainObject(resource) || !isPlainObject(resource['outputs'])) return [];
    const outputs = plainOf(resource['outputs']) as { readonly [name: string]: unknown };
    return stateRecord(kinds, urn, String(resource['type']), outputs) ?? [];
  });
}

/** A value without the engine's marks: a secret's own value, and an empty text for an asset. */
function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  if (!isPlainObject(value)) return value;
  const mark = value[specialSigKey];
  if (mark === specialSecretSig) return plainOf(value['value']);
  if (mark !== undefined) return '';
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, plainOf(inside)]));
}

/** The component of a stack file that a resource is a child of. */
export interface StackComponent {
  readonly type: string;
  readonly name: string;
}

/** The component of a stack file among the options' parents; undefined for every other parent. */
export function stackComponentOf(parent: object | undefined): StackComponent | undefined {
  const { __pulumiType: type = '', __name: name = '' } = (parent ?? {}) as {
    readonly __pulumiType?: string;
    readonly __name?: string;
  };
  return STACK_COMPONENT.test(`${type}$`) ? { type, name } : undefined;
}

const STACK_COMPONENT = /(^|[:$])[^:$]+:index:Stack\$/;

/** The records that a program, or one component of a stack file, declares by itself. */
export function recordsBelow(
  records: readonly StateRecord[],
  component: StackComponent | undefined,
): readonly StateRecord[] {
  return records.filter((record) => {
    const [, , type = '', ...name] = record.urn.split('::');
    if (component === undefined) return !STACK_COMPONENT.test(type);
    // A component may be called `web/api` beside `web`.
    return type.includes(`${component.type}$`) && name.join('::') === `${component.name}/${declaredName(record)}`;
  });
}
