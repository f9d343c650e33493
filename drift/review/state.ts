// The Pulumi state of a stack, from what `pulumi stack export` prints.
import {
  addressNames,
  COMPUTED,
  dynamicType,
  isPlainObject,
  kinds,
  parseId,
  scopeOfId,
  secretIn,
  UNKNOWN,
  type Inputs,
  type Kind,
} from '../../provider';
import type { FilePlace } from './review';
import { plural } from '../wording';
import { hide, someIn, split } from './secret-values';
import type { AppliedRecord, StackState } from './subjects';

/** A resource as the engine writes it; what we do not read is left out. */
interface WrittenResource {
  readonly urn?: unknown;
  readonly type?: unknown;
  readonly id?: unknown;
  readonly inputs?: unknown;
  readonly outputs?: unknown;
  readonly delete?: unknown;
  readonly propertyDependencies?: unknown;
  readonly sourcePosition?: unknown;
}

/** Reads an export: its JSON, parsed. Throws Error for what is no export of a stack. */
export function readState(exported: unknown, stack?: string): StackState {
  const deployment = isPlainObject(exported) ? exported['deployment'] : undefined;
  if (!isPlainObject(deployment)) throw new Error('it is not an export of a stack: it has no member "deployment"');
  const { resources = [], pending_operations: pending = [] } = deployment;
  if (!Array.isArray(resources))
    throw new Error('it is not an export of a stack: "deployment.resources" is not a list');
  const written = (resources as readonly unknown[]).filter(isPlainObject) as readonly WrittenResource[];
  const leaving = written.filter((resource) => resource.delete === true && kindOf(resource));
  const interrupted = Array.isArray(pending) ? pending.length : 0;
  const [, stackName, project] = written.map(({ urn }) => URN.exec(String(urn))).find((match) => match !== null) ?? [];
  const named = stack ?? stackName;
  return {
    ...(named === undefined ? {} : { stack: named }),
    ...(project === undefined ? {} : { project }),
    records: written.flatMap((resource) => (resource.delete === true ? [] : appliedOf(resource))),
    notes: [
      ...(interrupted > 0
        ? [
            `${plural(interrupted, 'operation')} of an earlier run never ended: pulumi up, then pulumi refresh --clear-pending-creates`,
          ]
        : []),
      ...(leaving.length > 0 ? [`${plural(leaving.length, 'resource')} still to be deleted by the next run`] : []),
    ],
  };
}

/** `urn:pulumi:STACK::PROJECT::TYPE::NAME` */
const URN = /^urn:pulumi:([^:]+)::([^:]*)::/;

const kindOf = ({ type }: WrittenResource): Kind | undefined =>
  kinds.find(({ token }) => type === dynamicType(token) || type === `oneops:index:${token}`);

function appliedOf(resource: WrittenResource): readonly AppliedRecord[] {
  const { urn, id, inputs, outputs, sourcePosition, propertyDependencies } = resource;
  const of = kindOf(resource);
  if (of === undefined || typeof id !== 'string' || typeof urn !== 'string') return [];
  const kind = scopeOfId(of, id) ?? of;
  const given = split(revealed(inputs));
  const kept = split(revealed(outputs));
  const { __provider: _, __kept: __, ...declared } = given.plain as Inputs;
  const at = placeOf(sourcePosition);
  return [
    {
      kind,
      id,
      urn,
      logicalName: urn.split('::').slice(3).join('::'),
      inputs: { ...addressIn(kind, id), ...declared },
      hidden: [...given.hidden, ...kept.hidden],
      computed: Object.fromEntries(
        [...Object.keys(COMPUTED), ...Object.keys(kind.computed), ...Object.keys(kind.fills ?? {})].flatMap((name) =>
          name in (kept.plain as Inputs) ? [[name, (kept.plain as Inputs)[name]]] : [],
        ),
      ),
      madeOf: isPlainObject(propertyDependencies) ? propertyDependencies : {},
      ...(at ? { at } : {}),
    },
  ];
}

/** The address as the id has it; an input may lack what followed from a parent. */
function addressIn(kind: Kind, id: string): Inputs {
  const address = parseId(kind, id)?.address ?? {};
  return Object.fromEntries(addressNames(kind).flatMap((name) => (name in address ? [[name, address[name]]] : [])));
}

/** Secrets marked; an encrypted one is unknown. What contains none is returned as it is: nearly everything, and a fleet has many states. */
function revealed(value: unknown): unknown {
  if (!holdsSecret(value)) return value;
  if (Array.isArray(value)) return (value as readonly unknown[]).map(revealed);
  const secret = secretIn(value);
  if (secret !== undefined) return hide(secret === 'encrypted' ? UNKNOWN : revealed(secret.value));
  return Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, revealed(item)]));
}

/** Whether the engine marked a value as a secret, or anything in it. */
const holdsSecret = (value: unknown): boolean => secretIn(value) !== undefined || someIn(value, holdsSecret);

/** `project:///oneops.yaml#4,3`: the engine's word for a place below the project's folder. */
function placeOf(position: unknown): FilePlace | undefined {
  const [, file, line, column] = /^project:\/\/\/(.+)#(\d+)(?:,(\d+))?$/.exec(String(position)) ?? [];
  if (file === undefined || line === undefined) return undefined;
  return { file: decodeURIComponent(file), line: Number(line), column: Number(column ?? 1) };
}
