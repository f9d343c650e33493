// The engine's steps as resources of ours: which operation on which record, each resource once.
// It must not know what an operation means for what runs.
import { addressOf, formatId, holdsUnknown, kinds, scopeAt } from '../../provider';
import { parseUrn, tokenOf, type EngineDocument, type EngineStep } from './document';
import type { PlannedOperation } from './plan';

/** One step of the engine with what its URN and arguments tell. */
export interface PlannedStep {
  readonly operation: PlannedOperation;
  readonly token: string;
  readonly logicalName: string;
  readonly address: string;
  readonly step: EngineStep;
}

const OPERATIONS: { readonly [op: string]: PlannedOperation } = {
  create: 'create',
  update: 'update',
  replace: 'replace',
  'create-replacement': 'replace',
  delete: 'delete',
  import: 'import',
  'import-replacement': 'replace',
};

/** Steps that do something, each resource once: a replacement is told in three steps. */
export function stepsOf(document: EngineDocument, organization: string): readonly PlannedStep[] {
  const byUrn = new Map<string, PlannedStep>();
  for (const step of document.steps ?? []) {
    const operation = OPERATIONS[step.op];
    const names = parseUrn(step.urn);
    if (operation === undefined || names === undefined) continue;
    if (names.type === 'pulumi:pulumi:Stack' || names.type.startsWith('pulumi:providers:')) continue;
    const token = tokenOf(names.type) ?? names.type;
    const known = byUrn.get(step.urn);
    if (known !== undefined && (known.operation === 'replace' || operation === 'delete')) continue;
    const address = addressIn(step, token, organization) ?? names.name;
    byUrn.set(step.urn, { operation, token, logicalName: names.name, address, step });
  }
  return [...byUrn.values()];
}

/** Id of a step's resource: as it is, or as it will be. */
function addressIn({ oldState, newState }: EngineStep, token: string, organization: string): string | undefined {
  if (typeof oldState?.id === 'string' && oldState.id !== '') return oldState.id;
  const inputs = newState?.inputs ?? {};
  const kind = kinds.find((each) => each.token === token);
  const scope = kind && scopeAt(kind, inputs);
  if (scope === undefined || organization === '') return undefined;
  const address = addressOf(scope, inputs);
  const parts = Object.values(address);
  return parts.some((part) => part === '' || holdsUnknown(part)) ? undefined : formatId(scope, organization, address);
}
